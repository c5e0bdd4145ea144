"""Sentences: what people read about the game, made from codes and values.

Here refusals become sentences and a course of play becomes a story. Every function takes the
translations to speak with, English if none are given, and every text is marked for translation.
This room imports the standard library, :mod:`byzanz.locale`, :mod:`byzanz.rules` and
:mod:`byzanz.notation`, and prints nothing.
"""

from byzanz.locale import ENGLISH

from .cards import card_name, card_names, kind_name, printable
from .characters import BOT_PERSONS, bot_character, bot_name
from .game_log import Storyteller, story
from .refusals import explain
from .table_refusals import explain_table

__all__ = [
    "BOT_PERSONS",
    "ENGLISH",
    "Storyteller",
    "bot_character",
    "bot_name",
    "card_name",
    "card_names",
    "explain",
    "explain_table",
    "kind_name",
    "printable",
    "story",
]
