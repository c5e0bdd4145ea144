"""Whether the time of a pass tells that the bot could not bid, measured with real bots.

``python -m tests.tables.answer_times --games 20`` plays games against ``strategist`` and compares
the times of two kinds of passes: forced ones, where the bot had no card to bid with, and considered
ones. It prints quantiles of both, and the probability that a considered pass takes longer, which
should be one half. It does the same without the guard, where the two can be told apart.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from itertools import count, pairwise

from rich.console import Console
from rich.table import Table

from byzanz.rules import Deal, Game, Pass, View
from byzanz.tables import BotSeat, Host, NewTable, Pace, Stage, TableOptions, TableView
from byzanz.tables.service.subscriptions import LiveTable

from .services import act, chosen, environment, limits, open_service

_WARM_GAMES = 1
"""The number of games that are not measured, because the times are not even yet."""
_PATIENCE = 120.0
_TOLERANCE = 0.1
"""How far from one half the probability may be."""


@dataclass
class Passes:
    """The seconds that passes took, by kind."""

    forced: list[float] = field(default_factory=list)
    considered: list[float] = field(default_factory=list)

    @property
    def longer(self) -> float:
        """The probability that a considered pass takes longer than a forced one."""
        forced = sorted(self.forced)
        counts = [bisect_left(forced, at) + bisect_right(forced, at) for at in self.considered]
        return sum(counts) / (2 * len(forced) * len(counts))

    @property
    def distance(self) -> float:
        """The greatest difference between the two distribution functions (Kolmogorov-Smirnov)."""
        forced, considered = sorted(self.forced), sorted(self.considered)
        return max(
            abs(
                bisect_right(forced, at) / len(forced)
                - bisect_right(considered, at) / len(considered)
            )
            for at in forced + considered
        )


async def measure(url: str, games: int, bot: str, *, even: bool) -> Passes:
    """Play games against five bots and return how long their passes took."""
    passes = Passes()
    published: list[tuple[float, int]] = []

    def note(live: LiveTable) -> None:
        published.append((time.monotonic(), live.table.number))

    seeds = count(1)
    deals = replace(environment(), deal=lambda players: Deal.from_seed(players, next(seeds)))
    even_or_not = limits(hide_thinking_times=even)
    async with open_service(url, limits=even_or_not, environment=deals, bots=(bot,)) as service:
        service._tables.listeners.append(note)
        guest = (await service.guests.create(None, "en")).id
        for number in range(games + _WARM_GAMES):
            published.clear()
            seats = (Host(), *[BotSeat(bot)] * 5)
            options = TableOptions(pace=Pace.INSTANT)
            table = await service.create(guest, NewTable(seats, options))
            async with service.subscribe(table, guest) as views:
                view: TableView = await anext(views)
                while view.stage is Stage.PLAYING:
                    if 0 in view.waiting_for:
                        await act(service, table, guest, chosen(view), f"{number}-{view.version}")
                    view = await asyncio.wait_for(anext(views), _PATIENCE)
            game = service._tables._tables[table].table.game
            assert game is not None
            if number >= _WARM_GAMES:
                _sort(game, published, passes)
    return passes


def _sort(game: Game, published: list[tuple[float, int]], passes: Passes) -> None:
    """Add the times of the bots' passes in a game."""
    for (before, number), (now, following) in pairwise(published):
        if following != number + 1 or not isinstance(game.plays[number].action, Pass):
            continue
        then, seat = Game.replay(game.deal, game.plays[:number]), game.plays[number].seat
        if seat != 0:
            kind = passes.considered if _can_bid(then.view(seat)) else passes.forced
            kind.append(now - before)


def _can_bid(view: View) -> bool:
    return any(not isinstance(action, Pass) for action in view.options)


def _show(console: Console, passes: dict[str, Passes]) -> None:
    table = Table("", "Passes", "Median (ms)", "5 % to 95 % (ms)")
    for name, found in passes.items():
        for kind, times in (("forced", found.forced), ("considered", found.considered)):
            low, *_, high = statistics.quantiles(times, n=20)
            middle = f"{1000 * statistics.median(times):.1f}"
            span = f"{1000 * low:.1f} to {1000 * high:.1f}"
            table.add_row(f"{name}, {kind}", str(len(times)), middle, span)
    console.print(table)
    for name, found in passes.items():
        console.print(
            f"{name}: a considered pass takes longer with probability {found.longer:.2f}; "
            f"greatest difference of the distributions {found.distance:.2f}"
        )


def main() -> int:
    """Measure, and return 0 if the times do not tell the two kinds apart."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--bot", default="strategist", help="such as strategist@0.1s")
    options = parser.parse_args()
    passes = {}
    for name, even in (("with the guard", True), ("without", False)):
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{folder}/byzanz.db"
            passes[name] = asyncio.run(measure(url, options.games, options.bot, even=even))
    _show(Console(), passes)
    return 0 if abs(passes["with the guard"].longer - 0.5) < _TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
