from __future__ import annotations

from threading import Thread
from time import perf_counter, sleep
from typing import Any

import numpy as np
import pytest

from byzanz.bots import Bot, Budget
from byzanz.bots.strategist import StrategistBot
from byzanz.bots.trader import TraderBot
from byzanz.fast.convert import words_for
from byzanz.rules import (
    Action,
    Bid,
    Chance,
    Deal,
    Pass,
    Phase,
    Sell,
    View,
    begin,
    options,
    view,
    worth,
)
from byzanz.search import halving
from byzanz.search.answers import action_for
from byzanz.search.playouts import MOST_CANDIDATES, explore, write_candidates
from byzanz.search.trader_parameters import habits, values
from tests.bots.tables import one_against_many
from tests.bots.test_famous_positions import FAMOUS
from tests.playing import other_world, wild_game
from tests.rules.positions import table


def _candidates(seen: View) -> list[Action]:
    found = np.zeros(MOST_CANDIDATES, dtype=np.int64)
    count = write_candidates(words_for(seen), values(), habits(len(seen.players)), found)
    return [action_for(int(answer)) for answer in found[:count]]


def _strategist(iterations: int) -> Bot:
    return StrategistBot(Chance(4), Budget(iterations=iterations))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_strategist_answers_legally_and_never_sells_early(players: int) -> None:
    bot = _strategist(40)
    for game in wild_game(players, 8):
        for seat in game.state.waiting_for:
            choice = bot.choose(game.view(seat))
            assert choice in options(game.state, seat)
            if isinstance(choice, Sell):
                assert game.state.phase in (Phase.LIMIT, Phase.FINAL_SALE)


def test_iterations_make_the_answer_repeatable_and_hidden_cards_do_not_change_it() -> None:
    for number, game in enumerate(wild_game(4, 6)):
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


def test_deep_thought_keeps_its_time_and_is_as_repeatable_and_as_blind() -> None:
    game = next(wild_game(4, 1))
    start = perf_counter()
    StrategistBot(Chance(1), Budget(seconds=0.5)).choose(game.view(0))
    assert 0.49 < perf_counter() - start < 2  # the machine may be busy with other tests
    choice = _strategist(16_000).choose(game.view(0))
    assert _strategist(16_000).choose(game.view(0)) == choice
    assert _strategist(16_000).choose(other_world(game, 0, 3).view(0)) == choice


@pytest.mark.parametrize(
    ("iterations", "plain"), [(100, 100), (200, 200), (1000, 400), (5000, 2000), (40_000, 8000)]
)
def test_most_of_a_budget_goes_to_deep_thought(
    iterations: int, plain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = {False: 0, True: 0}

    def counted(*arguments: Any) -> int:
        done = explore(*arguments)
        spent[arguments[-1]] += done
        return done

    monkeypatch.setattr(halving, "explore", counted)
    _strategist(iterations).choose(view(begin(Deal.from_seed(4, 1)), 0))
    assert plain <= spent[False] < plain + 64, "no more than the batch that uses it up"
    assert (spent[True] > 0) == (plain < iterations)


def test_what_is_clear_is_answered_at_once() -> None:
    merchants = next(one for one in FAMOUS if one.name == "Three merchants")
    bot = StrategistBot(Chance(1), Budget(seconds=20))
    start = perf_counter()
    assert bot.choose(merchants.view) in merchants.best
    assert perf_counter() - start < 5


def test_others_get_on_with_their_work_while_it_thinks() -> None:
    seen = view(begin(Deal.from_seed(4, 1)), 0)
    bot = StrategistBot(Chance(1), Budget(seconds=0.5))
    thinking = Thread(target=bot.choose, args=(seen,))
    thinking.start()
    turns = 0
    while thinking.is_alive():
        sleep(0.001)
        turns += 1
    assert turns > 20


def test_all_that_may_be_done_is_thought_about_but_dearer_and_worse_bids() -> None:
    for game in wild_game(4, 9):
        for seat in game.state.waiting_for:
            seen = game.view(seat)
            found = _candidates(seen) if seen.phase is not Phase.FINAL_SALE else []
            assert all(action in seen.options for action in found)
            assert len(set(found)) == len(found)
            if seen.phase in (Phase.GIVE, Phase.MARKET, Phase.LIMIT):
                assert set(seen.options.answers) <= set(found)


def test_of_bids_of_one_worth_only_the_least_missed_is_thought_about() -> None:
    start = table(4, hands=["C3 C4 G1 T2"], deck="O1 S1 S2 W1 W2")
    found = _candidates(view(start, 0))
    assert found[0] == Pass()
    bids = {worth(action.cards): action for action in found if isinstance(action, Bid)}
    assert list(bids) == [1, 2, 3, 4, 5, 6]
    assert str(bids[3].cards[0]) == "G1"  # and T2, rather than half a set


def test_looking_ahead_beats_traders() -> None:
    won, games = one_against_many(
        lambda seed: StrategistBot(Chance(seed), Budget(iterations=400)),
        lambda seed: TraderBot(Chance(seed)),
        players=4,
        deals=4,
    )
    assert won > games / 4
