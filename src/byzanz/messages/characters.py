"""The bots' names and descriptions, as players see them."""

from __future__ import annotations

from gettext import NullTranslations

from byzanz.locale import ENGLISH, _

from .cards import printable

_NAMES = {
    "random": _("Jester"),
    "novice": _("Novice"),
    "greedy": _("Grabber"),
    "trader": _("Trader"),
    "strategist": _("Strategist"),
    "emperor": _("Emperor"),
    "passive": _("Onlooker"),
}

_CHARACTERS = {
    "random": _("Does anything the rules allow, without a thought."),
    "novice": _("Still learning, like you: sensible, a little generous."),
    "greedy": _("Wants the most right now, and looks no further."),
    "trader": _("Knows what every lot is worth, and gives nothing away."),
    "strategist": _("Plays out many possible futures before every move."),
    "emperor": _("Has seen it all before, and forgives nothing."),
    "passive": _("Never bids, and lives on what the others leave."),
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
"""Personal names for the bots at a table, the same in every language."""

_UNKNOWN = _("A bot from elsewhere. Nobody knows how it plays.")


def bot_name(name: str, translations: NullTranslations = ENGLISH) -> str:
    """Return the display name of a built-in bot; any other name is returned as it is."""
    return translations.gettext(_NAMES[name]) if name in _NAMES else printable(name)


def bot_character(name: str, translations: NullTranslations = ENGLISH) -> str:
    """Return a sentence that describes how the bot plays."""
    return translations.gettext(_CHARACTERS.get(name, _UNKNOWN))
