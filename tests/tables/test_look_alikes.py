"""Names that cannot be seen are refused, and names that look the same are known to."""

# ruff: noqa: RUF001 (look-alikes are what this module is about)

from __future__ import annotations

import pytest

from byzanz.tables import Declined, TableReason
from byzanz.tables.model.guests import checked_name
from byzanz.tables.model.look_alikes import skeleton

INVISIBLE = {
    "Hangul filler": "\u3164",
    "Hangul filler among letters": "An\u3164n",
    "halfwidth filler": "\uffa0",
    "Braille blank": "\u2800\u2800",
    "grapheme joiner": "A\u034fnn",
    "variation selector": "Ann\ufe0f",
    "variation selector of the supplement": "Ann\U000e0100",
    "zero-width space": "An\u200bn",
    "word joiner": "An\u2060n",
    "soft hyphen": "An\u00adn",
    "right-to-left override": "An\u202en",
    "isolate": "An\u2066n",
    "tag": "Ann\U000e0041",
    "line separator in a word": "\u2028",
    "control": "An\x07n",
    "a mark alone": "\u0301",
    "many marks": "A" + "\u0300\u0301\u0302\u0303" * 3,
}


@pytest.mark.parametrize("name", INVISIBLE.values(), ids=INVISIBLE)
def test_invisible_characters_are_refused(name: str) -> None:
    with pytest.raises(Declined) as declined:
        checked_name(name, 24)
    assert declined.value.reason is TableReason.BAD_NAME


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Enikő", "Enikő"),
        ("Eniko\u030b", "Enikő"),
        ("Ａｄａ", "Ada"),
        ("ﬁona", "fiona"),
        ("  Ada \u00a0 B.  ", "Ada B."),
        ("Анна", "Анна"),
        ("Ελένη", "Ελένη"),
        ("李小龍", "李小龍"),
        ("Ngọc", "Ngọc"),
        ("O'Neill-№7 😀", "O'Neill-No7 😀"),
    ],
)
def test_names_of_all_languages_are_kept_in_one_form(given: str, kept: str) -> None:
    assert checked_name(given, 24) == kept


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna", "Аnnа"), ("Pope", "Роре"), ("Alice", "AIice"), ("Bob", "B0b"), ("ANNA", "ΑΝΝΑ"),
     ("Ada", "A da"), ("Ada", "ada"), ("Carl", "Car1"), ("Amo", "Arno")],
)  # fmt: skip
def test_names_that_look_the_same_have_the_same_skeleton(one: str, other: str) -> None:
    assert one != other
    assert skeleton(one) == skeleton(other)


def test_names_that_look_different_have_different_skeletons() -> None:
    names = [
        "Ada",
        "Ida",
        "Ana",
        "Anna",
        "Änne",
        "Anne",
        "Анна",
        "Инна",
        "Ben",
        "Ben 2",
        "李",
        "龍",
    ]
    assert len(set(map(skeleton, names))) == len(names)
