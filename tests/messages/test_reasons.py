"""Sentences of the coach's reasons."""

from __future__ import annotations

import pytest

from byzanz.locale import load_translations
from byzanz.messages import REASON_TEXTS, reason_text

NAMES = ["Ada", "An\x1bna"]


def test_cards_and_names_are_written_out() -> None:
    said = {"seat": 1, "profit": 4, "cards": ["O1", "O4", "M"]}
    text = reason_text("market-left-to-other", said, NAMES)
    assert text == (
        "An\N{REPLACEMENT CHARACTER}na could then make a set worth 4 from the market: "
        "olives 1, olives 4, merchant."
    )
    german = reason_text("market-left-to-other", said, NAMES, load_translations("de"))
    assert german.endswith("einen Satz für 4 bekommen: Oliven 1, Oliven 4, Händler.")


@pytest.mark.parametrize(
    ("count", "english", "italian"),
    [
        (1, "The set uses up a merchant.", "La serie consuma un mercante."),
        (2, "The set uses up 2 merchants.", "La serie consuma 2 mercanti."),
    ],
)
def test_a_sentence_that_counts_has_the_form_for_the_number(
    count: int, english: str, italian: str
) -> None:
    said = {"count": count}
    assert reason_text("sale-merchants", said, NAMES) == english
    assert reason_text("sale-merchants", said, NAMES, load_translations("it")) == italian


def test_a_code_without_a_sentence_is_an_error() -> None:
    assert "no-such-reason" not in REASON_TEXTS
    with pytest.raises(KeyError):
        reason_text("no-such-reason", {}, NAMES)
