"""R5: the sets in a hand and the best way to sell it, compared with brute force."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

import pytest

from byzanz.rules import ALL_CARDS, Card, Cards, Kind, Sell, best_sales, kept, profit, sets_in
from byzanz.rules.sets import SET_SIZE, one_good

from .positions import cards


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    """Clear the caches before each test."""
    sets_in.cache_clear()
    best_sales.cache_clear()


def is_set(three: Cards) -> bool:
    return len({card.kind for card in three if card is not Card.M}) < 2


def rest_of(hand: Cards, three: Cards) -> Cards:
    rest = list(hand)
    for card in three:
        rest.remove(card)
    return tuple(rest)


def brute_sets(hand: Cards) -> set[Cards]:
    return {three for three in combinations(hand, 3) if is_set(three)}


def earned(three: Cards) -> int:
    return max([card.worth for card in three]) or 5


def left(rest: Cards, last: bool) -> tuple[int, ...]:
    merchants = rest.count(Card.M)
    goods = len(rest) - merchants
    return (goods,) if last else (merchants, sum(card.worth for card in rest))


@cache
def brute_merit(hand: Cards, last: bool) -> tuple[int, ...]:
    """Return the best merit over all ways to sell, one set after another."""
    found = [(0, *left(hand, last))]
    for three in brute_sets(hand):
        gain, *measures = brute_merit(rest_of(hand, three), last)
        found.append((gain + earned(three), *measures))
    return max(found)


def merit(hand: Cards, sales: tuple[Sell, ...], last: bool) -> tuple[int, ...]:
    gain = 0
    for sale in sales:
        assert len(sale.cards) == 3
        assert is_set(sale.cards)
        gain += earned(sale.cards)
        hand = rest_of(hand, sale.cards)
    return (gain, *left(hand, last))


def hands(count: int, pool: Cards, seed: int, largest: int = 11) -> list[Cards]:
    chance = random.Random(seed)
    return [tuple(sorted(chance.sample(pool, chance.randint(0, largest)))) for _ in range(count)]


NARROW = cards("C1 C1 C2 C2 C3 C4 G1 G1 G2 G3 G4 G4 M M M M M M")
"""A deck of two goods and many merchants: most hands from it have several sets."""

HANDS = [
    *hands(200, ALL_CARDS, seed=1),
    *hands(250, NARROW, seed=2, largest=10),
    *hands(100, NARROW + cards("O1 O1 O2 O3 O4 S1 S2 S3"), seed=3),
]


def test_r5_1_the_sets_of_a_hand_match_brute_force() -> None:
    for hand in HANDS:
        found = sets_in(hand)
        assert len(found) == len(set(found))
        assert {sale.cards for sale in found} == brute_sets(hand)


@pytest.mark.parametrize(
    ("hand", "sets"),
    [
        ("", []),
        ("C1 C2", []),
        ("C1 C2 G1", []),
        ("C1 C2 C3", ["C1 C2 C3"]),
        ("C1 C1 C1 C1", ["C1 C1 C1"]),
        ("C1 G1 M", []),
        ("C1 M M", ["C1 M M"]),
        ("C1 C2 M", ["C1 C2 M"]),
        ("M M M", ["M M M"]),
        ("M M M M", ["M M M"]),
        ("C1 G1 M M", ["C1 M M", "G1 M M"]),
        ("C4 W1 W2 W3", ["W1 W2 W3"]),
        ("C1 M M M", ["M M M", "C1 M M"]),
    ],
)
def test_r5_1_the_sets_of_a_hand(hand: str, sets: list[str]) -> None:
    assert sets_in(cards(hand)) == tuple([Sell(cards(three)) for three in sets])


@pytest.mark.parametrize("last", [False, True])
def test_the_best_sales_match_brute_force(last: bool) -> None:
    for hand in HANDS:
        assert merit(hand, best_sales(hand, last=last), last) == brute_merit(hand, last), hand


@pytest.mark.parametrize("last", [False, True])
def test_the_sale_that_earns_the_most_comes_first(last: bool) -> None:
    for hand in HANDS:
        gains = [earned(sale.cards) for sale in best_sales(hand, last=last)]
        assert gains == sorted(gains, reverse=True)


def test_best_sales_are_for_mid_game_by_default() -> None:
    differ = [hand for hand in HANDS if best_sales(hand) != best_sales(hand, last=True)]
    assert differ
    for hand in HANDS:
        assert best_sales(hand) == best_sales(hand, last=False)


NINE = ["C1 C1 C4", "C1 C1 C3", "C1 C1 C2"]


@pytest.mark.parametrize(
    ("hand", "mid", "last"),
    [
        ("", [], []),
        ("C4 G4 M", [], []),
        ("C1 C1 C4", ["C1 C1 C4"], ["C1 C1 C4"]),
        ("C1 C2 C3 C4", ["C1 C2 C4"], ["C1 C2 C4"]),
        # before the final sale, keep the merchant, then worth; in the final sale, keep goods
        ("C1 C2 C4 M", ["C1 C2 C4"], ["C1 C4 M"]),
        ("C1 C2 C4 M M", ["C1 C2 C4"], ["C4 M M"]),
        ("M M M", ["M M M"], ["M M M"]),
        ("C4 M M M", ["M M M"], ["M M M"]),
        ("C3 C4 M M M M", ["M M M", "C3 C4 M"], ["M M M", "C3 C4 M"]),
        ("C1 C1 C4 M M M", ["M M M", "C1 C1 C4"], ["M M M", "C1 C1 C4"]),
        ("C1 C1 C2 G4 M M", ["G4 M M", "C1 C1 C2"], ["G4 M M", "C1 C1 C2"]),
        ("C1 C1 C1 G1 G1 G4", ["G1 G1 G4", "C1 C1 C1"], ["G1 G1 G4", "C1 C1 C1"]),
        ("C1 C1 C1 C2 C3 C4", ["C1 C2 C4", "C1 C1 C3"], ["C1 C2 C4", "C1 C1 C3"]),
        ("M M M M M M", ["M M M", "M M M"], ["M M M", "M M M"]),
        ("M M M M M", ["M M M"], ["M M M"]),
        ("C1 C1 C1 C1 C1 C1 C2 C3 C4", NINE, NINE),
    ],
)
def test_the_best_sales_of_a_hand(hand: str, mid: list[str], last: list[str]) -> None:
    assert best_sales(cards(hand)) == tuple([Sell(cards(three)) for three in mid])
    assert best_sales(cards(hand), last=True) == tuple([Sell(cards(three)) for three in last])


@pytest.mark.parametrize(
    ("hand", "sold"), [("C1 C4 G3 G4 M", "C1 C4 M"), ("C3 C4 G1 G4 M", "G1 G4 M")]
)
def test_mid_game_keeps_the_worth_that_bids_need(hand: str, sold: str) -> None:
    assert best_sales(cards(hand)) == (Sell(cards(sold)),)


@pytest.mark.parametrize(
    ("three", "stays"),
    [
        ("C1 C1 C4", "C4"),
        ("C4 C1 C2", "C4"),
        ("G3 G4 M", "G4"),
        ("M G1 M", "G1"),
        ("M M M", "M"),
        ("W2 W2 W2", "W2"),
    ],
)
def test_r5_1_the_kept_card_is_the_highest(three: str, stays: str) -> None:
    assert kept(cards(three)) is Card[stays]


def test_r5_3_profit_counts_values_and_5_for_a_merchant() -> None:
    assert profit(()) == 0
    assert profit(cards("C1 G2 T3 W4")) == 10
    assert profit(cards("M")) == 5
    assert profit(iter(cards("M M C4"))) == 14


def test_r5_2_merchants_stand_in_for_any_good() -> None:
    assert SET_SIZE == 3
    assert one_good(cards("C1 C4 M"))
    assert one_good(cards("M M M"))
    assert one_good(iter(cards("W1 W1 W1")))
    assert not one_good(cards("C1 G1 M"))
    assert not one_good(cards("C1 G1 O1"))
    assert [kind for kind in Kind if one_good((Card.C1, *[c for c in Card if c.kind is kind]))] == [
        Kind.CLOTH,
        Kind.MERCHANT,
    ]
