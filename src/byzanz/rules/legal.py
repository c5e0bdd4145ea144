"""Legal actions of a seat: check a single action, or list them all.

This is the only place that decides what is legal. It uses only what the seat knows, so a View and
the State give the same answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Protocol

from .actions import Action, Bid, Discard, Done, Give, Pass, Sell, Take
from .cards import Card, Cards, Kind, missing, worth
from .refusals import IllegalAction, Reason, Refusal
from .sets import SET_SIZE, one_good, sets_in
from .setup import HAND_LIMIT
from .state import Phase, State


class Standing(Protocol):
    """The public facts about a seat that decide what it may do."""

    @property
    def bid(self) -> Cards: ...
    @property
    def passed(self) -> bool: ...
    @property
    def offer_card(self) -> int | None: ...
    @property
    def done(self) -> bool: ...


class Position(Protocol):
    """The public facts about the table that decide what a seat may do; State and View have them."""

    @property
    def phase(self) -> Phase: ...
    @property
    def turn(self) -> int | None: ...
    @property
    def players(self) -> Sequence[Standing]: ...
    @property
    def highest(self) -> int: ...
    @property
    def offer(self) -> Cards: ...
    @property
    def market(self) -> Cards: ...


@dataclass(frozen=True, slots=True)
class Options:
    """The legal actions of ``seat``, which holds ``hand``, in a position.

    Iterating yields each legal action once. ``action in options`` and ``options.refusal(action)``
    check a single action without listing the others.
    """

    position: Position
    seat: int
    hand: Cards

    def refusal(self, action: Action) -> Refusal | None:
        """Return why the action is refused, or None if it is legal."""
        if self.position.phase is Phase.OVER:
            return Refusal(Reason.GAME_OVER, "R7.2")
        match action:
            case Bid():
                return self._refused_call("R3.2") or self._refused_bid(action.cards)
            case Pass():
                return self._refused_call("R3.5")
            case Give():
                return self._refused_now(Phase.GIVE, "R3.8") or self._refused_give(action.card)
            case Take():
                return self._refused_now(Phase.MARKET, "R4.1") or self._refused_take(action.kind)
            case Sell():
                return self._refused_sale(action.cards)
            case Discard():
                return self._refused_discard(action.card)
            case Done():
                return self._refused_done()
            case _:
                raise TypeError(f"not an action: {action!r}")

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def __iter__(self) -> Iterator[Action]:
        yield from self.answers
        yield from self.sales
        yield from map(Bid, self.bids)

    @property
    def on_turn(self) -> bool:
        """Whether it is this seat's turn; in the final sale, whether the seat is not done (I8)."""
        if self.position.phase is Phase.FINAL_SALE:
            return not self._own.done
        return self.position.turn == self.seat

    @property
    def bids(self) -> tuple[Cards, ...]:
        """The cards of every legal bid or raise, cheapest first (R3.2 to R3.4, R3.7)."""
        if self.position.phase is not Phase.AUCTION or self.position.turn != self.seat:
            return ()
        short = self.position.highest - worth(self._own.bid)
        return tuple([cards for cards, value in _choices(self.hand).items() if value > short])

    @property
    def sales(self) -> tuple[Sell, ...]:
        """Every set that the seat may sell now, even out of turn (R5.1)."""
        if self.position.phase is Phase.OVER or self._own.done:
            return ()
        return sets_in(self.hand)

    @property
    def answers(self) -> tuple[Action, ...]:
        """The legal actions in the current phase, except bids and sales."""
        if not self.on_turn:
            return ()
        match self.position.phase:
            case Phase.AUCTION:
                return (Pass(),)
            case Phase.GIVE:
                return tuple(map(Give, dict.fromkeys(self.position.offer)))
            case Phase.MARKET:
                kinds = dict.fromkeys([card.kind for card in self.position.market])
                return tuple(map(Take, kinds))
            case Phase.LIMIT:
                return tuple(map(Discard, dict.fromkeys(self.hand)))
            case Phase.FINAL_SALE:
                return (Done(),)
            case Phase.OVER:
                return ()

    @property
    def _own(self) -> Standing:
        return self.position.players[self.seat]

    def _refused_now(self, phase: Phase, rule: str, order: str = "") -> Refusal | None:
        """Refuse an action that belongs to another phase or is out of turn."""
        if self.position.phase is Phase.LIMIT and self.position.turn == self.seat:
            over = {"held": len(self.hand), "limit": HAND_LIMIT}
            return Refusal(Reason.HAND_LIMIT, "R6.1", over)
        if self.position.phase is not phase:
            return Refusal(Reason.NOT_NOW, rule, {"phase": self.position.phase.value})
        if self.position.turn is not None and self.position.turn != self.seat:
            return Refusal(Reason.NOT_YOUR_TURN, order or rule, {"turn": self.position.turn})
        return None

    def _refused_call(self, rule: str) -> Refusal | None:
        """Refuse a bid or a pass unless it is the seat's turn in an auction."""
        if self.position.phase is Phase.AUCTION:
            if self._own.offer_card is not None:
                return Refusal(Reason.HAS_OFFER_CARD, "R3.8", {"offer_card": self._own.offer_card})
            if self._own.passed:
                return Refusal(Reason.ALREADY_PASSED, "R3.5")
        return self._refused_now(Phase.AUCTION, rule, order="R3.3")

    def _refused_bid(self, cards: Cards) -> Refusal | None:
        if not cards:
            return Refusal(Reason.NO_CARDS, "R3.2")
        if Card.M in cards:
            return Refusal(Reason.MERCHANT_BID, "R3.7")
        refusal = self._refused_missing(cards, "R3.2")
        if refusal is not None:
            return refusal
        total = worth(self._own.bid) + worth(cards)
        if total <= self.position.highest:
            return Refusal(
                Reason.BID_TOO_LOW, "R3.3", {"worth": total, "highest": self.position.highest}
            )
        return None

    def _refused_give(self, card: Card) -> Refusal | None:
        if card not in self.position.offer:
            return Refusal(Reason.CARD_NOT_IN_OFFER, "R3.8", {"card": card})
        return None

    def _refused_take(self, kind: Kind) -> Refusal | None:
        if all(card.kind is not kind for card in self.position.market):
            return Refusal(Reason.KIND_NOT_IN_MARKET, "R4.1", {"kind": kind})
        return None

    def _refused_sale(self, cards: Cards) -> Refusal | None:
        if self._own.done:
            return Refusal(Reason.ALREADY_DONE, "I8")
        if len(cards) != SET_SIZE:
            return Refusal(Reason.NOT_THREE_CARDS, "R5.1", {"found": len(cards)})
        if not one_good(cards):
            return Refusal(Reason.MIXED_SET, "R5.1", {"cards": cards})
        return self._refused_missing(cards, "R5.1")

    def _refused_discard(self, card: Card) -> Refusal | None:
        if len(self.hand) <= HAND_LIMIT:
            return Refusal(
                Reason.WITHIN_LIMIT, "R6.1", {"held": len(self.hand), "limit": HAND_LIMIT}
            )
        return self._refused_missing((card,), "R6.1")

    def _refused_done(self) -> Refusal | None:
        if self.position.phase is not Phase.FINAL_SALE:
            return Refusal(Reason.NOT_NOW, "I8", {"phase": self.position.phase.value})
        if self._own.done:
            return Refusal(Reason.ALREADY_DONE, "I8")
        return None

    def _refused_missing(self, cards: Cards, rule: str) -> Refusal | None:
        """Refuse cards that are not in hand; a card in the seat's bid cannot be used again (I7)."""
        lacking = missing(self.hand, cards)
        if not lacking:
            return None
        if not missing(self._own.bid, lacking):
            laid = "R3.4" if rule == "R3.2" else "I7"
            return Refusal(Reason.CARD_IN_BID, laid, {"cards": lacking})
        return Refusal(Reason.CARD_NOT_IN_HAND, rule, {"cards": lacking})


def options(state: State, seat: int) -> Options:
    """Return the legal actions of a seat; raises IllegalAction if there is no such seat (R2.1)."""
    if not 0 <= seat < len(state.players):
        numbers = {"seat": seat, "last": len(state.players) - 1}
        raise IllegalAction(Refusal(Reason.NO_SUCH_SEAT, "R2.1", numbers))
    return Options(state, seat, state.players[seat].hand)


@lru_cache(maxsize=1024)
def _choices(hand: Cards) -> dict[Cards, int]:
    """Return every different choice of goods cards from a hand and its worth, cheapest first."""
    found: dict[Cards, int] = {(): 0}
    for card in hand:
        if card.worth:
            # Every choice either ends with this card or leaves it out, so this finds all of them.
            one, more = (card,), card.worth
            found |= {cards + one: value + more for cards, value in found.items()}
    del found[()]
    return dict(sorted(found.items(), key=itemgetter(1)))
