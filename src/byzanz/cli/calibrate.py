"""``byzanz calibrate``: measure and calibrate a network's win probabilities."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import track
from rich.table import Table

from byzanz.rules import SEEDS
from byzanz.terminal.progress import error_console

from .arguments import add_command, integer
from .console import CommandConsole
from .exit_codes import OK, CommandError

if TYPE_CHECKING:
    from byzanz.network import Weights
    from byzanz.training.calibration import Bin, Predictions

    from .arguments import Commands

_ENOUGH = 200
"""The minimum number of games in a bin whose error is reported."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "calibrate",
        "measure how accurate a network's win probabilities are",
        "Let a network play against itself and compare its predicted win probabilities with the "
        "results. With --fit, first calibrate the probabilities for each number of players, then "
        "measure them on other games.",
        """
        byzanz calibrate --games 2000 --out reliability
        byzanz calibrate strong/weights.npz --fit --out fitted
        """,
    )
    parser.add_argument(
        "weights", nargs="?", type=Path, metavar="WEIGHTS",
        help="file of weights (default: those of emperor)",
    )  # fmt: skip
    parser.add_argument(
        "--games", type=integer(2), default=1000, metavar="K",
        help="games for each number of players (default: 1000)",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=integer(0, SEEDS - 1), default=1, metavar="S",
        help="random seed (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--fit", action="store_true", help="fit the calibration and write the weights to --out"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="folder for the chart and the figures"
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # Imported here, because only this command needs the compiler.
    from byzanz.network import SHIPPED, Weights  # noqa: PLC0415
    from byzanz.training.calibration import calibrated  # noqa: PLC0415

    if options.fit and options.out is None:
        raise CommandError("--fit needs --out FOLDER for the calibrated weights")
    path = options.weights or SHIPPED
    try:
        weights = Weights.load(path)
    except FileNotFoundError:
        raise CommandError(f"there is no file '{path}'; 'byzanz train' writes weights") from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
    if options.fit:
        found = _predictions(calibrated(weights, {}), options.games, options.seed, "Fitting")
        weights = calibrated(weights, {each.players: each.fit() for each in found})
    # Measure on other deals than those of the fit.
    seed = (options.seed + options.games) % SEEDS
    found = _predictions(weights, options.games, seed, "Measuring")
    measured = list(found)
    bins = {each.players: each.bins() for each in measured}
    if options.out is not None:
        _write(options.out, bins, measured)
        if options.fit:
            weights.save(options.out / "weights.npz")
    console = CommandConsole()
    _print(console, bins)
    for each in measured:
        console.print(
            f"{each.players} players: expected calibration error "
            f"{100 * each.calibration_error():.2f} points, Brier score {each.brier_score():.4f}"
        )
    if options.fit:
        for players in bins:
            slope, own_bias, linear = weights.calibration[players - 3]
            console.print(
                f"{players} players: slope {slope:.3f}, own bias {own_bias:+.3f}, "
                f"linear {linear:+.3f}"
            )
    return OK


def _write(
    folder: Path, bins: Mapping[int, Sequence[Bin]], measured: Sequence[Predictions]
) -> None:
    """Write the chart and the figures to the folder."""
    from byzanz.arena.charts import reliability_chart  # noqa: PLC0415

    dots = {
        players: [(each.predicted, each.observed, each.decisions) for each in found]
        for players, found in bins.items()
    }
    errors = {
        players: [2 * each.standard_error for each in found] for players, found in bins.items()
    }
    notes = {
        each.players: f"ECE {100 * each.calibration_error():.2f} points, "
        f"Brier score {each.brier_score():.4f}"
        for each in measured
    }
    chart = reliability_chart(dots, errors, notes)
    (folder / "reliability.svg").write_text(chart, encoding="utf-8")
    (folder / "reliability.json").write_text(json.dumps(dots), encoding="utf-8")


def _print(console: CommandConsole, bins: Mapping[int, Sequence[Bin]]) -> None:
    """Print the bins and the largest error."""
    table = Table("players", "predicted %", "observed %", "error", "± 2 s.e.", "decisions", "games")
    for players, found in bins.items():
        for each in found:
            table.add_row(
                str(players), f"{100 * each.predicted:.1f}", f"{100 * each.observed:.1f}",
                f"{100 * each.error:+.1f}", f"{200 * each.standard_error:.1f}",
                str(each.decisions), str(each.games),
            )  # fmt: skip
    console.print(table)
    large = [each for found in bins.values() for each in found if each.games >= _ENOUGH]
    if large:
        worst = 100 * max(abs(each.error) for each in large)
        console.print(f"largest error of a bin with at least {_ENOUGH} games: {worst:.1f} points")
    else:
        console.print(f"no bin has {_ENOUGH} games; use more --games for a reliable result")


def _predictions(weights: Weights, games: int, seed: int, task: str) -> Iterator[Predictions]:
    """Yield the predictions for each player count, with a progress bar on standard error."""
    from byzanz.network import Network  # noqa: PLC0415
    from byzanz.training.calibration import collect, joined, part_count  # noqa: PLC0415

    console = error_console()
    for players in (3, 4, 5, 6):
        yield joined(
            track(
                collect(Network(weights), players, games, seed),
                f"{task}, {players} players",
                total=part_count(games),
                console=console,
                transient=True,
                disable=not console.is_terminal,
            )
        )
