"""Public events: what everybody at the table sees happen (I6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .actions import Action, Take
from .cards import Cards, without
from .scoring import Result, result
from .state import Phase, State


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """An offer was turned up, and the seat ``starter`` acts first (R3.1, R3.9)."""

    round: int
    offer_card: int
    cards: Cards
    starter: int


@dataclass(frozen=True, slots=True)
class Played:
    """A seat acted."""

    seat: int
    action: Action


@dataclass(frozen=True, slots=True)
class Won:
    """A seat won the auction and paid its bid, or nothing if all passed (R3.8, R3.10)."""

    seat: int
    offer_card: int
    paid: Cards


@dataclass(frozen=True, slots=True)
class MarketCleared:
    """The round ended, and the market's remaining cards left the game (R4.2)."""

    round: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class FinalSale:
    """The last round ended, and everyone has a last chance to sell (R7.1)."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over (R7.2)."""

    result: Result


Event = TurnedUp | Played | Won | MarketCleared | FinalSale | Ended
"""Any public event."""


def opening(state: State) -> tuple[Event, ...]:
    """Return the events at the start of the game."""
    return (_turned_up(state),)


def events(before: State, seat: int, action: Action, after: State) -> tuple[Event, ...]:
    """Return the events of an action that leads from one state to the next."""
    seen: list[Event] = [Played(seat, action)]
    if before.phase is Phase.AUCTION:
        seen += _won(before, after)
    if after.stack and not before.stack:
        taken = action.kind if isinstance(action, Take) else None
        left = tuple(card for card in before.market if card.kind is not taken)
        seen.append(MarketCleared(before.round, left))
    if len(after.deck) < len(before.deck):
        seen.append(_turned_up(after))
    if after.phase is Phase.FINAL_SALE and before.phase is not Phase.FINAL_SALE:
        seen.append(FinalSale())
    if after.phase is Phase.OVER:
        seen.append(Ended(result(after)))
    return tuple(seen)


def _turned_up(state: State) -> TurnedUp:
    return TurnedUp(state.round, state.stack[-1], state.offer, state.starter)


def _won(before: State, after: State) -> Iterator[Won]:
    """Yield Won if the auction ended; in an auction only a winning bid adds cards to the market."""
    paid = without(after.market, before.market)
    if paid and after.turn is not None:
        yield Won(after.turn, before.stack[-1], paid)
    elif after.stack != before.stack:
        yield Won(before.starter, before.stack[-1], ())
