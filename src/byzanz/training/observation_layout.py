"""The layout of an observation: all inputs of one decision in one row of bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from byzanz.encoding import FEATURES, NUMBERS
from byzanz.fast.layout import SEATS

if TYPE_CHECKING:
    import torch


def aligned(count: int) -> int:
    """Round up to a multiple of 8, a width that GPUs copy and multiply faster."""
    return -(-count // 8) * 8


ROW = aligned(FEATURES)
"""Length of the features, which come first and are padded with zeros."""
MASK = ROW
"""Where the legal-action mask begins."""
CATEGORIES = MASK + NUMBERS
"""Where the categories begin: for each slot, which kind of player sits there."""
SEAT = CATEGORIES + SEATS
"""Index of the seat whose turn it is."""
POLICY = SEAT + 1
"""Index of the id of the policy that is to act."""
OBSERVATION = aligned(POLICY + 1)
"""Length of an observation."""


def parts(observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the features, the masks and the categories of observations."""
    return (
        observations[:, :ROW],
        observations[:, MASK:CATEGORIES],
        observations[:, CATEGORIES:SEAT],
    )
