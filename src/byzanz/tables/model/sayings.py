"""What people can say at a table: reactions and phrases from a translated list."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Phrase(StrEnum):
    """What people can say. The value is the code for programs."""

    # reactions
    SMILE = "smile"
    LAUGH = "laugh"
    APPLAUSE = "applause"
    SURPRISE = "surprise"
    THINKING = "thinking"
    TEARS = "tears"

    # phrases
    HELLO = "hello"
    GOOD_LUCK = "good-luck"
    WELL_PLAYED = "well-played"
    THANKS = "thanks"
    SORRY = "sorry"
    OUCH = "ouch"
    TOO_DEAR = "too-dear"
    BARGAIN = "bargain"
    MINE = "mine"
    ONE_MOMENT = "one-moment"
    YOUR_TURN = "your-turn"
    AGAIN = "again"
    GOODBYE = "goodbye"


_FIRST_PHRASE = 6
REACTIONS, PHRASES = tuple(Phrase)[:_FIRST_PHRASE], tuple(Phrase)[_FIRST_PHRASE:]
"""The reactions, which pages show as pictures, and the phrases."""


class Saying(Struct, frozen=True):
    """Something that a person said."""

    number: int
    """From 0, in the order in which people spoke."""
    at: float
    """In seconds since 1970."""
    seat: int
    phrase: Phrase
