"""The bots' names and descriptions, as players see them."""

from __future__ import annotations

from gettext import NullTranslations

from byzanz.locale import ENGLISH, _

from .cards import printable

_NAMES = {
    "random": _("Jester"),
    "passive": _("Onlooker"),
    "novice": _("Novice"),
    "greedy": _("Grabber"),
    "trader": _("Trader"),
    "strategist": _("Strategist"),
    "emperor": _("Emperor"),
    "level1": _("Apprentice"),
    "level2": _("Fisher"),
    "level3": _("Baker"),
    "level4": _("Innkeeper"),
    "level5": _("Weaver"),
    "level6": _("Goldsmith"),
    "level7": _("Silk merchant"),
    "level8": _("Banker"),
    "level9": _("Treasurer"),
    "level10": _("Empress"),
}

_CHARACTERS = {
    "random": _("Does anything the rules allow, without a thought."),
    "passive": _("Never bids, and takes what the others leave."),
    "novice": _("Still learning, like you: sensible, a little generous."),
    "greedy": _("Wants the most right now, and looks no further."),
    "trader": _("Knows what every lot is worth, and gives nothing away."),
    "strategist": _("Plays out many possible futures before every move."),
    "emperor": _("Has seen it all before, and forgives nothing."),
    "level1": _("For a first game: bids shyly, and sells every set at once."),
    "level2": _("Looks mostly at their own cards, and gives way to a higher bid."),
    "level3": _("Loves a bargain, and is easily outbid."),
    "level4": _("Collects patiently, but sometimes sells too soon."),
    "level5": _("Pays a fair price, and often forgets what the others collect."),
    "level6": _("Watches the others most of the time."),
    "level7": _("Seldom pays too much, and seldom helps a rival."),
    "level8": _("Thinks of the market before bidding, with few slips."),
    "level9": _("Hardly ever makes a mistake."),
    "level10": _("Plays out many futures before every move: the strongest of all."),
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
    """Return the display name of a built-in bot; for any other name, the name made printable."""
    return translations.gettext(_NAMES[name]) if name in _NAMES else printable(name)


def bot_character(name: str, translations: NullTranslations = ENGLISH) -> str:
    """Return a sentence that describes how the bot plays."""
    return translations.gettext(_CHARACTERS.get(name, _UNKNOWN))
