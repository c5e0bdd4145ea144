"""``byzanz imitate``: train a network to imitate a bot."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from byzanz.rules import SEEDS

from .arguments import add_command, integer
from .console import CommandConsole
from .exit_codes import OK, CommandError
from .files import check_writable
from .train import needs_pytorch

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "imitate",
        "train a network to imitate a bot",
        "Train a network to predict a bot's decisions, taken from records of its games. A slow bot "
        "cannot be a training opponent, but 'byzanz train --imitator' can use this network in its "
        "place. This needs PyTorch.",
        """
        byzanz arena --bots "strategist*2,emperor" --players 3 --deals 100 --records games.jsonl
        byzanz imitate strategist games.jsonl --out imitator.npz
        byzanz train --imitator imitator.npz --device cuda --minutes 20 --out strong
        """,
    )
    parser.add_argument("bot", metavar="BOT", help="name of the bot, without @2s or @800it")
    parser.add_argument(
        "records", nargs="+", type=Path, metavar="FILE",
        help="files of records, as written by 'byzanz arena --records'",
    )  # fmt: skip
    parser.add_argument(
        "--from", type=Path, metavar="WEIGHTS", dest="start",
        help="start from these weights (default: those of emperor)",
    )  # fmt: skip
    parser.add_argument(
        "--epochs", type=integer(1), default=2, metavar="E",
        help="passes over the decisions (default: 2)",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=integer(0, SEEDS - 1), default=1, metavar="S",
        help="random seed (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--device", choices=["cpu", "cuda"], default="cpu", help="device (default: cpu)"
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE.npz", help="file for the weights"
    )
    parser.set_defaults(run=_run)


@needs_pytorch
def _run(options: argparse.Namespace) -> int:
    from byzanz.network import SHIPPED, Weights  # noqa: PLC0415
    from byzanz.training.device import Device  # noqa: PLC0415
    from byzanz.training.imitation import decisions_of, imitate  # noqa: PLC0415
    from byzanz.training.model import Net  # noqa: PLC0415

    if options.out.suffix != ".npz":
        raise CommandError(f"the name of the weights file must end in .npz, not '{options.out}'")
    check_writable(str(options.out))
    console, device = CommandConsole(), Device(options.device)
    net = Net.from_weights(Weights.load(options.start or SHIPPED))
    with console.status("Reading records"):
        decisions = decisions_of(options.bot, options.records)
    console.print(f"{len(decisions)} decisions of {options.bot}")
    epochs = imitate(net, decisions, device, epochs=options.epochs, seed=options.seed)
    stats = {}
    with console.status("Training") as status:
        for epoch, (loss, accuracy) in enumerate(epochs, 1):
            status.update(f"Epoch {epoch} of {options.epochs}")
            stats = {"loss": round(loss, 4), "foreseen": round(accuracy, 4)}
            console.print(f"epoch {epoch}: validation accuracy {100 * accuracy:.1f} %")
    card = {"imitates": options.bot, "decisions": len(decisions), "epochs": options.epochs}
    net.to_weights(card | stats).save(options.out)
    return OK
