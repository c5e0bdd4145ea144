"""Whether the time of a pass tells that the bot could not bid, measured with real bots.

``python -m tests.tables.answer_times --positions 400`` takes positions from auctions of many games
and asks ``strategist`` for its decision, as a server does. It compares the times of two kinds of
passes: forced ones, where the bot had no card to bid with, and considered ones. It prints quantiles
of both, and the probability that a considered pass takes longer, which should be one half. It does
the same without the guard, where the two can be told apart.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count, islice

from rich.console import Console
from rich.table import Table

from byzanz.bots import make_bot
from byzanz.rules import Deal, Game, Pass, Phase, View
from byzanz.tables import BotSeat, Host, NewTable
from byzanz.tables.service.bot_pool import BotPool

from .services import open_service

_WARM = 50
"""The number of answers that are not measured, because the times are not even yet."""
_PLAYERS = 6
_SECONDS = 60.0
_FEWEST = 10
"""The number of passes of each kind that a comparison needs."""
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


async def measure(positions: list[Game], bot: str, *, even: bool) -> Passes:
    """Ask the bot in these positions and return how long its passes took."""
    passes = Passes()
    pool = BotPool(2, _SECONDS, even=even)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/byzanz.db"
        async with open_service(url, bots=(bot,), automatic=False) as service:
            guest = (await service.guests.create(None, "en")).id
            seats = (Host(), *[BotSeat(bot)] * (_PLAYERS - 1))
            table = await service.create(guest, NewTable(seats))
            async with service._tables.use(table) as live:
                for number, game in enumerate(positions):
                    seat = game.state.turn
                    assert seat is not None
                    asked = time.monotonic()
                    action = await pool.choose(replace(live.table, game=game), seat)
                    seconds = time.monotonic() - asked
                    if isinstance(action, Pass) and number >= _WARM:
                        able = _can_bid(game.view(seat))
                        (passes.considered if able else passes.forced).append(seconds)
    pool.close()
    return passes


def auctions(seed: int) -> Iterator[Game]:
    """Yield positions in which a bot bids or passes; in every second one it cannot bid."""
    able = []
    for game_seed in count(seed):
        game = Game.start(Deal.from_seed(_PLAYERS, game_seed))
        bots = [make_bot("greedy", number) for number in range(_PLAYERS)]
        while (seat := game.state.turn) is not None:
            view = game.view(seat)
            if view.phase is Phase.AUCTION and seat:
                if _can_bid(view):
                    able.append(game)
                elif able:
                    yield game
                    yield able[random.Random(len(able)).randrange(len(able))]
            game = game.play(seat, bots[seat].choose(view))


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
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--bot", default="strategist", help="such as strategist@0.1s")
    options = parser.parse_args()
    positions = list(islice(auctions(1), options.positions))
    random.Random(1).shuffle(positions)
    passes, console = {}, Console()
    for name, even in (("with the guard", True), ("without", False)):
        passes[name] = found = asyncio.run(measure(positions, options.bot, even=even))
        if min(len(found.forced), len(found.considered)) < _FEWEST:
            console.print("There were too few passes to compare: use more --positions.")
            return 1
    _show(console, passes)
    return 0 if abs(passes["with the guard"].longer - 0.5) < _TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
