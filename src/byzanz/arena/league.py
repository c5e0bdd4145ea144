"""Duplicate play: every deal is played again with the bots rotated over all seats.

Luck of the deal and of the seat cancels: what one bot was dealt, each of the others is dealt too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement

from byzanz.bots import check_bots, make_bot
from byzanz.notation import write_record
from byzanz.rules import SETUPS, Deal, Game, branch, profit, tie_break

from .match import play_match
from .simulation import game_seed


@dataclass(frozen=True)
class League:
    """Who plays whom. Each deal is played once for every seating.

    With as many bots as players they make one table. With more, every choice of them makes one.
    With fewer, all sit at every table, and the seats left are filled with them in every way.
    """

    players: int
    seed: int
    bots: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.players not in SETUPS:
            raise ValueError(f"there are 3 to 6 players, not {self.players}")
        if len(self.names) < 2:
            raise ValueError("bots are measured against each other: name two different ones")
        check_bots(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The different bots, in the order given."""
        return tuple(dict.fromkeys(self.bots))

    @property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        """Which bots sit together, by their places in ``names``."""
        listed = sorted(map(self.names.index, self.bots))
        free = self.players - len(listed)
        if free <= 0:
            return tuple(dict.fromkeys(combinations(listed, self.players)))
        more = combinations_with_replacement(range(len(self.names)), free)
        return tuple(tuple(sorted([*listed, *added])) for added in more)

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """The bots by seat for every game of a deal: each table rotated, equal ones once."""
        turned = (table[by:] + table[:by] for table in self.tables for by in range(self.players))
        return tuple(dict.fromkeys(turned))


@dataclass(frozen=True)
class Outcome:
    """How one game ended, by seat."""

    bots: tuple[int, ...]
    """Their places in the league's names."""
    profit: tuple[int, ...]
    places: tuple[int, ...]
    """1 for the winner; who is level after the tie-break shares the best of their places (R7.2)."""


@dataclass(frozen=True)
class PlayedDeal:
    """One deal, played at every seating."""

    number: int
    games: tuple[Outcome, ...]
    faults: dict[str, dict[str, int]] = field(default_factory=dict)
    """By bot, how often a safe action was played for it, by reason."""
    records: str = ""
    """The games' records; empty if none were asked for."""


def play_deal(league: League, number: int, *, records: bool = False) -> PlayedDeal:
    """Deal ``number`` (from 0) of the league, played.

    It is the same whenever and wherever it is played, unless bots think by the clock.
    """
    seed = game_seed(league.seed, number)
    deal = Deal.from_seed(league.players, seed)
    games, faults, written = [], dict[str, Counter[str]](), ""
    for at, seating in enumerate(league.seatings):
        names = [league.names[bot] for bot in seating]
        # Streams of chance apart from those of the bots of a single game with this seed.
        luck = branch(seed, league.players + at)
        bots = [make_bot(name, branch(luck, seat)) for seat, name in enumerate(names)]
        try:
            game = play_match(deal, bots)
        finally:
            for bot in bots:
                bot.close()
        for bot in bots:
            for lapse, times in bot.faults.items():
                faults.setdefault(bot.name, Counter())[lapse.value] += times
        games.append(_outcome(game, seating))
        if records:
            labels = [f"{name} {seat}" for seat, name in enumerate(names)]
            extra = {"bots": names, "deal_seed": seed, "deal": number, "seating": at}
            written += write_record(game, labels, extra)
    return PlayedDeal(
        number, tuple(games), {name: dict(found) for name, found in faults.items()}, written
    )


def _outcome(game: Game, seating: tuple[int, ...]) -> Outcome:
    ranks = [(profit(player.kept), tie_break(player.hand)) for player in game.state.players]
    places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    return Outcome(seating, game.result.profit, places)


def missing_deals(deals: int, played: set[int]) -> Iterator[int]:
    """The numbers of the deals that are still to be played, in order."""
    return (number for number in range(deals) if number not in played)
