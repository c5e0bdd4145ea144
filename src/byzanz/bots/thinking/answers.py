"""Between what is played at the table and what is thought about: views, answers, actions."""

from __future__ import annotations

from byzanz.encoding import action_of
from byzanz.fast import view_to_record, words_of
from byzanz.fast.bridge import unpacked
from byzanz.fast.words import Words
from byzanz.rules import Action, Bid, View


def words_for(view: View, chance: int = 0) -> Words:
    """A record that the view allows, as words, with this state of the generator."""
    words: Words = words_of(view_to_record(view, chance=chance))[0]
    return words


def action_for(answer: int) -> Action:
    """The action that an answer is."""
    return (None if answer < 0 else action_of(answer)) or Bid(unpacked(-answer))
