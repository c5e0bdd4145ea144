"""What people can say at a table, in the reader's language."""

from __future__ import annotations

from gettext import NullTranslations

from byzanz.locale import ENGLISH, _

REACTIONS = {
    "smile": _("smiles"),
    "laugh": _("laughs"),
    "applause": _("applauds"),
    "surprise": _("is surprised"),
    "thinking": _("is thinking"),
    "tears": _("sheds a tear"),
}
"""The English text of each reaction, which pages show as a picture."""

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
    """Return the text of a phrase; for a reaction, what the person does, such as "laughs"."""
    return translations.gettext(REACTIONS.get(phrase) or PHRASES[phrase])
