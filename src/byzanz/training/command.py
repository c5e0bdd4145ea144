"""The arguments of ``byzanz train``, and the function that runs it."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from byzanz.rules import SEEDS

from .settings import Settings
from .settings_file import read_lines, read_settings, seed_of, with_values, write_settings

if TYPE_CHECKING:
    from .device import Device
    from .training import Training


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a training run to a parser."""
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="the folder of the training run"
    )
    parser.add_argument(
        "--minutes", type=float, metavar="M", help="total length in minutes (default: 10)"
    )
    parser.add_argument(
        "--updates",
        "--lessons",
        type=int,
        metavar="N",
        dest="lessons",
        help="total length in updates, instead of --minutes",
    )
    parser.add_argument(
        "--horizon", type=float, metavar="H",
        help="length over which the learning rate and other schedules run, in minutes or updates; "
        "set it if you will resume this run later (default: the total length)",
    )  # fmt: skip
    parser.add_argument(
        "--device", choices=["cpu", "cuda"], default="cpu", help="device (default: cpu)"
    )
    parser.add_argument(
        "--no-graphs", action="store_true",
        help="do not use CUDA graphs or compiled PyTorch code (slower)",
    )  # fmt: skip
    parser.add_argument(
        "--players", type=_player_counts, metavar="3,4,5,6",
        help="player counts; a count given twice is twice as frequent (default: 3,4,5,6)",
    )  # fmt: skip
    parser.add_argument("--seed", type=_seed, metavar="S", help="random seed (default: 1)")
    parser.add_argument(
        "--small", action="store_true", help="settings for ten minutes on two CPU cores"
    )
    parser.add_argument(
        "--settings", type=Path, metavar="FILE.toml",
        help="read hyperparameters from this file, such as the settings.toml of another run; "
        "options override it",
    )  # fmt: skip
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", dest="lines",
        help="set one hyperparameter, written as in the --settings file, for example epochs=2 or "
        "learning_rate=[1e-3,1e-4]; can be repeated",
    )  # fmt: skip
    parser.add_argument("--games", type=int, metavar="G", help="number of games in parallel")
    parser.add_argument(
        "--layers", type=int, metavar="L",
        help="number of layers; with --from, identity layers are added to reach it",
    )  # fmt: skip
    parser.add_argument(
        "--resume", action="store_true",
        help="resume the run in the folder; only the length, --players and --device can change",
    )  # fmt: skip
    parser.add_argument(
        "--from", type=Path, metavar="WEIGHTS", dest="start",
        help="start from these weights instead of random ones",
    )  # fmt: skip
    parser.add_argument(
        "--imitator", type=Path, metavar="WEIGHTS",
        help="weights of the opponent 'imitator' (default: a network that imitates strategist)",
    )  # fmt: skip
    parser.add_argument(
        "--opponents", "--company", type=_weights, metavar="NAME=SHARE,...", dest="company",
        help="opponents and how often each plays, as relative shares: self (the learner in every "
        "seat), past (its snapshots), imitator, trader, sensible, random (default, rounded: "
        "self=3,past=2.5,imitator=3.5,trader=0.6,sensible=0.3)",
    )  # fmt: skip
    parser.add_argument(
        "--exploit", type=Path, metavar="WEIGHTS",
        help="train a best response to frozen copies of these weights, starting from them "
        "unless --from is given",
    )  # fmt: skip
    parser.add_argument(
        "--against", type=Path, action="append", default=[], metavar="WEIGHTS",
        help="weights to add to the pool of snapshots, such as a best response; can be repeated",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Train as the arguments say; raise ModuleNotFoundError if PyTorch is not installed."""
    from .device import Device  # noqa: PLC0415
    from .logs import Logs  # noqa: PLC0415
    from .progress import progress_display  # noqa: PLC0415
    from .training import Length  # noqa: PLC0415

    if options.lessons is not None:
        length = Length(updates=options.lessons)
        horizon = None if options.horizon is None else Length(updates=int(options.horizon))
    else:
        length = Length(minutes=10.0 if options.minutes is None else options.minutes)
        horizon = None if options.horizon is None else Length(minutes=options.horizon)
    device = Device(options.device, graphs=not options.no_graphs)
    training = _resumed(options, device) if options.resume else _begun(options, device)
    settings = write_settings(training.settings, training.seed)
    with closing(Logs(options.out, training.curve, settings)) as logs, progress_display() as show:
        for entry in training.train(length, horizon):
            logs.write(entry)
            show(training.curve)
    for opponent, shares in training.curve[-1].get("evaluation", {}).items():
        found = ", ".join(f"{100 * share:.1f} % with {count}" for count, share in shares.items())
        sys.stdout.write(f"Share of the wins against {opponent}: {found} players.\n")
    sys.stdout.write(f"The weights are in '{options.out / 'weights.npz'}'.\n")
    return 0


def _begun(options: argparse.Namespace, device: Device) -> Training:
    from .training import Training  # noqa: PLC0415

    if (options.out / "checkpoint.pt").exists() or (options.out / "past").exists():
        raise ValueError(
            f"'{options.out}' already contains a training run; resume it with --resume, or use "
            "another folder"
        )
    values = read_settings(options.settings) if options.settings else {}
    values |= read_lines(options.lines)
    seed = seed_of(values)
    settings = _settings(options, values)
    for option, name, given in (
        ("--against", "past", options.against), ("--imitator", "imitator", options.imitator)
    ):  # fmt: skip
        if given and name not in dict(settings.opponents):
            raise ValueError(f"{option} needs '{name}' among the --opponents")
    return Training(
        options.out, settings, next(each for each in (options.seed, seed, 1) if each is not None),
        device,
        start=options.start, imitator=options.imitator,
        exploited=options.exploit, against=options.against, layers=options.layers,
    )  # fmt: skip


def _settings(options: argparse.Namespace, values: dict[str, Any]) -> Settings:
    """Return the hyperparameters; ``values`` override the defaults, and options override both."""
    settings = Settings.small() if options.small else Settings()
    if options.exploit:
        if options.against or options.imitator or options.company:
            raise ValueError(
                "a best response plays against frozen copies only; --exploit cannot be used with "
                "--against, --imitator or --opponents"
            )
        settings = settings.best_response()
    elif options.start:
        settings = settings.fine_tuning()
    given: dict[str, Any] = {}
    if options.players:
        given["players"] = list(options.players)
    if options.games is not None:
        given["num_envs"] = options.games
    settings = with_values(settings, values | given)
    if options.layers is not None:
        settings = replace(settings, shape=(options.layers, *settings.shape[1:]))
    return settings.with_opponents(options.company) if options.company else settings


def _resumed(options: argparse.Namespace, device: Device) -> Training:
    from .training import Training  # noqa: PLC0415

    fixed = {
        "--seed": options.seed is not None, "--small": options.small,
        "--settings": options.settings, "--set": options.lines,
        "--games": options.games is not None,
        "--layers": options.layers is not None,
        "--from": options.start, "--imitator": options.imitator, "--exploit": options.exploit,
        "--against": options.against, "--opponents": options.company,
    }  # fmt: skip
    if given := [name for name, value in fixed.items() if value]:
        raise ValueError(f"{given[0]} cannot be changed with --resume")
    training = Training.resume(options.out, device)
    if options.players:
        training.settings = replace(training.settings, players=options.players)
    return training


def _seed(text: str) -> int:
    if text.isdecimal() and int(text) < SEEDS:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number from 0 to 2^64 - 1, not '{text}'")


def _player_counts(text: str) -> tuple[int, ...]:
    counts = tuple(sorted(int(part) for part in text.split(",") if part in {"3", "4", "5", "6"}))
    if len(counts) != len(text.split(",")):
        raise argparse.ArgumentTypeError(f"expected player counts such as 3,4, not '{text}'")
    return counts


def _weights(text: str) -> dict[str, float]:
    parts = [part.partition("=") for part in text.split(",")]
    try:
        weights = {name: float(weight) for name, _, weight in parts}
        if len(weights) == len(parts) and all(0 <= weight < inf for weight in weights.values()):
            return weights
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"expected shares such as self=3,past=4, not '{text}'")
