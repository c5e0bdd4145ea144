"""Simulations with their progress and their result table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from gettext import NullTranslations

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from byzanz.arena import Simulation, simulate
from byzanz.locale import ENGLISH
from byzanz.rules import Result


@dataclass
class _Tally:
    games: int = 0
    wins: list[float] = field(default_factory=list)
    profits: list[int] = field(default_factory=list)

    def count(self, result: Result) -> None:
        if not self.games:
            self.wins = [0.0] * len(result.profit)
            self.profits = [0] * len(result.profit)
        self.games += 1
        for seat, earned in enumerate(result.profit):
            self.profits[seat] += earned
        for seat in result.winners:
            self.wins[seat] += 1 / len(result.winners)


def run_simulation(
    simulation: Simulation,
    jobs: int,
    write: Callable[[str], object],
    table: Console,
    words: NullTranslations = ENGLISH,
) -> None:
    """Plays the simulation, hands each record to ``write``, and prints the result table."""
    tally = _Tally()
    with Progress(
        TextColumn(words.gettext("Playing")),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not Console(stderr=True).is_terminal,
    ) as progress:
        task = progress.add_task("games", total=simulation.games)
        with closing(simulate(simulation, jobs)) as played:
            for simulated in played:
                write(simulated.record)
                tally.count(simulated.result)
                progress.advance(task)
    table.print(_result_table(simulation, tally, words))


def _result_table(simulation: Simulation, tally: _Tally, words: NullTranslations) -> Table:
    say = words.gettext
    title = words.ngettext(
        "{count} game, {players} players, seed {seed}",
        "{count} games, {players} players, seed {seed}",
        tally.games,
    ).format(count=tally.games, players=simulation.players, seed=simulation.seed)
    table = Table(title=title)
    table.add_column(say("Seat"), justify="right")
    table.add_column(say("Bot"))
    table.add_column(say("Wins"), justify="right")
    table.add_column(say("Average profit"), justify="right")
    for seat, bot in enumerate(simulation.seats):
        if tally.games:
            wins = f"{100 * tally.wins[seat] / tally.games:.1f} %"
            earned = f"{tally.profits[seat] / tally.games:.2f}"
        else:
            wins = earned = "-"
        table.add_row(str(seat), escape(bot), wins, earned)
    return table
