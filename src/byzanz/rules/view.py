"""Views: exactly what a seat knows (its information set). Players get a View, never the State.

Only the dealt hands, the order of the deck and the removed cards are hidden (I6). So all other
seats know the same about a hand: some of its cards, and the number of the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from .cards import Card, Cards, all_but, in_order, worth
from .events import Event
from .legal import Options
from .setup import SETUPS, Setup
from .state import Phase, Player, State, round_number


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody knows about one seat."""

    known: Cards
    """Cards known to be in hand."""
    unknown: int
    """The number of hand cards that nobody else has seen."""
    bid: Cards
    passed: bool
    offer_card: int | None
    kept: Cards
    """The cards kept as profit: face down, but everybody saw them when they were sold (I6)."""
    done: bool

    @property
    def hand_size(self) -> int:
        """The number of cards in the seat's hand."""
        return len(self.known) + self.unknown


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows, or what a spectator knows if ``seat`` is None."""

    seat: int | None
    hidden: Cards
    """The viewer's hand cards that the others have not seen; empty for a spectator."""
    phase: Phase
    turn: int | None
    starter: int
    players: tuple[SeatView, ...]
    """The seats in order. The viewer's own seat is shown as the others know it."""
    stack: tuple[int, ...]
    takers: tuple[int, ...]
    offer: Cards
    market: Cards
    deck_size: int
    gone: Cards
    course: tuple[Event, ...] = ()
    """The public events so far; empty if the view was made from a position without its events."""

    @property
    def setup(self) -> Setup:
        """The row of R2.2 that this game follows."""
        return SETUPS[len(self.players)]

    @property
    def hand(self) -> Cards:
        """The viewer's hand; empty for a spectator."""
        if self.seat is None:
            return ()
        return tuple(sorted(self.players[self.seat].known + self.hidden))

    @property
    def pool(self) -> Cards:
        """The cards the viewer has not seen: in the deck, removed, or hidden in other hands."""
        seen = [*self.hidden, *self.offer, *self.market, *self.gone]
        for player in self.players:
            seen += player.known + player.bid + player.kept
        return all_but(seen)

    @property
    def highest(self) -> int:
        """The worth of the highest bid; 0 if nobody has bid (R3.3)."""
        return max([worth(player.bid) for player in self.players if player.bid], default=0)

    @property
    def round(self) -> int:
        """The number of the current round, counted from 1."""
        return round_number(self.setup, self.deck_size)

    @property
    def options(self) -> Options:
        """The viewer's legal actions; raises ValueError for a spectator."""
        if self.seat is None:
            raise ValueError("a spectator has no options")
        return Options(self, self.seat, self.hand)


def view(state: State, seat: int | None, course: tuple[Event, ...] = ()) -> View:
    """Return a seat's view of the state, or a spectator's if ``seat`` is None.

    This is the only place that hides cards. Raises ValueError if there is no such seat.
    """
    if seat is not None and not 0 <= seat < len(state.players):
        raise ValueError(f"there is no seat {seat} at a table of {len(state.players)}")
    return View(
        seat=seat,
        hidden=() if seat is None else state.players[seat].hidden,
        phase=state.phase,
        turn=state.turn,
        starter=state.starter,
        players=tuple([_seat_view(player) for player in state.players]),
        stack=state.stack,
        takers=state.takers,
        offer=state.offer,
        market=state.market,
        deck_size=len(state.deck),
        gone=state.gone,
        course=course,
    )


def world(seen: View, unseen: Sequence[Card]) -> State:
    """Return a state that is consistent with the view and has these unseen cards.

    The cards go in order to the others' hands by seat, then to the removed cards, then to the deck.
    Raises ValueError if ``unseen`` does not contain the same cards as the view's pool.
    """
    if in_order(unseen) != seen.pool:
        raise ValueError("the unseen cards are not the cards of the view's pool")
    rest = iter(unseen)
    players = []
    for seat, player in enumerate(seen.players):
        hidden = seen.hidden
        if seat != seen.seat:
            hidden = in_order(islice(rest, player.unknown))
        players.append(
            Player(
                hand=in_order(player.known + hidden),
                hidden=hidden,
                bid=player.bid,
                passed=player.passed,
                offer_card=player.offer_card,
                kept=player.kept,
                done=player.done,
            )
        )
    return State(
        phase=seen.phase,
        turn=seen.turn,
        starter=seen.starter,
        players=tuple(players),
        stack=seen.stack,
        takers=seen.takers,
        offer=seen.offer,
        market=seen.market,
        removed=in_order(islice(rest, seen.setup.removed)),
        deck=tuple(rest),
        gone=seen.gone,
    )


def _seat_view(player: Player) -> SeatView:
    return SeatView(
        known=player.known,
        unknown=len(player.hidden),
        bid=player.bid,
        passed=player.passed,
        offer_card=player.offer_card,
        kept=player.kept,
        done=player.done,
    )
