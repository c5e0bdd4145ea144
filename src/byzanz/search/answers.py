"""Between what is thought about and what is played at the table."""

from __future__ import annotations

from byzanz.encoding import action_of
from byzanz.fast.convert import unpacked
from byzanz.rules import Action, Bid


def action_for(answer: int) -> Action:
    """The action that an answer is."""
    return (None if answer < 0 else action_of(answer)) or Bid(unpacked(-answer))
