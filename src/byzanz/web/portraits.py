"""The portraits of the players: those that people chose, those of the bots, and default ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from gettext import NullTranslations

from byzanz.locale import _
from byzanz.tables import AVATARS, Sitter

_NAMES = (
    _("Empress"),
    _("Emperor"),
    _("Monk"),
    _("Merchant"),
    _("Ship"),
    _("Peacock"),
    _("Lion"),
    _("Fish"),
    _("Owl"),
    _("Dove"),
    _("Amphora"),
    _("Lighthouse"),
)

_BOTS = {
    "random": 5, "passive": 4, "novice": 9, "greedy": 6, "trader": 3, "strategist": 8, "emperor": 1,
    "level1": 9, "level2": 7, "level3": 10, "level4": 11, "level5": 5,
    "level6": 6, "level7": 3, "level8": 8, "level9": 2, "level10": 0,
}  # fmt: skip
"""The portraits of the built-in bots; no two levels share one."""

_STEP = 5
"""The distance between neighbours' default portraits; it is coprime to AVATARS."""


_CACHED_TABLES = 1024


def bot_portrait(bot: str) -> int:
    """Return the number of a bot's portrait."""
    return _BOTS.get(bot, sum(bot.encode()) % AVATARS)


def portrait_name(number: int, translations: NullTranslations) -> str:
    """Return the name of what a portrait shows, such as "Owl"."""
    return translations.gettext(_NAMES[number])


def seat_portraits(table: str, sitters: Sequence[Sitter]) -> tuple[int, ...]:
    """Return the number of the portrait on each seat.

    A person has the portrait that they chose, or one that depends on table and seat. A bot has its
    own portrait, unless another seat has it already. Two people can choose the same portrait,
    but default portraits never repeat a chosen one.
    """
    return _portraits(table, tuple(sitters))


@lru_cache(_CACHED_TABLES)
def _portraits(table: str, sitters: tuple[Sitter, ...]) -> tuple[int, ...]:
    found = {sitter.seat: sitter.avatar for sitter in sitters if sitter.avatar is not None}
    people = [sitter for sitter in sitters if not _is_bot(sitter)]
    for sitter in [*people, *sitters]:
        if sitter.seat not in found:
            found[sitter.seat] = _first_free(_wishes(table, sitter), found.values())
    return tuple(found[seat] for seat in range(len(sitters)))


def default_number(table: str, seat: int, among: int) -> int:
    """Return a number below ``among`` for the seat, different for each seat of a table."""
    return (sum(table.encode()) + seat * _STEP) % among


def _wishes(table: str, sitter: Sitter) -> list[int]:
    first = default_number(table, sitter.seat, AVATARS)
    wishes = [(first + step) % AVATARS for step in range(AVATARS)]
    return [bot_portrait(sitter.bot), *wishes] if _is_bot(sitter) and sitter.bot else wishes


def _is_bot(sitter: Sitter) -> bool:
    """Return whether the seat belongs to a bot that is not just standing in."""
    return sitter.bot is not None and sitter.name is None and not sitter.standing_in


def _first_free(wishes: Iterable[int], taken: Iterable[int]) -> int:
    used = set(taken)
    return next(number for number in wishes if number not in used)
