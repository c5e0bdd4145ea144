"""The command that trains: its arguments, and what they start."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from byzanz.rules import SEEDS

from .settings import Settings

if TYPE_CHECKING:
    from .device import Machine
    from .training import Training


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The parser takes what a training is told."""
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="where it is kept"
    )
    parser.add_argument(
        "--minutes", type=float, metavar="M", help="stop after M minutes in all (default: 10)"
    )
    parser.add_argument("--lessons", type=int, metavar="L", help="stop after L lessons instead")
    parser.add_argument(
        "--horizon", type=float, metavar="H",
        help="minutes or lessons of the whole training, if this is only its first part",
    )  # fmt: skip
    parser.add_argument(
        "--device", choices=["cpu", "cuda"], default="cpu", help="where it plays and learns"
    )
    parser.add_argument(
        "--no-graphs", action="store_true", help="tell a GPU every step anew, which takes longer"
    )
    parser.add_argument(
        "--players", type=_counts, metavar="3,4,5,6",
        help="for which tables, one named twice twice as often (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=_seed, metavar="S", help="what decides all chance (default: 1)"
    )
    parser.add_argument(
        "--small", action="store_true", help="a setting for ten minutes on two CPU cores"
    )
    parser.add_argument("--games", type=int, metavar="G", help="games side by side")
    parser.add_argument(
        "--layers", type=int, metavar="L",
        help="how deep the network is; more layers than weights have change nothing at first",
    )  # fmt: skip
    parser.add_argument(
        "--resume", action="store_true",
        help="go on with what is in the folder, as it was begun, or for other tables (--players)",
    )  # fmt: skip
    parser.add_argument(
        "--from", type=Path, metavar="WEIGHTS", dest="start",
        help="go on from these weights instead of from nothing",
    )  # fmt: skip
    parser.add_argument(
        "--imitator", type=Path, metavar="WEIGHTS",
        help="who stands in for those who think for long (default: one like strategist)",
    )  # fmt: skip
    parser.add_argument(
        "--company", type=_shares, metavar="NAME=SHARE,...",
        help="who sits at its tables, and how often: self, past, imitator, trader, sensible or "
        "random (much like the default: self=3,past=2.5,imitator=3.5,trader=0.6,sensible=0.3)",
    )  # fmt: skip
    parser.add_argument(
        "--exploit", type=Path, metavar="WEIGHTS",
        help="learn a best response to frozen copies of these weights, starting from them too "
        "or, with --from, from one found before",
    )  # fmt: skip
    parser.add_argument(
        "--against", type=Path, action="append", default=[], metavar="WEIGHTS",
        help="weights that join the league, such as an exploiter's; may be given again",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Trains as the arguments say; raises ModuleNotFoundError without PyTorch."""
    from .device import Machine  # noqa: PLC0415
    from .progress import shown  # noqa: PLC0415
    from .training import Length  # noqa: PLC0415

    if options.lessons is not None:
        length = Length(lessons=options.lessons)
        horizon = None if options.horizon is None else Length(lessons=int(options.horizon))
    else:
        length = Length(minutes=10.0 if options.minutes is None else options.minutes)
        horizon = None if options.horizon is None else Length(minutes=options.horizon)
    machine = Machine(options.device, graphs=not options.no_graphs)
    training = _resumed(options, machine) if options.resume else _begun(options, machine)
    with shown() as show:
        for _ in training.go_on(length, horizon):
            show(training.curve)
    sys.stdout.write(f"{json.dumps(training.curve[-1].get('panel', {}))}\n")
    return 0


def _begun(options: argparse.Namespace, machine: Machine) -> Training:
    from .training import Training  # noqa: PLC0415

    if (options.out / "checkpoint.pt").exists() or (options.out / "past").exists():
        raise ValueError(
            f"'{options.out}' holds a training: --resume goes on with it; take another folder"
        )
    settings = Settings.small() if options.small else Settings()
    if options.players:
        settings = replace(settings, players=options.players)
    if options.games is not None:
        settings = replace(settings, games=options.games)
    if options.layers is not None:
        settings = replace(settings, shape=(options.layers, *settings.shape[1:]))
    if options.company:
        settings = settings.among(options.company)
    if options.exploit:
        if options.against or options.imitator or options.company:
            raise ValueError("a best response is learnt among copies, and nobody else")
        settings = settings.exploiting()
    elif options.start:
        settings = settings.further()
    for name, given in {"past": options.against, "imitator": options.imitator}.items():
        if given and name not in dict(settings.company):
            raise ValueError(f"the weights given never play: its company has no '{name}'")
    return Training(
        options.out, settings, 1 if options.seed is None else options.seed, machine,
        start=options.start, imitator=options.imitator,
        exploited=options.exploit, against=options.against, layers=options.layers,
    )  # fmt: skip


def _resumed(options: argparse.Namespace, machine: Machine) -> Training:
    from .training import Training  # noqa: PLC0415

    given = {
        "--seed": options.seed is not None, "--small": options.small,
        "--games": options.games is not None,
        "--layers": options.layers is not None,
        "--from": options.start, "--imitator": options.imitator, "--exploit": options.exploit,
        "--against": options.against, "--company": options.company,
    }  # fmt: skip
    if settled := [name for name, value in given.items() if value]:
        raise ValueError(f"{settled[0]} is settled when a training begins, not with --resume")
    training = Training.resume(options.out, machine)
    if options.players:
        training.settings = replace(training.settings, players=options.players)
    return training


def _seed(text: str) -> int:
    if text.isdecimal() and int(text) < SEEDS:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number from 0 to 2^64 - 1, not '{text}'")


def _counts(text: str) -> tuple[int, ...]:
    counts = tuple(sorted(int(part) for part in text.split(",") if part in {"3", "4", "5", "6"}))
    if len(counts) != len(text.split(",")):
        raise argparse.ArgumentTypeError(f"expected numbers of players such as 3,4, not '{text}'")
    return counts


def _shares(text: str) -> dict[str, float]:
    parts = [part.partition("=") for part in text.split(",")]
    try:
        shares = {name: float(share) for name, _, share in parts}
        if len(shares) == len(parts) and all(0 <= share < inf for share in shares.values()):
            return shares
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"expected shares such as self=3,past=4, not '{text}'")
