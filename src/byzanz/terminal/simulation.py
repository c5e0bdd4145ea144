"""Run a simulation with a progress bar, and print its results."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from gettext import NullTranslations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from byzanz.arena import Simulation, simulate
from byzanz.locale import ENGLISH
from byzanz.rules import Result

from .progress import with_progress


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
    translations: NullTranslations = ENGLISH,
) -> None:
    """Play the simulation, pass each record to ``write``, and print the results."""
    tally = _Tally()
    with closing(simulate(simulation, jobs)) as played:
        label = translations.gettext("Playing")
        for simulated in with_progress(played, label, "", simulation.games):
            write(simulated.record)
            tally.count(simulated.result)
    table.print(_result_table(simulation, tally, translations))


def _result_table(simulation: Simulation, tally: _Tally, translations: NullTranslations) -> Table:
    say = translations.gettext
    title = translations.ngettext(
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
