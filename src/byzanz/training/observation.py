"""What is seen at a choice, packed into one row of bytes: it is kept and fetched at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from byzanz.encoding import FEATURES, NUMBERS
from byzanz.fast.layout import SEATS

if TYPE_CHECKING:
    import torch


def aligned(count: int) -> int:
    """The next multiple of 8: a GPU copies and multiplies what has such widths faster."""
    return -(-count // 8) * 8


ROW = aligned(FEATURES)
"""Features come first, and zeros up to here."""
MASK = ROW
CATEGORIES = MASK + NUMBERS
"""From here, by slot: who sits there."""
SEAT = CATEGORIES + SEATS
"""The seat on turn."""
KIND = SEAT + 1
"""Of what kind it is."""
SIGHT = aligned(KIND + 1)
"""Bytes of a sight: whole words."""


def parts(sights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The features, the masks and the categories of some sights."""
    return sights[:, :ROW], sights[:, MASK:CATEGORIES], sights[:, CATEGORIES:SEAT]
