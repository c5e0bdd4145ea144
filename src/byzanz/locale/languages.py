"""The languages, their catalogues, and the choice of one."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "it": "Italiano",
    "nl": "Nederlands",
    "hu": "Magyar",
}
"""The languages by their code, each with its own name for itself."""

DEFAULT = "en"
"""The language of whoever asks for none of ours."""

ENGLISH = NullTranslations()
"""The language the texts are written in."""

_QUALITY = re.compile(r"\s*q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*", re.IGNORECASE)


def _(text: str) -> str:
    """Marks a text for translation where it stands; it is translated where it is used."""
    return text


@cache
def translations(code: str) -> NullTranslations:
    """The translations into a language; raises KeyError for a code not in LANGUAGES."""
    LANGUAGES[code]  # a code may come from anywhere, and names a folder below
    if code == DEFAULT:
        return ENGLISH
    return translation("byzanz", Path(__file__).parent, [code])


def best_language(accepted: str | None) -> str:
    """The code of the language that an Accept-Language header likes best of those there are.

    What is malformed in the header counts for nothing.
    """
    best, liking = DEFAULT, 0.0
    for part in (accepted or "").split(","):
        tag, _semicolon, parameters = part.partition(";")
        code = _code(tag)
        if code is not None and (liked := _quality(parameters)) > liking:
            best, liking = code, liked
    return best


def system_language(environment: Mapping[str, str] = os.environ) -> str:
    """The code of the language that the environment of a terminal asks for."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return _code(environment[name]) or DEFAULT
    return DEFAULT


def _code(tag: str) -> str | None:
    """The language of a tag such as ``de``, ``de-AT`` or ``de_AT.UTF-8``, if it is one of ours."""
    code = tag.strip().lower().replace("_", "-").replace(".", "-").replace("@", "-").split("-")[0]
    return code if code in LANGUAGES else None


def _quality(parameters: str) -> float:
    """How much a language is liked, from 0 to 1; 0 where that is malformed."""
    if not parameters.strip():
        return 1.0
    found = _QUALITY.fullmatch(parameters)
    return float(found[1]) if found else 0.0
