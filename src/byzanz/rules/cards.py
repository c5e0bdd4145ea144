"""Cards (R1): 25 faces, and multisets of them as tuples in face order."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class Kind(IntEnum):
    """A kind of card: one of six goods, or merchant, which is a kind of its own (R4.1)."""

    CLOTH = 0
    GRAIN = 1
    OLIVES = 2
    SPICES = 3
    WOOD = 4
    WINE = 5
    MERCHANT = 6

    __hash__ = int.__hash__  # faster than Enum's own hash; kinds and hands are hashed often

    @property
    def letter(self) -> str:
        """The letter of this kind in the notation."""
        return "CGOSTWM"[self]

    def __str__(self) -> str:
        return self.letter


class Card(IntEnum):
    """The face of a card, numbered in face order. Cards have no identity beyond their face."""

    C1 = 0
    C2 = 1
    C3 = 2
    C4 = 3
    G1 = 4
    G2 = 5
    G3 = 6
    G4 = 7
    O1 = 8
    O2 = 9
    O3 = 10
    O4 = 11
    S1 = 12
    S2 = 13
    S3 = 14
    S4 = 15
    T1 = 16
    T2 = 17
    T3 = 18
    T4 = 19
    W1 = 20
    W2 = 21
    W3 = 22
    W4 = 23
    M = 24

    kind: Kind
    worth: int
    """The card's value; 0 for a merchant (R1.2). Enums reserve the name ``value``."""

    __hash__ = int.__hash__

    def __str__(self) -> str:
        return self._name_


for _card in Card:
    _card.kind = Kind(_card // 4)
    _card.worth = 0 if _card.kind is Kind.MERCHANT else _card % 4 + 1

Cards = tuple[Card, ...]
"""Several cards, in face order unless their order matters. So equal hands compare equal."""

FACES: Cards = tuple(Card)
"""The 25 faces, in face order."""

COPIES: tuple[int, ...] = tuple({0: 16, 1: 6, 2: 5, 3: 3, 4: 2}[card.worth] for card in FACES)
"""The number of cards of each face (R1.1, R1.2)."""

ALL_CARDS: Cards = tuple(card for card in FACES for _ in range(COPIES[card]))
"""The 112 cards of the game, in face order."""


def in_order(cards: Iterable[Card]) -> Cards:
    """Return the cards in face order."""
    return tuple(sorted(cards))


def worth(cards: Iterable[Card]) -> int:
    """Return the sum of the cards' values (R3.2)."""
    return sum([card.worth for card in cards])


def without(cards: Cards, some: Iterable[Card]) -> Cards:
    """Return ``cards`` without ``some``; raises ValueError if ``cards`` lacks one of them."""
    rest = list(cards)
    for card in some:
        rest.remove(card)
    return tuple(rest)


def all_but(some: Iterable[Card]) -> Cards:
    """Return all cards of the game except ``some``, in face order.

    Raises ValueError if ``some`` has more cards of a face than the game has.
    """
    left = list(COPIES)
    for card in some:
        left[card] -= 1
    if min(left) < 0:
        raise ValueError("the game does not have that many cards of a face")
    return tuple([face for face, count in zip(FACES, left, strict=True) for _ in range(count)])


def missing(cards: Cards, wanted: Iterable[Card]) -> Cards:
    """Return the cards in ``wanted`` that ``cards`` lacks; each copy counts separately."""
    rest = list(cards)
    lacking = []
    for card in wanted:
        if card in rest:
            rest.remove(card)
        else:
            lacking.append(card)
    return tuple(lacking)


def shared(cards: Cards, others: Cards) -> Cards:
    """Return the cards in ``cards`` that are also in ``others``; each copy counts separately."""
    rest = list(others)
    both = []
    for card in cards:
        if card in rest:
            rest.remove(card)
            both.append(card)
    return tuple(both)
