"""The catalogues are complete, current and compiled, and match the English texts."""

from __future__ import annotations

import re

import pytest
from babel.messages import Catalog
from scripts.catalogues import as_text, catalogue, compiled, extracted, path, strings, updated

from byzanz.locale import LANGUAGES

TRANSLATED = [code for code in LANGUAGES if code != "en"]

ALLOWED_AS_IN_ENGLISH = {
    "Bot": {"de", "it", "nl", "hu"},
    "Byzanz, round %(number)s": {"it"},
    "Coach": {"de", "it", "nl"},
    "Enter": {"de", "nl", "hu"},
    "Esc": {"de", "it", "nl", "hu"},
    "Lobby": {"de", "it", "nl"},
    "Menu": {"nl"},
    "Password": {"it"},
    "Rating": {"nl"},
    "Replay": {"it"},
    "Round": {"it"},
    "Round %(number)s": {"it"},
    "Round {number}": {"it"},
    "Sorry!": {"nl"},
    "Tips": {"nl"},
    "no": {"it"},
    "{hours} h {minutes} min": {"de", "it"},
    "{minutes} min": {"de", "it", "nl"},
}
"""Texts whose translation is the same as the English text in some languages."""

PLACEHOLDER = re.compile(r"\{\w*\}|%\(\w+\)s")
TYPED = re.compile(r"'(?:bid|pass|give|take|sell|discard|done)\b[^']*'")
ENDS = re.compile(r"[.:!?…]?$")


@pytest.fixture(scope="module")
def texts() -> Catalog:
    return extracted()


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_catalogue_holds_the_texts_of_the_source_and_no_others(
    code: str, texts: Catalog
) -> None:
    assert as_text(updated(code, texts)) == path(code, "po").read_bytes(), "run 'make catalogues'"


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_compiled_catalogue_is_the_text_compiled(code: str, texts: Catalog) -> None:
    assert compiled(updated(code, texts)) == path(code, "mo").read_bytes(), "run 'make catalogues'"


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_text_is_translated_and_none_is_doubtful(code: str) -> None:
    missing = [text.id for text in catalogue(code) if text.fuzzy or not all(strings(text))]
    assert not missing


@pytest.mark.parametrize("code", TRANSLATED)
def test_no_text_is_left_in_english(code: str) -> None:
    for text, translated in pairs(code):
        if translated == text and re.search(r"[^\W\d_]", PLACEHOLDER.sub("", text)):
            assert code in ALLOWED_AS_IN_ENGLISH.get(text, ()), text


def test_what_is_allowed_to_be_as_in_english_is() -> None:
    for text, codes in ALLOWED_AS_IN_ENGLISH.items():
        for code in codes:
            assert (text, text) in pairs(code), (code, text)


@pytest.mark.parametrize("code", TRANSLATED)
def test_placeholders_are_those_of_the_english(code: str) -> None:
    for message in catalogue(code):
        forms = message.id if isinstance(message.id, tuple) else (message.id,)
        wanted = [sorted(PLACEHOLDER.findall(form)) for form in forms]
        *single, plural = [sorted(PLACEHOLDER.findall(form)) for form in strings(message)]
        assert plural == wanted[-1], message.id
        assert all(form in wanted for form in single), message.id


@pytest.mark.parametrize("code", TRANSLATED)
def test_what_is_typed_and_how_a_text_ends_stay_the_same(code: str) -> None:
    for text, translated in pairs(code):
        assert sorted(TYPED.findall(text)) == sorted(TYPED.findall(translated)), translated
        assert ENDS.search(text)[0] == ENDS.search(translated)[0], translated  # type: ignore[index]
        assert translated == translated.strip(), translated


def pairs(code: str) -> list[tuple[str, str]]:
    """Return pairs of each text and each of its translations."""
    return [
        (message.id[-1] if isinstance(message.id, tuple) else message.id, translated)
        for message in catalogue(code)
        for translated in strings(message)
        if message.id
    ]
