"""``byzanz train``: train a network by self-play."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from byzanz.training.command import add_arguments, run

from .arguments import add_command, extra_hint
from .exit_codes import CommandError

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "train",
        "train a network by self-play",
        "Train a network by letting it play against itself, its earlier snapshots and other "
        "opponents. This needs PyTorch. The run is stored in a folder and can be resumed. On a "
        "CPU, the same seed and the same number of updates give the same network.",
        """
        byzanz train --small --minutes 10 --out small
        byzanz train --device cuda --minutes 20 --out strong
        byzanz train --from strong/weights.npz --device cuda --minutes 25 --out stronger
        byzanz train --resume --minutes 40 --device cuda --out strong
        byzanz train --exploit strong/weights.npz --players 4 --device cuda --out response
        """,
    )
    add_arguments(parser)
    parser.set_defaults(run=needs_pytorch(run))


def needs_pytorch(
    work: Callable[[argparse.Namespace], int],
) -> Callable[[argparse.Namespace], int]:
    """Wrap a command so that missing PyTorch or unusable input raises CommandError."""

    def wrapped(options: argparse.Namespace) -> int:
        try:
            return work(options)
        except ModuleNotFoundError as error:
            if error.name != "torch":
                raise
            raise CommandError(f"training needs PyTorch; {extra_hint('train')}") from None
        except FileNotFoundError as error:
            raise CommandError(f"cannot read '{error.filename}': {error.strerror}") from None
        except ValueError as error:
            raise CommandError(str(error)) from None

    return wrapped
