"""A network plays by the View alone, legally, and as plain arithmetic says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from byzanz.encoding import PIECES, Moment, action_of, features, numbers_of, piece_of
from byzanz.encoding.numbers import CONFIRM, NUMBERS, SELL
from byzanz.fast import to_record, words_of
from byzanz.fast.convert import words_for
from byzanz.network import Network, Weights
from byzanz.network.forward import policy
from byzanz.network.layout import (
    GOODS_BYTES,
    GOODS_NUMBERS,
    HOLDINGS_BYTES,
    PLAYERS_BYTES,
    TABLE_BYTES,
    TABLE_NUMBERS,
)
from byzanz.network.network import in_steps
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

from .nets import by_chance, by_profit, from_steps, in_whole_steps


def reference(weights: Weights, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scores of numbers and slots, by plain NumPy in double precision."""
    there = (np.arange(6) < 3 + np.argmax(row[:4]))[:, None]

    def made(*parts: np.ndarray) -> np.ndarray:
        return np.asarray(np.maximum(sum(parts), 0))

    def viewed(slots: np.ndarray) -> np.ndarray:
        others = slots[..., 1:, :]
        return np.concatenate([slots[..., 0, :], others.mean(-2), others.max(-2)], -1)

    goods, players, holdings, table = (
        row[places].astype(np.float64)
        for places in (GOODS_BYTES, PLAYERS_BYTES, HOLDINGS_BYTES, TABLE_BYTES)
    )
    for at in weights.layers:
        of_good, of_player = goods @ at.good_to_holding, players @ at.player_to_holding
        holdings = there * made(
            holdings @ at.holding_to_holding, of_good[:, None], of_player, at.holding_vector
        )
        players = there * made(
            players @ at.player_to_player, holdings.mean(0) @ at.holding_to_player,
            table @ at.table_to_player, at.player_vectors,
        )  # fmt: skip
        table = made(
            table @ at.table_to_table, goods.mean(0) @ at.good_to_table,
            viewed(players) @ at.player_to_table, at.table_vector,
        )  # fmt: skip
        goods = made(
            goods @ at.good_to_good, viewed(holdings) @ at.holding_to_good,
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
def test_the_network_computes_what_plain_arithmetic_does(players: int) -> None:
    network = Network(in_whole_steps(by_chance()))
    network.weights.corrections[:] = [
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
            mask[SELL:] = False  # cards in hand are bids
        wanted = np.zeros(len(mask))
        wanted[mask] = softmax(numbers[mask])
        assert np.allclose(network.shares(words_for(seen)), wanted, atol=1e-5)
        sharpness, lean, favour = network.weights.corrections[players - 3]
        chances = softmax(slots[:players])
        chances = sharpness * np.log(chances) + favour * chances
        chances[0] += lean
        chances = softmax(chances)
        by_seat = [chances[(other - seat) % players] for other in range(players)]
        assert np.allclose(network.chances(seen), by_seat, atol=1e-5)
        game = game.play(seat, network.choose(seen))


def test_half_of_the_bytes_are_as_good_as_all() -> None:
    """Each weight is kept to a part in 65,534 of the largest that its input has."""
    first, second = np.zeros((2, 5), np.float32), np.ones((3, 5), np.float32)
    first[0], second[:, 2] = [3.0, -1.5, 0.1, 1e-9, 0], [-8.0, 40.0, 0.3]
    kept = from_steps(*in_steps([first, second]))
    assert not kept[0, 1:].any()  # a row of zeros, and one that the first has not
    largest = np.abs(kept).max(axis=2, keepdims=True)
    assert np.abs(kept[0, :2] - first).max() <= 3.0 / 65_534
    assert (np.abs(kept[1] - second) <= largest[1] / 65_500).all()
    assert (largest[1, :, 0] == [8.0, 40.0, 1.0]).all()


def test_goods_are_alike_but_for_what_is_added() -> None:
    """Where goods change places in what is seen, they change places in what is played."""
    weights = by_chance()
    for layer in weights.layers:
        layer.good_vectors[:] = layer.good_vectors[0]
    network = Network(weights)
    row, mask, shares, *_ = network.room
    game = Game.start(Deal.from_seed(4, 3))
    for _ in range(30):
        seat = game.state.turn
        assert seat is not None
        game = game.play(seat, network.choose(game.view(seat)))
    assert game.state.turn is not None
    seen = features(game.view(game.state.turn))
    turned = seen.copy()
    for name, piece in PIECES.items():
        if piece.shape[-1] == len(Card):
            piece_of(turned, name)[..., [_turned(card) for card in Card]] = piece_of(seen, name)
    assert not np.array_equal(turned, seen)
    mask[:] = 1
    found = []
    for each in (seen, turned):
        row[:] = each
        policy(network.parts, network.room)
        found.append(shares.copy())
    for number in range(NUMBERS):
        other = int(_turned(Card(number))) if number < CONFIRM else number
        match action_of(number):
            case Give(card):
                (other,) = numbers_of(Give(_turned(card)))
            case Discard(card):
                (other,) = numbers_of(Discard(_turned(card)))
            case Take(kind) if kind is not Kind.MERCHANT:
                (other,) = numbers_of(Take(_turned(Card(4 * kind)).kind))
            case Sell(cards):
                (other,) = numbers_of(Sell(tuple(map(_turned, cards))))
        assert found[1][other] == pytest.approx(found[0][number], rel=1e-3), number
    assert len(set(found[0].tolist())) > 100


def _turned(card: Card) -> Card:
    """The card of the good that changes places with its own: the first three go round."""
    return Card((card + 4) % 12) if card < 12 else card


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("heat", [0.0, 1.0])
def test_the_network_plays_whole_games_legally(players: int, heat: float) -> None:
    network, chance = Network(by_chance(seed=players)), Chance(players)
    game = Game.start(Deal.from_seed(players, 11))
    while (seat := game.state.turn) is not None:
        game = game.play(seat, network.choose(game.view(seat), heat, chance.word()))
    assert game.result.winners


@pytest.mark.parametrize("heat", [0.0, 1.0])
def test_the_network_sells_when_cards_must_go_and_leaves_no_set_at_the_end(heat: float) -> None:
    network, chance = Network(by_chance(seed=2)), Chance(2)
    game = Game.start(Deal.from_seed(4, 12))
    sold: Counter[Phase] = Counter()
    while (seat := game.state.turn) is not None:
        seen = game.view(seat)
        action = network.choose(seen, heat, chance.word())
        sold[seen.phase] += isinstance(action, Sell)
        if seen.phase is Phase.FINAL_SALE:
            assert isinstance(action, Sell) == bool(seen.options.sales)
        game = game.play(seat, action)
    assert set(+sold) <= {Phase.LIMIT, Phase.FINAL_SALE}
    assert sold.total() > 5


def test_heat_leaves_the_choice_to_chance() -> None:
    network = Network(by_profit())
    seen = Game.start(Deal.from_seed(4, 5)).view(0)
    assert len({network.choose(seen, 1.0, chance) for chance in range(40)}) > 3
    assert len({network.choose(seen, 0.0, chance) for chance in range(40)}) == 1


def test_what_is_hidden_from_the_seat_changes_nothing() -> None:
    network, chance = Network(by_chance()), Chance(4)
    game = Game.start(Deal.from_seed(4, 8))
    for _ in range(60):
        seat = game.state.turn
        assert seat is not None
        seen = game.view(seat)
        unseen = list(seen.pool)
        chance.shuffle(unseen)
        shares = network.shares(words_for(seen))
        for state in (world(seen, unseen), game.state):
            other = words_of(to_record(Moment(state)))[0]
            assert np.array_equal(network.shares(other), shares)
        game = game.play(seat, network.choose(seen))


def test_networks_of_one_file_share_its_arrays(tmp_path: Path) -> None:
    by_chance().save(tmp_path / "weights.npz")
    one, other = (Network.load(tmp_path / "weights.npz") for _ in range(2))
    assert one.parts is other.parts
    assert not any(
        np.shares_memory(mine, yours) for mine, yours in zip(one.room, other.room, strict=True)
    )


def test_chances_are_for_the_seat_that_is_to_act() -> None:
    with pytest.raises(ValueError, match="to act"):
        Network(by_chance()).chances(Game.start(Deal.from_seed(3, 1)).view(1))


def test_more_profit_is_a_better_chance_if_the_network_believes_so() -> None:
    network = Network(by_profit())
    game = Game.start(Deal.from_seed(3, 2))
    while (seat := game.state.turn) is not None and not piece_of(
        features(game.view(seat)), "profit"
    ).any():
        game = game.play(seat, network.choose(game.view(seat), 1.0, 7))
    assert seat is not None
    profits = [sum(card.worth or 5 for card in player.kept) for player in game.state.players]
    chances = network.chances(game.view(seat))
    assert np.argmax(chances) == np.argmax(profits)
    assert sum(chances) == pytest.approx(1)
