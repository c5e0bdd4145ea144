"""Sentences: what people read about the game, made from codes and values.

Here refusals become sentences and a course of play becomes a story. Every function takes the
translations to speak with, English if none are given, and every text is marked for translation.
This room imports the standard library, :mod:`byzanz.rules` and :mod:`byzanz.notation`, and prints
nothing.
"""

from .explaining import explain
from .story import Storyteller, story
from .words import ENGLISH, card_name, card_names, kind_name, printable

__all__ = [
    "ENGLISH",
    "Storyteller",
    "card_name",
    "card_names",
    "explain",
    "kind_name",
    "printable",
    "story",
]
