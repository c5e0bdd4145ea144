"""Compiled code that samples worlds: random deals of the cards that a player has not seen."""

from __future__ import annotations

from byzanz.fast import deal_unseen, layout
from byzanz.fast.jit import part
from byzanz.fast.layout import Record
from byzanz.fast.worlds import copy_game


@part
def sample_world(root: Record, seat: int, world: Record) -> None:
    """Copy the root to ``world``, and deal at random the cards that the seat has not seen.

    Advances the root's random state, so the next call samples another world.
    """
    copy_game(root, world)
    deal_unseen(world, seat)
    root[layout.CHANCE] = world[layout.CHANCE]
