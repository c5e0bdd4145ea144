"""What the page suggests to sell and to discard."""

from __future__ import annotations

from byzanz.notation import parse_card
from byzanz.rules import Cards, in_order
from byzanz.web.advice import best_of_each_good, least_useful


def hand(text: str) -> Cards:
    return in_order([parse_card(code) for code in text.split()])


def test_two_sets_that_share_a_merchant_are_both_shown() -> None:
    sets = best_of_each_good(hand("C1 C4 W2 W4 M G1 S1 T1"))
    assert {sale.cards for sale in sets} == {hand("C1 C4 M"), hand("W2 W4 M")}


def test_a_low_card_that_is_alone_is_missed_least_and_a_four_is_not() -> None:
    assert str(least_useful(hand("C4 G1 G1 O2 S3 T2 T2 W4"))) == "O2"
    assert str(least_useful(hand("C4 G4 O4 O4 S3 S3 T4 W2"))) == "W2"


def test_no_card_of_a_set_and_no_merchant_is_suggested() -> None:
    assert str(least_useful(hand("C1 C1 C2 M W3 O4 S4 T4"))) == "W3"
    assert least_useful(hand("C1 C1 C2 M M M")) is None
