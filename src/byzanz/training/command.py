"""The command that trains: its arguments, and what they start."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .settings import Settings

if TYPE_CHECKING:
    from .playing import Player


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The parser takes what a training is told."""
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="where it is kept"
    )
    parser.add_argument(
        "--minutes", type=float, metavar="M", help="stop after M minutes in all (default: 10)"
    )
    parser.add_argument("--batches", type=int, metavar="B", help="stop after B batches instead")
    parser.add_argument(
        "--horizon", type=float, metavar="H",
        help="minutes or batches of the whole training, if this is only its first part",
    )  # fmt: skip
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="where it learns")
    parser.add_argument(
        "--engine", choices=["cpu", "gpu"],
        help="where the games are played (default: the GPU with --device cuda, if that works)",
    )  # fmt: skip
    parser.add_argument(
        "--players", type=_counts, metavar="3,4,5,6", help="for which tables (default: all)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="what decides all chance (default: 1)"
    )
    parser.add_argument(
        "--small", action="store_true", help="a setting for ten minutes on two CPU cores"
    )
    parser.add_argument("--games", type=int, metavar="G", help="games a batch")
    parser.add_argument("--resume", action="store_true", help="go on with what is in the folder")
    parser.add_argument(
        "--exploit", type=Path, metavar="WEIGHTS",
        help="learn a best response to frozen copies of these weights, starting from them",
    )  # fmt: skip
    parser.add_argument(
        "--against", type=Path, action="append", default=[], metavar="WEIGHTS",
        help="weights that join the league, such as an exploiter's; may be given again",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Trains as the arguments say; raises ModuleNotFoundError without PyTorch."""
    import torch  # noqa: PLC0415

    from .progress import shown  # noqa: PLC0415
    from .training import Length, Training  # noqa: PLC0415

    if options.device == "cuda" and not torch.cuda.is_available():
        raise ValueError("PyTorch finds no GPU here")
    player = _player(options.device, options.engine)
    if options.resume:
        training = Training.resume(options.out, player)
    else:
        settings = Settings.small() if options.small else Settings()
        if options.players:
            settings = replace(settings, players=options.players)
        if options.games:
            settings = replace(settings, games=options.games)
        if options.exploit:
            settings = settings.exploiting()
        training = Training(
            options.out, settings, options.seed, player,
            exploited=options.exploit, against=options.against,
        )  # fmt: skip
    batches = options.batches
    if batches is not None:
        horizon = Length(batches=int(options.horizon or batches))
        length = Length(batches=batches)
    else:
        length = Length(minutes=options.minutes or 10.0)
        horizon = Length(minutes=options.horizon or length.minutes)
    with shown() as show:
        for _ in training.go_on(length, horizon):
            show(training.curve)
    sys.stdout.write(f"{json.dumps(training.curve[-1].get('panel', {}))}\n")
    return 0


def _player(device: str, engine: str | None) -> Player:
    """Who plays the batches; games go to the GPU if the learner is there and nothing forbids it."""
    import torch  # noqa: PLC0415

    from .playing import Player  # noqa: PLC0415

    if engine is None and device == "cuda":
        try:
            return tried(Player(torch.device(device), "gpu"))
        except Exception as error:  # noqa: BLE001 - whatever the GPU's compiler says
            sys.stderr.write(f"games are played on the CPU: {error!r}\n")
    return Player(torch.device(device), engine or "cpu")


def tried(player: Player) -> Player:
    """The player, once it has played a small batch."""
    import numpy as np  # noqa: PLC0415

    from .advancing import TRADER  # noqa: PLC0415
    from .league import one_against  # noqa: PLC0415
    from .net import Net  # noqa: PLC0415

    seating = one_against(TRADER, (3, 4), 60, np.random.default_rng(0))
    player.play(seating, [Net((16,)).to(player.device)], [0.0])
    return player


def _counts(text: str) -> tuple[int, ...]:
    counts = tuple(sorted({int(part) for part in text.split(",") if part in {"3", "4", "5", "6"}}))
    if len(counts) != len(text.split(",")):
        raise argparse.ArgumentTypeError(f"expected numbers of players such as 3,4, not '{text}'")
    return counts
