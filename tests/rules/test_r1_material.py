"""R1: the cards of the game."""

from __future__ import annotations

from collections import Counter

import pytest

from byzanz.rules import ALL_CARDS, COPIES, FACES, SETUPS, Card, Deal, Kind, in_order, worth
from byzanz.rules.cards import missing, shared, without

from .positions import TABLES, cards, play, table

GOODS = {
    "C": Kind.CLOTH,
    "G": Kind.GRAIN,
    "O": Kind.OLIVES,
    "S": Kind.SPICES,
    "T": Kind.WOOD,
    "W": Kind.WINE,
}


@pytest.mark.parametrize("good", GOODS)
def test_r1_1_each_good_has_sixteen_cards(good: str) -> None:
    of_good = Counter([card.name for card in ALL_CARDS if card.kind is GOODS[good]])
    assert of_good == {f"{good}1": 6, f"{good}2": 5, f"{good}3": 3, f"{good}4": 2}


def test_r1_1_there_are_ninety_six_goods_cards() -> None:
    assert len([card for card in ALL_CARDS if card.kind is not Kind.MERCHANT]) == 96


@pytest.mark.parametrize("good", GOODS)
@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_r1_1_a_goods_card_shows_its_good_and_value(good: str, value: int) -> None:
    card = Card[f"{good}{value}"]
    assert (card.kind, card.worth) == (GOODS[good], value)
    assert (str(card), str(card.kind), card.kind.letter) == (f"{good}{value}", good, good)


def test_r1_2_sixteen_merchants_of_value_0_make_it_112_cards() -> None:
    assert (Card.M.kind, Card.M.worth, str(Card.M)) == (Kind.MERCHANT, 0, "M")
    assert (str(Kind.MERCHANT), Kind.MERCHANT.letter) == ("M", "M")
    assert ALL_CARDS.count(Card.M) == 16
    assert len(ALL_CARDS) == 112


def test_r1_2_faces_in_order_with_their_number_of_copies() -> None:
    names = [f"{good}{value}" for good in "CGOSTW" for value in (1, 2, 3, 4)]
    assert [card.name for card in FACES] == [*names, "M"]
    assert COPIES == (6, 5, 3, 2) * 6 + (16,)
    assert list(ALL_CARDS) == sorted(ALL_CARDS)


@pytest.mark.parametrize("players", TABLES)
def test_r1_2_all_cards_are_shuffled_into_one_deck(players: int) -> None:
    deal = Deal.from_seed(players, 7)
    dealt = [card for hand in deal.hands for card in hand]
    assert Counter([*dealt, *deal.deck, *deal.removed]) == Counter(ALL_CARDS)
    assert list(deal.deck) != sorted(deal.deck)


def test_r1_3_offer_cards_are_numbered_1_to_6() -> None:
    numbers = {number for setup in SETUPS.values() for number in setup.offer_cards}
    assert numbers == {1, 2, 3, 4, 5, 6}


def test_r1_4_all_pay_into_one_market() -> None:
    hands = ["C1 W1 W1 W1", "G2 W1 W1 W2", "O3 W2 W2 W2"]
    state = table(3, hands, deck="S1 S1 S1 S2 S2 S2 T1 T1 T1 T1")
    state = play(state, "0 bid C1", "1 pass", "2 pass", "0 give S1", "0 discard S2")
    state = play(state, "1 pass", "2 bid O3", "2 give T1")
    assert state.market == cards("C1 O3 S1 T1")


def test_r1_cards_are_put_in_face_order() -> None:
    assert in_order(cards("M W4 C2 C1 G3 C2")) == cards("C1 C2 C2 G3 W4 M")
    assert in_order(iter(cards("T1 S4"))) == cards("S4 T1")
    assert in_order([]) == ()


def test_r1_cards_are_worth_the_sum_of_their_values() -> None:
    assert worth(cards("C1 G2 T3 W4 M M")) == 10
    assert worth(iter(cards("C4 C4"))) == 8
    assert worth(()) == 0


def test_r1_cards_without_some_lose_one_copy_each() -> None:
    assert without(cards("C1 C1 C2 M"), cards("C1 M")) == cards("C1 C2")
    assert without(cards("C1 G1"), ()) == cards("C1 G1")
    with pytest.raises(ValueError, match="not in list"):
        without(cards("C1"), cards("C1 C1"))


def test_r1_missing_cards_are_counted_by_copy() -> None:
    assert missing(cards("C1 C2 M"), cards("C1 C1 C2 G1")) == cards("C1 G1")
    assert missing(cards("C1 C1"), cards("C1 C1")) == ()
    assert missing((), cards("M")) == cards("M")


def test_r1_shared_cards_are_counted_by_copy() -> None:
    assert shared(cards("C1 C1 C2 M"), cards("C1 C2 C2 G1")) == cards("C1 C2")
    assert shared(cards("C1 C1"), cards("C1 C1 C1")) == cards("C1 C1")
    assert shared(cards("C1"), cards("M")) == ()
