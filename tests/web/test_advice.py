"""What the page suggests to sell and to discard."""

from __future__ import annotations

from byzanz.notation import parse_card
from byzanz.rules import Cards, in_order
from byzanz.web.advice import best_of_each_good, gains, least_useful, market_gains


def hand(text: str) -> Cards:
    return in_order([parse_card(code) for code in text.split()])


def test_two_sets_that_share_a_merchant_are_both_shown() -> None:
    sets = best_of_each_good(hand("C1 C4 W2 W4 M G1 S1 T1"))
    assert {sale.cards for sale in sets} == {hand("C1 C4 M"), hand("W2 W4 M")}


def test_a_low_single_card_is_least_useful_and_a_four_is_not() -> None:
    assert str(least_useful(hand("C4 G1 G1 O2 S3 T2 T2 W4"))) == "O2"
    assert str(least_useful(hand("C4 G4 O4 O4 S3 S3 T4 W2"))) == "W2"


def test_no_card_of_a_set_and_no_merchant_is_suggested() -> None:
    assert str(least_useful(hand("C1 C1 C2 M W3 O4 S4 T4"))) == "W3"
    assert least_useful(hand("C1 C1 C2 M M M")) is None


def test_a_kind_of_the_offer_that_completes_a_set_gains_its_profit() -> None:
    offer = hand("O2 S3 T1 M")
    assert gains(hand("O1 O4 S1 C2"), offer) == (("O", 4), ("S", 3), ("M", 3))
    assert gains(hand("O1 S4 C2"), hand("O2 O3 S1")) == (("O", 3),)


def test_a_kind_gains_only_what_it_adds_to_the_sets_of_the_hand() -> None:
    assert gains(hand("C2 M M"), hand("M T1")) == (("M", 5),)
    assert gains(hand("G1 G2 G4 W1 W1 M M"), hand("W4 S3")) == (("W", 4),)
    assert gains(hand("O2 M M"), hand("G2 O1 S2 T1 T3")) == (("O", 2), ("T", 3))
    assert gains(hand("C3 C4 G2 G2 M"), hand("G4 M")) == (("G", 4),)


def test_cards_that_make_two_sets_of_a_good_gain_what_both_add_to_one_in_the_hand() -> None:
    assert gains(hand("W2 W3 W3 M"), hand("W1 W3 C2 G1")) == (("W", 3),)
    assert gains(hand("G4 G4 C4 M M"), hand("G2 G3 S1 T2")) == (("G", 4),)
    assert gains(hand("G4 G4 C2 C4 M M"), hand("C1 G2 G3 S1")) == (("C", 4), ("G", 4))


def test_a_merchant_in_the_hand_does_not_complete_many_sets_at_once() -> None:
    assert gains(hand("G1 O4 S2 M"), hand("C3 O1 S1 T2")) == (("O", 4),)


def test_a_whole_set_in_the_offer_is_marked() -> None:
    assert gains(hand("O1 S2"), hand("W1 W2 W4 T1")) == (("W", 4),)


def test_a_card_that_the_winner_would_give_is_not_marked() -> None:
    assert gains(hand("O1 O4"), hand("O2 W3 W3")) == (("O", 4),)
    assert gains(hand("O1 S2"), hand("W1 W2 W4")) == ()  # one of the three goes to the market


def test_sets_that_waste_merchants_are_suggested_only_in_the_final_sale() -> None:
    for wasteful in ("W1 M M", "W3 M M", "W4 M M", "W1 W1 M"):
        assert best_of_each_good(hand(wasteful)) == ()
        assert [sale.cards for sale in best_of_each_good(hand(wasteful), final=True)] == [
            hand(wasteful)
        ]
        assert gains(hand("M M"), hand("W1 T1")) == ()
    for good in ("W1 W4 M", "W1 W2 M", "M M M"):
        assert [sale.cards for sale in best_of_each_good(hand(good))] == [hand(good)]


def test_only_sets_that_can_be_sold_together_are_suggested_in_the_final_sale() -> None:
    cards = hand("G2 S2 W2 M M M")
    assert [sale.cards for sale in best_of_each_good(cards, final=True)] == [hand("M M M")]


def test_a_kind_that_adds_no_profit_gains_nothing() -> None:
    assert gains(hand("O1 O1 O4"), hand("O4 T1")) == ()
    assert gains(hand("O1 G1"), hand("W1 T1")) == ()


def test_a_four_with_two_merchants_does_not_hide_a_set_with_one() -> None:
    cards = hand("C2 C3 W4 M M")
    assert [sale.cards for sale in best_of_each_good(cards)] == [hand("C2 C3 M")]
    assert [sale.cards for sale in best_of_each_good(cards, final=True)] == [hand("W4 M M")]
    assert gains(hand("C2 W4 M M"), hand("C3 T1")) == (("C", 3),)


def test_a_kind_of_the_market_gains_what_its_cards_add_to_the_sets() -> None:
    market = hand("C2 O1 O3 S4 W1 W2 W3 M")
    assert market_gains(hand("C4 C1 O2"), market) == (("C", 4), ("O", 3), ("W", 3), ("M", 4))
    assert market_gains(hand("S1 S2 S3 S3 T1"), market) == (("S", 1), ("W", 3))
    assert market_gains(hand("T1"), hand("C1 O1 M")) == ()
    assert market_gains(hand("M M"), hand("M G1")) == (("M", 5),)
