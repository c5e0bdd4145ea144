"""Deals (R2): the hands, the deck in drawing order, and the removed cards."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .cards import ALL_CARDS, COPIES, FACES, Card, Cards
from .chance import Chance
from .refusals import IllegalDeal, Reason, Refusal
from .setup import HAND_DEALT, SETUPS, Setup


@dataclass(frozen=True)
class Deal:
    """The 112 cards after the set-up; raises IllegalDeal if they break R1 or R2."""

    hands: tuple[Cards, ...]
    """The dealt hands, by seat; seat 0 starts (R2.3)."""
    deck: Cards
    """The deck in drawing order: the first card is turned up first."""
    removed: Cards

    def __post_init__(self) -> None:
        refusal = _flaw(self)
        if refusal is not None:
            raise IllegalDeal(refusal)

    @classmethod
    def of(cls, cards: Sequence[Card], players: int) -> Deal:
        """Deal shuffled cards: the hands seat by seat, then the removed cards, then the deck."""
        setup = setup_for(players)
        hands = tuple(
            tuple(cards[HAND_DEALT * seat : HAND_DEALT * (seat + 1)]) for seat in range(players)
        )
        rest = tuple(cards[HAND_DEALT * players :])
        return cls(hands, deck=rest[setup.removed :], removed=rest[: setup.removed])

    @classmethod
    def from_seed(cls, players: int, seed: int) -> Deal:
        """Return the deal of a seed, the same on every machine (``docs/dealing.md``)."""
        cards = list(ALL_CARDS)
        Chance(seed).shuffle(cards)
        return cls.of(cards, players)

    @classmethod
    def from_system(cls, players: int) -> Deal:
        """Return a deal for real play, shuffled with the operating system's randomness.

        Every order of the 112 cards is equally likely.
        """
        cards = list(ALL_CARDS)
        secrets.SystemRandom().shuffle(cards)
        return cls.of(cards, players)

    @property
    def setup(self) -> Setup:
        """The row of R2.2 that this deal follows."""
        return SETUPS[len(self.hands)]


def setup_for(players: int) -> Setup:
    """Return the row of R2.2 for this many players; raises IllegalDeal if there is none (R2.1)."""
    if players not in SETUPS:
        raise IllegalDeal(Refusal(Reason.PLAYER_COUNT, "R2.1", {"players": players}))
    return SETUPS[players]


def _flaw(deal: Deal) -> Refusal | None:
    setup = setup_for(len(deal.hands))
    for seat, hand in enumerate(deal.hands):
        if len(hand) != HAND_DEALT:
            sizes = {"seat": seat, "expected": HAND_DEALT, "found": len(hand)}
            return Refusal(Reason.HAND_SIZE, "R2.1", sizes)
    if len(deal.removed) != setup.removed:
        sizes = {"expected": setup.removed, "found": len(deal.removed)}
        return Refusal(Reason.REMOVED_SIZE, "R2.2", sizes)
    if len(deal.deck) != setup.deck:
        sizes = {"expected": setup.deck, "found": len(deal.deck)}
        return Refusal(Reason.DECK_SIZE, "R2.2", sizes)
    counts = Counter(deal.deck + deal.removed)
    for hand in deal.hands:
        counts.update(hand)
    for card in FACES:  # there are 112 cards in all: if a face has too few, another has too many
        if counts[card] > COPIES[card]:
            rule = "R1.2" if card is Card.M else "R1.1"
            return Refusal(
                Reason.CARD_COUNT,
                rule,
                {"card": card, "expected": COPIES[card], "found": counts[card]},
            )
    return None
