"""Leagues in duplicate: each deal is repeated with the bots rotated through all seats.

Every bot plays the same hands, so the luck of the deal and of the seat cancels out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations, combinations_with_replacement

from byzanz.bots import check_bots, make_bot
from byzanz.notation import write_record
from byzanz.rules import SETUPS, Deal, Game, branch, profit, tie_break

from .game import play_match
from .simulation import game_seed


class OnFailure(StrEnum):
    """What happens to a seat whose bot fails: see :mod:`byzanz.arena.scoring`."""

    FORFEIT = "forfeit"
    """The bot is not asked again in this game, and the seat scores nothing."""
    FALLBACK = "fallback"
    """A safe action is played whenever the bot fails, and the seat scores as usual."""


@dataclass(frozen=True)
class League:
    """The bots of a league. Each deal is played once for every seating.

    If there are as many bots as players, they sit at one table. If there are more, there is a table
    for every combination of them. If there are fewer, every table has at least one copy of each
    bot, and there is one table for each way to fill the remaining seats with more copies. Raises
    ValueError or UnknownBot if the bots cannot play.
    """

    players: int
    seed: int
    bots: tuple[str, ...]
    on_failure: OnFailure = OnFailure.FORFEIT

    def __post_init__(self) -> None:
        if self.players not in SETUPS:
            raise ValueError(f"a game has 3 to 6 players, not {self.players}")
        if len(self.names) < 2:
            raise ValueError("a league needs bots to compare: name two different ones")
        check_bots(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The different bots, in the order given."""
        return tuple(dict.fromkeys(self.bots))

    @property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        """The bots of each table, as indices into ``names``."""
        listed = sorted(map(self.names.index, self.bots))
        free = self.players - len(listed)
        if free <= 0:
            return tuple(dict.fromkeys(combinations(listed, self.players)))
        more = combinations_with_replacement(range(len(self.names)), free)
        return tuple(tuple(sorted([*listed, *added])) for added in more)

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """The bots by seat in each game of a deal: every different rotation of every table."""
        turned = (table[by:] + table[:by] for table in self.tables for by in range(self.players))
        return tuple(dict.fromkeys(turned))


@dataclass(frozen=True)
class Outcome:
    """The outcome of one game, by seat."""

    bots: tuple[int, ...]
    """Indices into the league's names."""
    profit: tuple[int, ...]
    places: tuple[int, ...]
    """1 for the winner; seats tied after the tie-break share the best of their places (R7.2)."""
    failed: tuple[int, ...] = ()
    """Seats whose bot failed. Profit and places include the safe actions played for them."""


@dataclass(frozen=True)
class PlayedDeal:
    """One deal with the outcome of each seating."""

    number: int
    games: tuple[Outcome, ...]
    faults: dict[str, dict[str, int]] = field(default_factory=dict)
    """For each bot, the number of failures of each kind."""
    records: str = ""
    """The records of the games; empty unless requested."""


def play_deal(league: League, number: int, *, records: bool = False) -> PlayedDeal:
    """Play deal ``number`` (from 0) of a league with all seatings.

    The outcome is always the same, unless a bot has a budget in seconds.
    """
    seed = game_seed(league.seed, number)
    deal = Deal.from_seed(league.players, seed)
    games, faults, written = [], dict[str, Counter[str]](), ""
    for at, seating in enumerate(league.seatings):
        names = [league.names[bot] for bot in seating]
        # A seeded match with this seed uses other seeds for its bots.
        random_seed = branch(seed, league.players + at)
        asks_again = league.on_failure is OnFailure.FALLBACK
        bots = [
            make_bot(name, branch(random_seed, seat), asks_again=asks_again)
            for seat, name in enumerate(names)
        ]
        try:
            game = play_match(deal, bots)
        finally:
            for bot in bots:
                bot.close()
        for bot in bots:
            for fault, times in bot.faults.items():
                faults.setdefault(bot.name, Counter())[fault.value] += times
        failed = tuple(seat for seat, bot in enumerate(bots) if bot.faults)
        games.append(_outcome(game, seating, failed))
        if records:
            labels = [f"{name} {seat}" for seat, name in enumerate(names)]
            extra = {"bots": names, "deal_seed": seed, "deal": number, "seating": at}
            written += write_record(game, labels, extra)
    return PlayedDeal(
        number, tuple(games), {name: dict(found) for name, found in faults.items()}, written
    )


def _outcome(game: Game, seating: tuple[int, ...], failed: tuple[int, ...]) -> Outcome:
    ranks = [(profit(player.kept), tie_break(player.hand)) for player in game.state.players]
    places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    return Outcome(seating, game.result.profit, places, failed)


def missing_deals(deals: int, played: set[int]) -> Iterator[int]:
    """Return the numbers of the deals that are still to be played, in order."""
    return (number for number in range(deals) if number not in played)
