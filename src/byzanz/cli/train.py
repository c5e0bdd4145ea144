"""``byzanz train``: a network learns the game by itself."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from byzanz.training.command import add_arguments, run

from .arguments import command
from .exit_codes import Unusable

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """The command is known."""
    parser = command(
        commands,
        "train",
        "let a network learn the game by itself",
        "Let a network learn by playing itself, its past and a league of other players. It needs "
        "PyTorch: pip install 'byzanz[train]'. What it learnt is kept in a folder and can be gone "
        "on with; on a CPU the same seed and number of lessons give the same network again.",
        """
        byzanz train --small --minutes 10 --out learning
        byzanz train --device cuda --minutes 20 --out strong
        byzanz train --from strong/weights.npz --device cuda --minutes 25 --out stronger
        byzanz train --resume --minutes 40 --device cuda --out strong
        byzanz train --exploit strong/weights.npz --players 4 --device cuda --out exploiter
        """,
    )
    add_arguments(parser)
    parser.set_defaults(run=pytorch_needed(run))


def pytorch_needed(
    work: Callable[[argparse.Namespace], int],
) -> Callable[[argparse.Namespace], int]:
    """The same work; where PyTorch is missing or what was given is of no use, it says so."""

    def told(options: argparse.Namespace) -> int:
        try:
            return work(options)
        except ModuleNotFoundError as error:
            if error.name != "torch":
                raise
            raise Unusable("training needs PyTorch: pip install 'byzanz[train]'") from None
        except FileNotFoundError as error:
            raise Unusable(f"cannot read '{error.filename}': {error.strerror}") from None
        except ValueError as error:
            raise Unusable(str(error)) from None

    return told
