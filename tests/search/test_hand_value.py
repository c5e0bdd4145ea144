from __future__ import annotations

from byzanz.fast.convert import packed
from byzanz.rules import Card
from byzanz.search.hand_value import POINTS, hand_value
from byzanz.search.trader_parameters import hand_values, parameters
from byzanz.search.trader_policy import EXCESS
from tests.rules.positions import cards

EARLY, LAST, AFTER = 4, 1, 0


def value(hand: str, stage: int = EARLY) -> int:
    held = cards(hand)
    excess = parameters(4)[EXCESS]
    return int(hand_value(hand_values(), excess, stage, packed(held), held.count(Card.M)))


def test_a_hand_is_worth_its_sets_and_less_for_incomplete_ones() -> None:
    assert value("C1 C2 C4") == 4 * POINTS
    assert (
        min(value("C4 M M"), value("C1 C4 M")) >= 4 * POINTS
    )  # merchants in hand may be worth more than the set
    assert value("M M M") >= 5 * POINTS
    assert value("C4 C3") > value("C4 W3") > value("C1 W1") > value("")
    assert value("M") > value("C4")


def test_towards_the_end_only_sets_count() -> None:
    assert value("C4 C3 C1") == value("C4 C3 C1", LAST) == value("C4 C3 C1", AFTER)
    assert value("C4 C3") > value("C4 C3", LAST) > value("C4 C3", AFTER) == 0


def test_cards_above_the_limit_that_no_sale_clears_cost_points() -> None:
    full = "C4 C3 G4 G3 O4 O3 S1"
    assert value(full + " T1") < value(full)
    assert value("C1 " + full) > value(full)
