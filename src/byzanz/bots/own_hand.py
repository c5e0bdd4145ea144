"""Decisions that look only at the player's own cards."""

from __future__ import annotations

from byzanz.encoding.numbers import CONFIRM
from byzanz.fast import sensible, step
from byzanz.fast.convert import record_of
from byzanz.network.network import action_for
from byzanz.rules import Action, View


def own_hand_action(view: View, chance: int) -> Action:
    """Return the action of the compiled policy ``sensible`` for the viewer, who is to act.

    The policy maximises the value of its own hand and ignores what the others hold and want.
    ``chance`` is the random state.
    """
    record = record_of(view, chance)
    numbers: list[int] = []
    while not numbers or numbers[-1] < CONFIRM:
        numbers.append(int(sensible(record)))
        step(record, numbers[-1])
    return action_for(numbers)
