"""Reasons about the hand limit (R6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from byzanz.rules import HAND_LIMIT, Cards

from .hands import SET_SIZE, most_sets
from .reason import Reason, speaks_against


def limit_reasons(hands: Iterable[Cards]) -> Iterator[Reason]:
    """Yield a reason if cards must be discarded, whichever of these hands is chosen.

    All hands have the same number of cards.
    """
    hands = list(hands)
    held = len(hands[0])
    over = held - SET_SIZE * max(map(most_sets, hands)) - HAND_LIMIT
    if over > 0:
        yield speaks_against("must-discard", over, held=held, count=over)
