"""What hands earn, and which cards are of least use."""

from __future__ import annotations

import pytest

from byzanz.coach.reasons.hands import best_give, is_wasteful
from byzanz.notation import parse_card
from byzanz.rules import Card, Cards, in_order


def hand(text: str) -> Cards:
    return in_order([parse_card(code) for code in text.split()])


@pytest.mark.parametrize(
    ("held", "offer", "given"),
    [
        ("C1 C4", "C2 W1 M", "W1"),  # neither the set nor the merchant
        ("T2 M", "C4 M", "C4"),  # a lone 4 rather than a merchant
        ("G1 O3", "O4 W1 W3 M", "W1"),
        ("S2 S4", "S1 M", "S1"),  # either makes the set
        ("C2", "C1 G1 T2", "G1"),  # a card of another kind than those in hand
        ("", "M M", "M"),
    ],
)
def test_the_gift_costs_no_set_and_is_of_least_use(held: str, offer: str, given: str) -> None:
    assert best_give(hand(held), hand(offer)) is Card[given]


def test_two_merchants_are_too_many_for_a_set_of_goods() -> None:
    for wasteful in ("W4 M M", "W1 M M", "W1 W1 M"):
        assert is_wasteful(hand(wasteful))
    for good in ("M M M", "W1 W4 M", "W1 W2 M", "W1 W1 W1"):
        assert not is_wasteful(hand(good))
