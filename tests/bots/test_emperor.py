"""The emperor plays by its network, and with thought by what that expects of the worlds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from byzanz.arena import League, play_deals
from byzanz.arena.standings import Tally
from byzanz.bots import Bot, Budget
from byzanz.bots.emperor import EmperorBot
from byzanz.encoding.features import SLOTS
from byzanz.encoding.moment import Moment
from byzanz.fast import WORDS, to_record, words_of
from byzanz.fast.convert import words_for
from byzanz.fast.layout import CHANCE
from byzanz.network import Network
from byzanz.rules import Chance, Deal, Game, Phase, Sell, options, world
from byzanz.search.network_search import best_first, explore, likeliest
from tests.network.nets import by_chance, by_profit
from tests.network.outlook import outlook

Make = Callable[..., Bot]


@pytest.fixture
def emperor(tmp_path: Path) -> Make:
    by_chance().save(tmp_path / "weights.npz")
    return partial(EmperorBot, weights=tmp_path / "weights.npz")


@pytest.fixture
def miser(tmp_path: Path) -> Make:
    by_profit().save(tmp_path / "weights.npz")
    return partial(EmperorBot, weights=tmp_path / "weights.npz")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("budget", [None, Budget(iterations=16)])
def test_an_emperor_answers_legally(emperor: Make, players: int, budget: Budget | None) -> None:
    bots = [
        emperor(Chance(seat)) if budget is None else emperor(Chance(seat), budget)
        for seat in range(players)
    ]
    game = Game.start(Deal.from_seed(players, 2))
    for _ in range(500 if budget is None else 60):
        seat = game.state.turn
        if seat is None:
            break
        action = bots[seat].choose(game.view(seat))
        assert action in options(game.state, seat)
        game = game.play(seat, action)


def test_without_a_budget_of_its_own_the_network_answers_at_once(
    emperor: Make, tmp_path: Path
) -> None:
    network = Network.load(tmp_path / "weights.npz")
    game = Game.start(Deal.from_seed(4, 6))
    for _ in range(40):
        seat = game.state.turn
        assert seat is not None
        action = emperor(Chance(1)).choose(game.view(seat))
        if game.state.phase is not Phase.FINAL_SALE:
            assert action == network.choose(game.view(seat))
        game = game.play(seat, action)


def test_thought_is_repeatable_and_begins_with_what_the_seat_sees(miser: Make) -> None:
    chance, network = Chance(3), Network(by_chance())
    game = Game.start(Deal.from_seed(4, 4))
    for _ in range(25):
        seat = game.state.turn
        assert seat is not None
        seen = game.view(seat)
        unseen = list(seen.pool)
        chance.shuffle(unseen)
        one, other = (words_for(seen), words_of(to_record(Moment(world(seen, unseen))))[0])
        assert likeliest(network, one) == likeliest(network, other)
        first, second = (miser(Chance(9), Budget(iterations=24)).choose(seen) for _ in range(2))
        assert first == second
        game = game.play(seat, first)


def test_thought_finds_what_the_network_expects_most_of(miser: Make) -> None:
    """Its policy likes all alike; who sells has profit, and profit is all it believes in."""
    asked, sold = 0, 0
    for seed in range(12):
        game = Game.start(Deal.from_seed(3, seed))
        while (seat := game.state.turn) is not None:
            seen = game.view(seat)
            at_once = miser(Chance(seed)).choose(seen)
            if game.state.phase is Phase.LIMIT and seen.options.sales:
                assert not isinstance(at_once, Sell)
                asked += 1
                sold += isinstance(miser(Chance(seed), Budget(iterations=64)).choose(seen), Sell)
                break
            game = game.play(seat, at_once)
    assert asked >= 8
    assert sold > asked * 2 / 3


def test_thought_gives_up_what_is_clearly_worse_and_only_that() -> None:
    chance = np.random.default_rng(1)
    luck = chance.random(64)
    near = luck + chance.normal(0.0, 0.2, 64)
    outlooks = np.stack((luck - 0.2 + chance.normal(0.0, 0.1, 64), luck, near), axis=1)
    likings = np.log(np.full(3, 1 / 3))
    assert sorted(best_first(outlooks, likings)) == [1, 2]
    assert best_first(outlooks[:4], likings)[-1] == 0, "so few worlds say who is last, and no more"
    assert best_first(outlooks - [0.0, 0.5, 0.5], likings).tolist() == [0]


def test_thought_goes_by_liking_where_answers_are_as_good_as_each_other() -> None:
    same = np.repeat(np.random.default_rng(1).random((400, 1)), 2, axis=1)
    assert best_first(same, np.log([0.2, 0.8])).tolist()[0] == 1
    assert best_first(np.repeat(same, 10, axis=0), np.log([0.001, 0.999])).tolist()[0] == 1


@pytest.mark.parametrize("players", [3, 6])
def test_thought_judges_worlds_by_what_the_seat_itself_sees(players: int) -> None:
    network = Network(by_chance())
    games, wins = np.zeros((2, WORDS), np.int64), np.zeros(SLOTS)
    game = Game.start(Deal.from_seed(players, 5))
    tried = 0
    while (seat := game.state.turn) is not None:
        root = words_for(game.view(seat), tried)
        answers, _ = likeliest(network, root)
        for answer in answers[:2] if len(answers) > 1 else ():
            seed, numbers, found = int(root[CHANCE]), np.array([answer]), np.zeros((1, 1))
            expected = outlook(network, root.copy(), seed, answer)
            explore(network.parts, network.room, root, numbers, found, games, wins)
            assert found[0, 0] == pytest.approx(expected, abs=1e-6)
            tried += 1
        game = game.play(seat, network.choose(game.view(seat)))
    assert tried > 100


def test_the_weights_that_are_shipped_beat_traders() -> None:
    league = League(players=3, seed=1, bots=("emperor", "trader", "trader"))
    tally = Tally(league)
    for played in play_deals(league, range(16)):
        tally.count(played)
    best = tally.standings().bots[0]
    assert best.bot == "emperor"
    assert best.wins.value > 0.55
