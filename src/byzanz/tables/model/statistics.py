"""Statistics of a person's finished games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import inf
from statistics import fmean

from msgspec import Struct

from byzanz.arena.intervals import mean_interval, share_interval
from byzanz.bots import BOTS
from byzanz.notation import parse_card
from byzanz.rules import Kind, kept, profit

from .results import MIXED, PEOPLE, GameResult


class Estimate(Struct, frozen=True):
    """A mean with its 95 % interval, which is None if there are too few games."""

    value: float
    low: float | None = None
    high: float | None = None


class WinShare(Struct, frozen=True):
    """The share of games won in one group of games."""

    group: str
    """The opponents, or the number of players."""
    games: int
    wins: Estimate
    fair: float
    """The expected share of somebody who plays as well as the others: 1 / players, on average."""


class BestSet(Struct, frozen=True):
    """The set that earned the most."""

    cards: str
    profit: int
    table: str


class Favourite(Struct, frozen=True):
    """The good that was sold most often."""

    good: str
    """The letter of the good."""
    sets: int


class LuckSoFar(Struct, frozen=True):
    """The luck in the games that were reviewed."""

    games: int
    total: float
    """In hundredths of a win; more than 0 is good luck."""
    average: Estimate
    """Per game."""


class Statistics(Struct, frozen=True, kw_only=True):
    """Statistics of a person's finished games."""

    games: int
    won: int
    """The number of games won; a shared win counts."""
    profit: Estimate | None
    """The average profit; None without games."""
    best_set: BestSet | None
    favourite: Favourite | None
    streak: int
    """The largest number of games won in a row."""
    by_opponents: tuple[WinShare, ...]
    """Weakest bots first; different bots and people come last."""
    by_players: tuple[WinShare, ...]
    luck: LuckSoFar | None = None
    """None if no game was reviewed."""


def statistics(results: Sequence[GameResult]) -> Statistics:
    """Return the statistics of these games, which must be in order, newest first."""
    profits = [result.profit for result in results]
    sold = Counter(cards for result in results for cards in result.sold)
    return Statistics(
        games=len(results),
        won=sum(result.place == 1 for result in results),
        profit=_mean(profits),
        best_set=_best_set(sold, results),
        favourite=_favourite(sold),
        streak=_streak(results),
        by_opponents=_shares(results, lambda result: result.opponents, _strength),
        by_players=_shares(results, lambda result: str(result.players), int),
        luck=_luck([result.luck for result in results if result.luck is not None]),
    )


@lru_cache(maxsize=4096)
def set_profit(cards: str) -> int:
    """Return the profit of a set, given its cards in notation."""
    return profit([kept(tuple(map(parse_card, cards.split())))])


def _luck(found: Sequence[float]) -> LuckSoFar | None:
    average = _mean(found, least=-inf)
    return None if average is None else LuckSoFar(len(found), sum(found), average)


def _mean(values: Sequence[float], least: float = 0.0) -> Estimate | None:
    if not values:
        return None
    interval = mean_interval(values, least=least)
    return Estimate(fmean(values), *(interval or (None, None)))


def _best_set(sold: Counter[str], results: Sequence[GameResult]) -> BestSet | None:
    """Return the set that earned the most; of several, the one that was sold first."""
    most = max(map(set_profit, sold), default=0)
    for result in reversed(results):
        for cards in result.sold:
            if set_profit(cards) == most:
                return BestSet(cards, most, result.table)
    return None


def _favourite(sold: Counter[str]) -> Favourite | None:
    goods: Counter[str] = Counter()
    for cards, times in sold.items():
        good = _good(cards)
        if good is not None:
            goods[good] += times
    if not goods:
        return None
    good, sets = goods.most_common(1)[0]
    return Favourite(good, sets)


@lru_cache(maxsize=4096)
def _good(cards: str) -> str | None:
    """Return the letter of a set's good; None for three merchants."""
    kinds = {parse_card(card).kind for card in cards.split()} - {Kind.MERCHANT}
    return kinds.pop().letter if kinds else None


def _streak(results: Sequence[GameResult]) -> int:
    longest = now = 0
    for result in results:
        now = now + 1 if result.place == 1 else 0
        longest = max(longest, now)
    return longest


def _shares(
    results: Sequence[GameResult],
    group: Callable[[GameResult], str],
    order: Callable[[str], object],
) -> tuple[WinShare, ...]:
    groups: dict[str, list[GameResult]] = {}
    for result in results:
        groups.setdefault(group(result), []).append(result)
    return tuple(_share(name, groups[name]) for name in sorted(groups, key=order))  # type: ignore[arg-type]


def _share(name: str, results: Sequence[GameResult]) -> WinShare:
    shares = [result.share for result in results]
    interval = share_interval(shares) or (None, None)
    fair = fmean([1 / result.players for result in results])
    return WinShare(name, len(results), Estimate(fmean(shares), *interval), fair)


def _strength(opponents: str) -> tuple[int, str]:
    known = [*BOTS, MIXED, PEOPLE]
    return (known.index(opponents) if opponents in known else len(BOTS), opponents)
