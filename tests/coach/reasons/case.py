"""A position, an action, and what a sentence says about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from byzanz.rules import (
    Action,
    Bid,
    Card,
    Cards,
    Kind,
    Phase,
    View,
    options,
    worth,
)

from .brute_force import (
    any_world,
    chance_of,
    earned,
    gifts,
    is_set,
    minus,
    most,
    plus,
    unseen,
    within,
    won_with,
)


class Case:
    """A position, an action, and what a sentence says about it."""

    def __init__(self, seen: View, action: Action, said: Mapping[str, Any]) -> None:
        assert seen.seat is not None
        self.view, self.action, self.said = seen, action, said
        self.seat = seen.seat
        self.me = seen.players[seen.seat]
        self.hand: Cards = plus(seen.hand)
        self.cards: Cards = tuple([Card[name] for name in said.get("cards", ())])
        other = said.get("seat")
        self.other = None if other is None else seen.players[other]

    @property
    def paid(self) -> Cards:
        assert isinstance(self.action, Bid)
        return self.action.cards

    @property
    def total(self) -> int:
        return worth(self.me.bid) + worth(self.paid)

    @property
    def rivals(self) -> list[int]:
        """The others who can still bid in this auction."""
        if self.view.phase is not Phase.AUCTION:
            return []
        return [
            seat
            for seat, player in enumerate(self.view.players)
            if seat != self.seat and not player.passed and player.offer_card is None
        ]

    def bids(self) -> Iterator[Bid]:
        state = any_world(self.view)
        yield from (Bid(cards) for cards in options(state, self.seat).bids)

    def least_total(self) -> int:
        return min(worth(self.me.bid) + worth(bid.cards) for bid in self.bids())

    def hands_after_winning(self) -> list[tuple[Cards, Cards]]:
        """The hand after the bid has won, for each gift; and the cards that the offer added."""
        assert isinstance(self.action, Bid)
        state = won_with(self.view, self.seat, self.action)
        return [
            (after.players[self.seat].hand, minus(self.view.offer, [card]))
            for card, after in gifts(state, self.seat)
        ]

    def set_of(self, profit: object) -> bool:
        return is_set(self.cards) and earned(self.cards) == profit

    def chance(self, seat: int, total: int) -> Fraction:
        """The probability that a rival can bid more than a total."""
        player = self.view.players[seat]
        needed = total + 1 - worth(player.bid) - worth(player.known)
        values = tuple(sorted(card.worth for card in unseen(self.view)))
        return chance_of(values, player.unknown, needed)

    def unseen_of(self, kind: Kind) -> int:
        return sum(card.kind is kind for card in unseen(self.view))

    def kind(self) -> Kind:
        """The one good of the cards."""
        (kind,) = {card.kind for card in self.cards} - {Kind.MERCHANT}
        return kind

    def gains(self, before: Cards, added: Cards, profit: int) -> bool:
        """Whether the added cards make this set on top of what the hand earned before."""
        after = plus(before, added)
        return (
            self.set_of(profit)
            and within(self.cards, after)
            and bool(set(self.cards) & set(added))
            and most(after) - most(before) >= profit
        )

    def market(self, kind: Kind) -> Cards:
        return tuple([card for card in self.view.market if card.kind is kind])


Claim = Callable[[Case], bool]
"""The check of a sentence."""
