"""Conversion of the search's moves to actions.

A move is one integer: an action number, or for a bid the negative of its packed cards. Unlike an
action number, a move is always a whole decision.
"""

from __future__ import annotations

from byzanz.encoding import action_of
from byzanz.fast.convert import unpacked
from byzanz.rules import Action, Bid


def action_for(move: int) -> Action:
    """Return the action of a move."""
    return (None if move < 0 else action_of(move)) or Bid(unpacked(-move))
