"""The languages, their catalogues, and the choice of a language."""

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
"""The name of each language in that language, by code."""

DEFAULT = "en"
"""The language for readers who ask for none of these languages."""

ENGLISH = NullTranslations()
"""Translations that return each text unchanged, because the texts are written in English."""

_QUALITY = re.compile(r"\s*q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*", re.IGNORECASE)


def _(text: str) -> str:
    """Mark a text for extraction and return it unchanged; it is translated where it is used."""
    return text


@cache
def load_translations(code: str) -> NullTranslations:
    """Return the translations of a language; raises KeyError for a code not in LANGUAGES."""
    LANGUAGES[code]  # checked first, because the code names a folder and may be untrusted
    if code == DEFAULT:
        return ENGLISH
    return translation("byzanz", Path(__file__).parent, [code])


def best_language(accepted: str | None) -> str:
    """Return the code of the language that an Accept-Language header prefers.

    Malformed parts of the header are ignored.
    """
    best, highest = DEFAULT, 0.0
    for part in (accepted or "").split(","):
        tag, _semicolon, parameters = part.partition(";")
        code = _code(tag)
        if code is not None and (quality := _quality(parameters)) > highest:
            best, highest = code, quality
    return best


def system_language(environment: Mapping[str, str] = os.environ) -> str:
    """Return the code of the language that the environment variables ask for."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return _code(environment[name]) or DEFAULT
    return DEFAULT


def _code(tag: str) -> str | None:
    """Return the language of a tag such as ``de-AT`` or ``de_AT.UTF-8``, or None if unknown."""
    code = tag.strip().lower().replace("_", "-").replace(".", "-").replace("@", "-").split("-")[0]
    return code if code in LANGUAGES else None


def _quality(parameters: str) -> float:
    """Return the quality value, from 0 to 1: 1 if none is given, 0 if it is malformed."""
    if not parameters.strip():
        return 1.0
    found = _QUALITY.fullmatch(parameters)
    return float(found[1]) if found else 0.0
