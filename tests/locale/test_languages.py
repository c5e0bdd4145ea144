"""The choice of a language for a reader."""

from __future__ import annotations

from gettext import NullTranslations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byzanz.locale import ENGLISH, LANGUAGES, best_language, load_translations, system_language


def test_five_languages_name_themselves() -> None:
    assert LANGUAGES == {
        "en": "English",
        "de": "Deutsch",
        "it": "Italiano",
        "nl": "Nederlands",
        "hu": "Magyar",
    }


def test_every_language_has_its_words_and_they_are_read_once() -> None:
    said = {code: load_translations(code).gettext("wine") for code in LANGUAGES}
    assert said == {"en": "wine", "de": "Wein", "it": "vino", "nl": "wijn", "hu": "bor"}
    assert load_translations("en") is ENGLISH
    assert all(load_translations(code) is load_translations(code) for code in LANGUAGES)


@pytest.mark.parametrize("code", ["fr", "", "DE", "../de", "de/../it"])
def test_a_language_that_is_not_ours_is_no_path(code: str) -> None:
    with pytest.raises(KeyError):
        load_translations(code)


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("DE-at", "de"),
        ("fr, hu;q=0.8, de;q=0.9", "de"),
        ("fr-FR,fr;q=0.9,nl;q=0.8,en;q=0.7", "nl"),
        ("it;q=0.5, nl;q=0.5", "it"),
        ("de;q=0, hu;q=0.001", "hu"),
        ("de;q=0", "en"),
        ("*", "en"),
        ("de ; q = 0.3 , it", "it"),
        ("de;q=2, it;q=0.1", "it"),
        ("de;q=, it;q=0.1", "it"),
        ("de;q=0.5;q=1, it;q=0.1", "it"),
        ("de;q=nan, it;q=0.1", "it"),
        ("de;q=²", "en"),
        (";;;,,,q=1,=", "en"),
    ],
)
def test_the_browser_gets_the_language_it_likes_best(accepted: str | None, code: str) -> None:
    assert best_language(accepted) == code


@given(st.text(alphabet="deithunlqQ=;,.-* 0123456789\x00é²"))
def test_no_header_does_harm(accepted: str) -> None:
    assert best_language(accepted) in LANGUAGES


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "it_IT"}, "it"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "it_IT", "LC_ALL": "hu_HU.UTF-8@x"}, "hu"),
        ({"LANG": "nl", "LC_ALL": ""}, "nl"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
    ],
)
def test_the_terminal_gets_the_language_of_its_environment(
    environment: dict[str, str], code: str
) -> None:
    assert system_language(environment) == code


def test_plural_forms_follow_each_language() -> None:
    def unknown(translations: NullTranslations, count: int) -> str:
        return translations.ngettext("{count} unknown", "{count} unknown", count).format(
            count=count
        )

    assert unknown(load_translations("it"), 1) == "1 sconosciuta"
    assert unknown(load_translations("it"), 2) == "2 sconosciute"
    assert unknown(load_translations("hu"), 1) == "1 ismeretlen"
    assert unknown(load_translations("hu"), 2) == "2 ismeretlen"
