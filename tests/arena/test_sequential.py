"""The rule of ``--until decided`` seldom errs, and finds a bot that is better."""

from __future__ import annotations

import numpy as np
import pytest

from byzanz.arena import League, Outcome, PlayedDeal
from byzanz.arena.sequential import ERROR, leader, look_error, looks
from byzanz.arena.standings import Tally


def declared(chances: list[float], rng: np.random.Generator, deals: int = 320) -> int | None:
    """Return the bot that is declared in a league of one table, four games per deal."""
    shares = rng.multinomial(4, chances, deals) / 4
    for number, look in enumerate(looks(deals), start=1):
        best = leader(shares[:look], np.ones(len(chances)), look_error(number))
        if best is not None:
            return best
    return None


def test_the_looks_double() -> None:
    assert list(looks(9)) == []
    assert list(looks(100)) == [10, 20, 40, 80]
    assert list(looks(160)) == [10, 20, 40, 80, 160]


def test_the_errors_of_all_looks_sum_to_five_per_cent() -> None:
    assert sum(look_error(number) for number in range(1, 10_000)) == pytest.approx(ERROR, rel=1e-3)


@pytest.mark.parametrize("bots", [3, 4])
def test_equal_bots_are_seldom_declared_better(bots: int) -> None:
    rng = np.random.default_rng(bots)
    wrong = sum(declared([1 / bots] * bots, rng) is not None for _ in range(150))
    assert wrong <= 150 * ERROR


def test_one_bot_against_copies_of_an_equal_one_is_seldom_declared_better() -> None:
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(200):
        wins = rng.binomial(4, 0.25, 320) / 4
        shares = np.stack([wins, (1 - wins) / 3], axis=1)
        wrong += any(
            leader(shares[:look], np.array([1, 1 / 3]), look_error(number)) is not None
            for number, look in enumerate(looks(320), start=1)
        )
    assert wrong <= 200 * ERROR


def test_a_better_bot_is_found() -> None:
    rng = np.random.default_rng(5)
    assert [declared([0.2, 0.45, 0.2, 0.15], rng) for _ in range(20)] == [1] * 20


def test_two_bots_that_are_both_better_than_a_third_are_not_decided() -> None:
    rng = np.random.default_rng(6)
    assert [declared([0.47, 0.47, 0.06], rng) for _ in range(10)] == [None] * 10


def test_only_the_deals_of_a_look_count() -> None:
    """Deals beyond the last look, which other processes may have finished, change nothing."""
    league = League(3, 1, ("greedy", "random", "random"))
    won = [Outcome(bots, (0, 0, 0), tuple(1 + bot for bot in bots)) for bots in league.seatings]
    lost = [Outcome(bots, (0, 0, 0), tuple(2 - bot for bot in bots)) for bots in league.seatings]
    tally = Tally(league)
    for number in range(19):
        tally.count(PlayedDeal(number, tuple(won if number < 10 else lost)))
    assert tally.decided(19) == "greedy"
    assert tally.decided(9) is None
