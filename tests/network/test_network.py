"""A network plays by the View alone, legally, and as plain arithmetic says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from byzanz.encoding import FEATURES, Moment, action_of, features, piece_of
from byzanz.encoding.numbers import NUMBERS, SELL
from byzanz.network import Network, Weights
from byzanz.network.layout import GOODS_BYTES, GOODS_NUMBERS, TABLE_BYTES, TABLE_NUMBERS
from byzanz.network.network import words_for
from byzanz.rules import (
    Cards,
    Chance,
    Deal,
    Discard,
    Game,
    Give,
    Kind,
    Phase,
    Sell,
    view,
    world,
)

from .nets import by_chance, by_profit


def reference(weights: Weights, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scores of numbers and slots, by plain NumPy in double precision."""
    goods, table = row[GOODS_BYTES].astype(np.float64), row[TABLE_BYTES].astype(np.float64)
    for layer in weights.layers:
        table = table @ layer.table + goods.mean(0) @ layer.average + layer.table_vector
        table = np.maximum(table, 0)
        goods = np.maximum(goods @ layer.good + table @ layer.told + layer.good_vectors, 0)
    others = table @ weights.table_head[0] + weights.table_head[1]
    numbers = np.zeros(NUMBERS)
    numbers[GOODS_NUMBERS] = goods @ weights.good_head[0] + weights.good_head[1]
    numbers[TABLE_NUMBERS] = others[: len(TABLE_NUMBERS)]
    return numbers, others[len(TABLE_NUMBERS) :]


def softmax(scores: np.ndarray) -> np.ndarray:
    grown = np.exp(scores - scores.max())
    return np.asarray(grown / grown.sum())


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_network_computes_what_plain_arithmetic_does(players: int) -> None:
    network = Network(by_chance())
    network.weights.sharpness[:] = [0.5, 1.0, 1.5, 2.0]
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
        sharp = network.weights.sharpness[players - 3]
        chances = softmax(sharp * slots[:players])
        by_seat = [chances[(other - seat) % players] for other in range(players)]
        assert np.allclose(network.chances(seen), by_seat, atol=1e-5)
        game = game.play(seat, network.choose(seen))


def test_every_byte_and_every_number_belongs_to_a_good_or_to_the_table() -> None:
    seen = np.append(GOODS_BYTES.flatten(), TABLE_BYTES)
    assert sorted(seen.tolist()) == list(range(FEATURES))
    scored = np.append(GOODS_NUMBERS.flatten(), TABLE_NUMBERS)
    assert sorted(scored.tolist()) == list(range(NUMBERS))
    for numbers in GOODS_NUMBERS:
        kinds = {card.kind for number in numbers[4:] for card in _cards(int(number))}
        assert len(kinds - {Kind.MERCHANT}) == 1


def _cards(number: int) -> Cards:
    match action_of(number):
        case Give(card) | Discard(card):
            return (card,)
        case Sell(cards):
            return cards
        case _:
            return ()


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
        other = view(world(seen, unseen), seat, seen.course)
        assert network.choose(other) == network.choose(seen)
        assert network.chances(other) == network.chances(seen)
        game = game.play(seat, network.choose(seen))


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
