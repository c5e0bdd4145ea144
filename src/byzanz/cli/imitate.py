"""``byzanz imitate``: a network learns from records to play as somebody did."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from byzanz.rules import SEEDS

from .arguments import command, whole
from .console import Screen
from .exit_codes import GOOD, Unusable
from .files import check_writable
from .train import pytorch_needed

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """The command is known."""
    parser = command(
        commands,
        "imitate",
        "let a network learn to play as a bot did",
        "Let a network learn the decisions of a bot out of records of games. One who thinks for "
        "long cannot sit in a training's league; a network that plays much alike can: 'byzanz "
        "train --imitator'. It needs PyTorch: pip install 'byzanz[train]'.",
        """
        byzanz arena --bots "strategist*2,emperor" --players 3 --deals 100 --records games.jsonl
        byzanz imitate strategist games.jsonl --out imitator.npz
        byzanz train --imitator imitator.npz --device cuda --minutes 20 --out strong
        """,
    )
    parser.add_argument("bot", metavar="BOT", help="whose decisions; a budget does not matter")
    parser.add_argument(
        "records", nargs="+", type=Path, metavar="FILE", help="files of records, as the arena keeps"
    )
    parser.add_argument(
        "--from", type=Path, metavar="WEIGHTS", dest="start",
        help="start from these weights (default: those shipped)",
    )  # fmt: skip
    parser.add_argument(
        "--epochs", type=whole(1), default=2, metavar="E",
        help="how often each decision is learnt (default: 2)",
    )  # fmt: skip
    parser.add_argument(
        "--seed",
        type=whole(0, SEEDS - 1),
        default=1,
        metavar="S",
        help="what decides all chance (default: 1)",
    )
    parser.add_argument(
        "--device", choices=["cpu", "cuda"], default="cpu", help="where it learns (default: cpu)"
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE.npz", help="where the weights go"
    )
    parser.set_defaults(run=_run)


@pytorch_needed
def _run(options: argparse.Namespace) -> int:
    from byzanz.network import SHIPPED, Weights  # noqa: PLC0415
    from byzanz.training.device import Machine  # noqa: PLC0415
    from byzanz.training.imitation import decisions_of, imitate  # noqa: PLC0415
    from byzanz.training.model import Net  # noqa: PLC0415

    if options.out.suffix != ".npz":
        raise Unusable(f"weights are kept in a file like imitator.npz, not '{options.out}'")
    check_writable(str(options.out))
    console, machine = Screen(), Machine(options.device)
    net = Net.from_weights(Weights.load(options.start or SHIPPED))
    with console.status("reading the records"):
        decisions = decisions_of(options.bot, options.records)
    console.print(f"{len(decisions)} decisions of {options.bot}")
    lessons = imitate(net, decisions, machine, epochs=options.epochs, seed=options.seed)
    told = {}
    with console.status("learning") as status:
        for epoch, (loss, right) in enumerate(lessons, 1):
            status.update(f"learnt {epoch} of {options.epochs} times")
            told = {"loss": round(loss, 4), "foreseen": round(right, 4)}
            console.print(f"{100 * right:.1f} % of the decisions not learnt from are foreseen")
    card = {"imitates": options.bot, "decisions": len(decisions), "epochs": options.epochs}
    net.to_weights(card | told).save(options.out)
    return GOOD
