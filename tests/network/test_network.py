"""The network: legal play that depends only on the View, and the same arithmetic as plain NumPy."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from byzanz.encoding import PIECES, Moment, action_of, features, numbers_of, piece_of
from byzanz.encoding.numbers import CONFIRM, NUMBERS, SELL
from byzanz.fast import rows_of, to_record
from byzanz.fast.convert import record_of
from byzanz.network import Network, Weights
from byzanz.network.feature_groups import (
    GOODS_BYTES,
    GOODS_NUMBERS,
    HOLDINGS_BYTES,
    PLAYERS_BYTES,
    TABLE_BYTES,
    TABLE_NUMBERS,
)
from byzanz.network.forward import policy
from byzanz.network.network import quantise
from byzanz.rules import (
    Card,
    Chance,
    Deal,
    Discard,
    Game,
    Give,
    Kind,
    Phase,
    Sell,
    Take,
    world,
)

from .nets import dequantised, profit_weights, quantised_weights, random_weights


def reference(weights: Weights, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute the logits of action numbers and of slots with NumPy in double precision."""
    occupied = (np.arange(6) < 3 + np.argmax(row[:4]))[:, None]

    def relu(*parts: np.ndarray) -> np.ndarray:
        return np.asarray(np.maximum(sum(parts), 0))

    def pooled(slots: np.ndarray) -> np.ndarray:
        others = slots[..., 1:, :]
        return np.concatenate([slots[..., 0, :], others.mean(-2), others.max(-2)], -1)

    goods, players, holdings, table = (
        row[indices].astype(np.float64)
        for indices in (GOODS_BYTES, PLAYERS_BYTES, HOLDINGS_BYTES, TABLE_BYTES)
    )
    for at in weights.layers:
        of_good, of_player = goods @ at.good_to_holding, players @ at.player_to_holding
        holdings = occupied * relu(
            holdings @ at.holding_to_holding, of_good[:, None], of_player, at.holding_vector
        )
        players = occupied * relu(
            players @ at.player_to_player, holdings.mean(0) @ at.holding_to_player,
            table @ at.table_to_player, at.player_vectors,
        )  # fmt: skip
        table = relu(
            table @ at.table_to_table, goods.mean(0) @ at.good_to_table,
            pooled(players) @ at.player_to_table, at.table_vector,
        )  # fmt: skip
        goods = relu(
            goods @ at.good_to_good, pooled(holdings) @ at.holding_to_good,
            table @ at.table_to_good, at.good_vectors,
        )  # fmt: skip
    numbers = np.zeros(NUMBERS)
    numbers[GOODS_NUMBERS] = goods @ weights.good_head[0] + weights.good_head[1]
    numbers[TABLE_NUMBERS] = table @ weights.table_head[0] + weights.table_head[1]
    return numbers, (players @ weights.player_head[0] + weights.player_head[1])[:, 0]


def softmax(scores: np.ndarray) -> np.ndarray:
    grown = np.exp(scores - scores.max())
    return np.asarray(grown / grown.sum())


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_forward_pass_equals_plain_numpy(players: int) -> None:
    network = Network(quantised_weights(random_weights()))
    network.weights.calibration[:] = [
        (0.5, 0.1, 0.0), (1.0, 0.2, 0.3), (1.5, -0.4, -0.5), (2.0, 0.0, 0.6)
    ]  # fmt: skip
    game = Game.start(Deal.from_seed(players, 3))
    for _ in range(40):
        seat = game.state.turn
        assert seat is not None
        seen = game.view(seat)
        numbers, slots = reference(network.weights, features(seen))
        mask = Moment(game.state).mask()
        if seen.phase is not Phase.LIMIT:
            mask[SELL:] = False  # the network sells only at the hand limit
        wanted = np.zeros(len(mask))
        wanted[mask] = softmax(numbers[mask])
        assert np.allclose(network.policy(record_of(seen)), wanted, atol=1e-5)
        slope, own_bias, linear = network.weights.calibration[players - 3]
        wins = softmax(slots[:players])
        wins = slope * np.log(wins) + linear * wins
        wins[0] += own_bias
        wins = softmax(wins)
        by_seat = [wins[(other - seat) % players] for other in range(players)]
        assert np.allclose(network.win_probabilities(seen), by_seat, atol=1e-5)
        game = game.play(seat, network.choose(seen))


def test_quantised_matrices_are_accurate() -> None:
    """The error of each weight is at most 1/65,534 of its input's largest weight."""
    first, second = np.zeros((2, 5), np.float32), np.ones((3, 5), np.float32)
    first[0], second[:, 2] = [3.0, -1.5, 0.1, 1e-9, 0], [-8.0, 40.0, 0.3]
    kept = dequantised(*quantise([first, second]))
    assert not kept[0, 1:].any()  # a row of zeros, and a padded row
    largest = np.abs(kept).max(axis=2, keepdims=True)
    assert np.abs(kept[0, :2] - first).max() <= 3.0 / 65_534
    assert (np.abs(kept[1] - second) <= largest[1] / 65_500).all()
    assert (largest[1, :, 0] == [8.0, 40.0, 1.0]).all()


def test_permuting_the_goods_permutes_the_policy() -> None:
    """All goods share their weights, except for the biases, which are made equal here."""
    weights = random_weights()
    for layer in weights.layers:
        layer.good_vectors[:] = layer.good_vectors[0]
    network = Network(weights)
    row, mask, output, *_ = network.workspace
    game = Game.start(Deal.from_seed(4, 3))
    for _ in range(30):
        seat = game.state.turn
        assert seat is not None
        game = game.play(seat, network.choose(game.view(seat)))
    assert game.state.turn is not None
    seen = features(game.view(game.state.turn))
    permuted = seen.copy()
    for name, piece in PIECES.items():
        if piece.shape[-1] == len(Card):
            piece_of(permuted, name)[..., [_permuted(card) for card in Card]] = piece_of(seen, name)
    assert not np.array_equal(permuted, seen)
    mask[:] = 1
    found = []
    for each in (seen, permuted):
        row[:] = each
        policy(network.arrays, network.workspace)
        found.append(output.copy())
    for number in range(NUMBERS):
        other = int(_permuted(Card(number))) if number < CONFIRM else number
        match action_of(number):
            case Give(card):
                (other,) = numbers_of(Give(_permuted(card)))
            case Discard(card):
                (other,) = numbers_of(Discard(_permuted(card)))
            case Take(kind) if kind is not Kind.MERCHANT:
                (other,) = numbers_of(Take(_permuted(Card(4 * kind)).kind))
            case Sell(cards):
                (other,) = numbers_of(Sell(tuple(map(_permuted, cards))))
        assert found[1][other] == pytest.approx(found[0][number], rel=1e-3), number
    assert len(set(found[0].tolist())) > 100


def _permuted(card: Card) -> Card:
    """Return the card of the permuted good: the first three goods rotate."""
    return Card((card + 4) % 12) if card < 12 else card


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_the_network_plays_whole_games_legally(players: int, temperature: float) -> None:
    network, chance = Network(random_weights(seed=players)), Chance(players)
    game = Game.start(Deal.from_seed(players, 11))
    while (seat := game.state.turn) is not None:
        game = game.play(seat, network.choose(game.view(seat), temperature, chance.word()))
    assert game.result.winners


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_the_network_sells_at_the_limit_and_leaves_no_set_at_the_end(temperature: float) -> None:
    network, chance = Network(random_weights(seed=2)), Chance(2)
    game = Game.start(Deal.from_seed(4, 12))
    sold: Counter[Phase] = Counter()
    while (seat := game.state.turn) is not None:
        seen = game.view(seat)
        action = network.choose(seen, temperature, chance.word())
        sold[seen.phase] += isinstance(action, Sell)
        if seen.phase is Phase.FINAL_SALE:
            assert isinstance(action, Sell) == bool(seen.options.sales)
        game = game.play(seat, action)
    assert set(+sold) <= {Phase.LIMIT, Phase.FINAL_SALE}
    assert sold.total() > 5


def test_temperature_1_samples_and_temperature_0_is_greedy() -> None:
    network = Network(profit_weights())
    seen = Game.start(Deal.from_seed(4, 5)).view(0)
    assert len({network.choose(seen, 1.0, chance) for chance in range(40)}) > 3
    assert len({network.choose(seen, 0.0, chance) for chance in range(40)}) == 1


def test_hidden_cards_do_not_change_the_policy() -> None:
    network, chance = Network(random_weights()), Chance(4)
    game = Game.start(Deal.from_seed(4, 8))
    for _ in range(60):
        seat = game.state.turn
        assert seat is not None
        seen = game.view(seat)
        unseen = list(seen.pool)
        chance.shuffle(unseen)
        expected = network.policy(record_of(seen))
        for state in (world(seen, unseen), game.state):
            other = rows_of(to_record(Moment(state)))[0]
            assert np.array_equal(network.policy(other), expected)
        game = game.play(seat, network.choose(seen))


def test_networks_of_one_file_share_its_arrays(tmp_path: Path) -> None:
    random_weights().save(tmp_path / "weights.npz")
    one, other = (Network.load(tmp_path / "weights.npz") for _ in range(2))
    assert one.arrays is other.arrays
    assert not any(
        np.shares_memory(mine, yours)
        for mine, yours in zip(one.workspace, other.workspace, strict=True)
    )


def test_only_the_seat_to_act_can_ask_for_win_probabilities() -> None:
    with pytest.raises(ValueError, match="to act"):
        Network(random_weights()).win_probabilities(Game.start(Deal.from_seed(3, 1)).view(1))


def test_win_probabilities_follow_the_profit_with_such_weights() -> None:
    network = Network(profit_weights())
    game = Game.start(Deal.from_seed(3, 2))
    while (seat := game.state.turn) is not None and not piece_of(
        features(game.view(seat)), "profit"
    ).any():
        game = game.play(seat, network.choose(game.view(seat), 1.0, 7))
    assert seat is not None
    profits = [sum(card.worth or 5 for card in player.kept) for player in game.state.players]
    wins = network.win_probabilities(game.view(seat))
    assert np.argmax(wins) == np.argmax(profits)
    assert sum(wins) == pytest.approx(1)
