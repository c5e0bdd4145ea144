"""The bots as a person meets them: a name, and a sentence of character."""

from __future__ import annotations

from gettext import NullTranslations

from byzanz.locale import ENGLISH, _

from .cards import printable

_NAMES = {
    "random": _("Jester"),
    "novice": _("Novice"),
    "greedy": _("Moneybags"),
    "trader": _("Trader"),
    "strategist": _("Strategist"),
    "emperor": _("Emperor"),
}

_CHARACTERS = {
    "random": _("Does anything the rules allow, and does not think about it."),
    "novice": _("Learns with you: plausible, a little generous."),
    "greedy": _("Wants the most right now, and looks no further."),
    "trader": _("Knows what a lot is worth, and gives nothing away."),
    "strategist": _("Plays out many possible futures before every move."),
    "emperor": _("Has seen it all before, and forgives nothing."),
}

BOT_PERSONS = (
    "Theodora",
    "Niketas",
    "Anna",
    "Basil",
    "Irene",
    "Leo",
    "Zoe",
    "Michael",
    "Helena",
    "Alexios",
    "Euphemia",
    "Isaac",
)
"""What a table calls its bots: names of old Constantinople, the same in every language."""

_STRANGER = _("A bot from elsewhere: nobody knows its ways.")


def bot_name(name: str, words: NullTranslations = ENGLISH) -> str:
    """What people call the bot registered under this name; the name itself for one not ours."""
    return words.gettext(_NAMES[name]) if name in _NAMES else printable(name)


def bot_character(name: str, words: NullTranslations = ENGLISH) -> str:
    """A sentence that says what kind of player the bot registered under this name is."""
    return words.gettext(_CHARACTERS.get(name, _STRANGER))
