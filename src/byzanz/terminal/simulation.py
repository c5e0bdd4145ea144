"""Run a simulation with a progress bar, and print its results."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import closing
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from byzanz.arena import Simulated, Simulation, simulate
from byzanz.locale import ENGLISH

from .progress import summed_progress, with_progress

if TYPE_CHECKING:
    from byzanz.datasets import Block, RecordOutput


class _Tally:
    """Games, wins and profits for each row of the results: each seat, or each bot if ``mixed``."""

    def __init__(self, simulation: Simulation) -> None:
        self.games = 0
        self.mixed = simulation.mixed
        bots = dict.fromkeys(simulation.bots) if simulation.mixed else range(simulation.players)
        self.rows: dict[str | int, list[float]] = {key: [0, 0.0, 0] for key in bots}

    def count(self, simulated: Simulated) -> None:
        """Count one game."""
        self.games += 1
        result = simulated.result
        for seat, earned in enumerate(result.profit):
            won = 1 / len(result.winners) if seat in result.winners else 0
            self._add(simulated.bots[seat] if self.mixed else seat, 1, won, earned)

    def count_block(self, block: Block) -> None:
        """Count the games of a block."""
        self.games += len(block)
        shares = block.shares()
        for header, text in enumerate(block.headers if self.mixed else ("",)):
            games = block.header == header if self.mixed else slice(None)
            bots = json.loads(text)["bots"] if self.mixed else self.rows
            for seat, key in enumerate(bots):
                profits = block.profits[games, seat]
                self._add(key, len(profits), float(shares[games, seat].sum()), int(profits.sum()))

    def _add(self, key: str | int, games: int, wins: float, profit: int) -> None:
        row = self.rows[key]
        row[0] += games
        row[1] += wins
        row[2] += profit


def run_simulation(
    simulation: Simulation,
    jobs: int,
    output: RecordOutput | None,
    table: Console,
    translations: NullTranslations = ENGLISH,
) -> None:
    """Play the simulation, write its records to the output, and print the results.

    If Ctrl-C interrupts it, the results so far are printed before KeyboardInterrupt is raised.
    """
    tally = _Tally(simulation)
    label = translations.gettext("Playing")
    try:
        if simulation.fast:
            with closing(_played_blocks(simulation, jobs, output, tally)) as counts:
                for _ in summed_progress(counts, label, simulation.games):
                    pass
        else:
            with closing(simulate(simulation, jobs)) as played:
                for simulated in with_progress(played, label, "", simulation.games):
                    if output is not None:
                        output.write(simulated.record)
                    tally.count(simulated)
    except KeyboardInterrupt:
        table.print(_result_table(simulation, tally, translations))
        raise
    table.print(_result_table(simulation, tally, translations))


def _played_blocks(
    simulation: Simulation, threads: int, output: RecordOutput | None, tally: _Tally
) -> Generator[int]:
    """Play on the compiled engine, write and tally the games, and yield their number by block."""
    from byzanz.arena.fast_games import play_blocks  # noqa: PLC0415 - compiled

    def prepared(block: Block) -> tuple[Block, Any]:
        return block, output.prepare(block) if output is not None else None

    with closing(play_blocks(simulation, threads, prepared)) as blocks:
        for block, made in blocks:
            if output is not None:
                output.write_prepared(made)
            tally.count_block(block)
            yield len(block)


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
    every = f"0-{simulation.players - 1}"
    for key, (games, won, earned) in tally.rows.items():
        bot = key if isinstance(key, str) else simulation.seats[key]
        wins = f"{100 * won / games:.1f} %" if games else "-"
        profit = f"{earned / games:.2f}" if games else "-"
        table.add_row(every if tally.mixed else str(key), escape(bot), wins, profit)
    return table
