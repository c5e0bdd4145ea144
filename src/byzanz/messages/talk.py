"""What people can say at a table, in the reader's language."""

from __future__ import annotations

from gettext import NullTranslations

from byzanz.locale import ENGLISH, _

REACTIONS = {
    "smile": ("\N{SLIGHTLY SMILING FACE}", _("smiles")),
    "laugh": ("\N{FACE WITH TEARS OF JOY}", _("laughs")),
    "applause": ("\N{CLAPPING HANDS SIGN}", _("applauds")),
    "surprise": ("\N{FACE WITH OPEN MOUTH}", _("is surprised")),
    "thinking": ("\N{THINKING FACE}", _("is thinking")),
    "tears": ("\N{CRYING FACE}", _("sheds a tear")),
}
"""The picture of each reaction, and what it says to those who cannot see it."""

PHRASES = {
    "hello": _("Hello!"),
    "good-luck": _("Good luck!"),
    "well-played": _("Well played!"),
    "thanks": _("Thank you!"),
    "sorry": _("Sorry!"),
    "ouch": _("Ouch!"),
    "too-dear": _("Too expensive for me."),
    "bargain": _("What a bargain!"),
    "mine": _("I wanted that!"),
    "one-moment": _("One moment, please."),
    "your-turn": _("Your turn!"),
    "again": _("Another game?"),
    "goodbye": _("Goodbye!"),
}
"""The English text of each phrase."""


def phrase_text(phrase: str, translations: NullTranslations = ENGLISH) -> str:
    """Return a phrase in words; a reaction as what the person does, such as "laughs"."""
    text = REACTIONS[phrase][1] if phrase in REACTIONS else PHRASES[phrase]
    return translations.gettext(text)


def phrase_picture(phrase: str) -> str:
    """Return the picture of a reaction; empty for a phrase."""
    return REACTIONS[phrase][0] if phrase in REACTIONS else ""
