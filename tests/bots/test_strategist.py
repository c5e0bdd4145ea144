from __future__ import annotations

from threading import Thread
from time import perf_counter, sleep

import pytest

from byzanz.bots import Bot, Budget
from byzanz.bots.strategist import StrategistBot
from byzanz.bots.trader import TraderBot
from byzanz.rules import Chance, Deal, Phase, Sell, begin, options, view
from tests.bots.tables import one_against_many
from tests.bots.test_famous_positions import FAMOUS
from tests.random_games import other_world, random_game


def _strategist(iterations: int) -> Bot:
    return StrategistBot(Chance(4), Budget(iterations=iterations))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_strategist_chooses_legally_and_never_sells_early(players: int) -> None:
    bot = _strategist(40)
    for game in random_game(players, 8):
        for seat in game.state.waiting_for:
            choice = bot.choose(game.view(seat))
            assert choice in options(game.state, seat)
            if isinstance(choice, Sell):
                assert game.state.phase in (Phase.LIMIT, Phase.FINAL_SALE)


def test_with_iterations_the_choice_depends_on_view_and_seed_alone() -> None:
    for number, game in enumerate(random_game(4, 6)):
        for seat in game.state.waiting_for if number % 5 == 0 else ():
            other = other_world(game, seat, number)
            choice = _strategist(100).choose(game.view(seat))
            assert _strategist(100).choose(game.view(seat)) == choice
            assert _strategist(100).choose(other.view(seat)) == choice


def test_a_budget_in_seconds_is_used_and_kept() -> None:
    seen = view(begin(Deal.from_seed(4, 1)), 0)
    bot = StrategistBot(Chance(1), Budget(seconds=0.2))
    start = perf_counter()
    bot.choose(seen)
    assert 0.19 < perf_counter() - start < 1.5  # the machine may be busy with other tests


def test_nested_search_keeps_its_budget_and_depends_on_view_and_seed_alone() -> None:
    game = next(random_game(4, 1))
    start = perf_counter()
    StrategistBot(Chance(1), Budget(seconds=0.5)).choose(game.view(0))
    assert 0.49 < perf_counter() - start < 2  # the machine may be busy with other tests
    choice = _strategist(16_000).choose(game.view(0))
    assert _strategist(16_000).choose(game.view(0)) == choice
    assert _strategist(16_000).choose(other_world(game, 0, 3).view(0)) == choice


def test_a_clear_choice_ends_the_search_early() -> None:
    merchants = next(one for one in FAMOUS if one.name == "Three merchants")
    bot = StrategistBot(Chance(1), Budget(seconds=20))
    start = perf_counter()
    assert bot.choose(merchants.view) in merchants.best
    assert perf_counter() - start < 5


def test_other_threads_run_while_it_searches() -> None:
    seen = view(begin(Deal.from_seed(4, 1)), 0)
    bot = StrategistBot(Chance(1), Budget(seconds=0.5))
    searching = Thread(target=bot.choose, args=(seen,))
    searching.start()
    turns = 0
    while searching.is_alive():
        sleep(0.001)
        turns += 1
    assert turns > 20


def test_a_strategist_beats_traders() -> None:
    won, games = one_against_many(
        lambda seed: StrategistBot(Chance(seed), Budget(iterations=400)),
        lambda seed: TraderBot(Chance(seed)),
        players=4,
        deals=4,
    )
    assert won > games / 4
