"""Names that cannot be seen, or that look like another name."""

# ruff: noqa: RUF001 (look-alikes are what this module is about)

from __future__ import annotations

import unicodedata

_BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f")
"""Characters that count as letters, signs or marks but show nothing."""
_MOST_MARKS = 2
"""The maximum number of marks on one letter."""

_LOOK_ALIKES = {
    **dict(zip("АВЕЅІЈКМНОРСТХѴаеѕіјорсухѵһԁԛԝ", "ABESIJKMHOPCTXVaesijopcyxvhdqw", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορυχκ", "ABEZHIKMNOPTYXaivopuxk", strict=True)),
    **dict(zip("ıɑɡ", "iag", strict=True)),
    **dict(zip("0156", "olsb", strict=True)),
    **dict(zip("Il|¦", "llll", strict=True)),
}
"""Letters and digits that look like another letter: Cyrillic, Greek, and a few more."""
_TABLE = str.maketrans(_LOOK_ALIKES)


def is_visible(name: str) -> bool:
    """Return whether every character of the name shows something.

    Control characters, characters that change the direction of writing, characters that show
    nothing, and letters with many marks are not allowed.
    """
    marks = 0
    for place, letter in enumerate(name):
        if not letter.isprintable() or letter in _BLANK or _selects_variant(letter):
            return False
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if marks > _MOST_MARKS or (marks and not place):
            return False
    return True


def skeleton(name: str) -> str:
    """Return a text that is the same for names that look the same."""
    shown = unicodedata.normalize("NFKC", name).translate(_TABLE)
    letters = unicodedata.normalize("NFKD", shown.casefold())
    return "".join(letter for letter in letters if letter != " ").replace("rn", "m")


def _selects_variant(letter: str) -> bool:
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
