"""``byzanz calibrate``: how far a network's win chances can be relied on."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import track
from rich.table import Table

from byzanz.rules import SEEDS
from byzanz.training.chart import reliability_chart

from .arguments import command, whole
from .console import Screen
from .exit_codes import GOOD, Unusable

if TYPE_CHECKING:
    from byzanz.network import Weights
    from byzanz.training.calibration import Bin, Sayings

    from .arguments import Commands

_ENOUGH = 200
"""Games a bin needs before its error is called one."""


def add(commands: Commands) -> None:
    """The command is known."""
    parser = command(
        commands,
        "calibrate",
        "measure a network's win chances",
        "Let a network play itself and compare the chances that it names with what comes. With "
        "--fit they are corrected, by number of players, to say it best, and measured on other "
        "games.",
        """
        byzanz calibrate --games 2000 --out reliability
        byzanz calibrate strong/weights.npz --fit --out fitted
        """,
    )
    parser.add_argument(
        "weights", nargs="?", type=Path, metavar="WEIGHTS", help="default: those shipped"
    )
    parser.add_argument(
        "--games",
        type=whole(2),
        default=1000,
        metavar="K",
        help="for each number of players (default: 1000)",
    )
    parser.add_argument(
        "--seed",
        type=whole(0, SEEDS - 1),
        default=1,
        metavar="S",
        help="what decides all chance (default: 1)",
    )
    parser.add_argument("--fit", action="store_true", help="fit the chances, and write the weights")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the chart and figures go")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # Imported here: only this asks for the compiler.
    from byzanz.network import SHIPPED, Weights  # noqa: PLC0415
    from byzanz.training.calibration import corrected  # noqa: PLC0415

    if options.fit and options.out is None:
        raise Unusable("say where the fitted weights go: --out FOLDER")
    try:
        weights = Weights.load(options.weights or SHIPPED)
    except FileNotFoundError:
        raise Unusable("there are no such weights; 'byzanz train' makes some") from None
    except ValueError as error:
        raise Unusable(str(error)) from None
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
    if options.fit:
        heard = _heard(corrected(weights, {}), options.games, options.seed, "Fitting")
        weights = corrected(weights, {said.players: said.correction() for said in heard})
    # Other deals than those that it was fitted to.
    heard = _heard(weights, options.games, (options.seed + options.games) % SEEDS, "Measuring")
    bins = {said.players: said.bins() for said in heard}
    if options.out is not None:
        _keep(options.out, bins)
        if options.fit:
            weights.save(options.out / "weights.npz")
    console = Screen()
    _show(console, bins)
    if options.fit:
        for players in bins:
            sharpness, lean, favour = weights.corrections[players - 3]
            console.print(
                f"{players} players: sharpness {sharpness:.3f}, lean {lean:+.3f}, "
                f"favour {favour:+.3f}"
            )
    return GOOD


def _keep(folder: Path, bins: Mapping[int, Sequence[Bin]]) -> None:
    """The chart and the figures lie in the folder."""
    dots = {
        players: [(each.said, each.came, each.decisions) for each in found]
        for players, found in bins.items()
    }
    (folder / "reliability.svg").write_text(reliability_chart(dots), encoding="utf-8")
    (folder / "reliability.json").write_text(json.dumps(dots), encoding="utf-8")


def _show(console: Screen, bins: Mapping[int, Sequence[Bin]]) -> None:
    """What was said, what came, and the worst of it."""
    table = Table("players", "said %", "came %", "error", "± 2 s.e.", "decisions", "games")
    for players, found in bins.items():
        for each in found:
            table.add_row(
                str(players), f"{100 * each.said:.1f}", f"{100 * each.came:.1f}",
                f"{100 * each.error:+.1f}", f"{200 * each.doubt:.1f}", str(each.decisions),
                str(each.games),
            )  # fmt: skip
    console.print(table)
    sure = [each for found in bins.values() for each in found if each.games >= _ENOUGH]
    if sure:
        worst = 100 * max(abs(each.error) for each in sure)
        console.print(f"largest error of a bin with {_ENOUGH} games or more: {worst:.1f} points")
    else:
        console.print(f"no bin has {_ENOUGH} games, so that little can be said")


def _heard(weights: Weights, games: int, seed: int, why: str) -> Iterator[Sayings]:
    """What the network says, by number of players; on a terminal standard error shows how far."""
    from byzanz.network import Network  # noqa: PLC0415
    from byzanz.training.calibration import gathered, hear, parts_of  # noqa: PLC0415

    console = Screen(stderr=True)
    for players in (3, 4, 5, 6):
        yield gathered(
            track(
                hear(Network(weights), players, games, seed),
                f"{why}, {players} players",
                total=parts_of(games),
                console=console,
                transient=True,
                disable=not console.is_terminal,
            )
        )
