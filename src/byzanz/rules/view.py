"""What a seat may know: the exact information set, and the only thing that leaves for a seat.

Everything is open but the dealt hands, the deck's order and the removed cards (I6), so what one
knows of another's hand is common to all: the cards known to be in it, and how many are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from .cards import Card, Cards, all_but, in_order, worth
from .events import Event
from .options import Options
from .setup import SETUPS, Setup
from .state import Phase, Player, State, round_number


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody knows of one seat."""

    known: Cards
    """Cards known to be in hand."""
    unknown: int
    """How many hand cards nobody else has seen."""
    bid: Cards
    passed: bool
    offer_card: int | None
    kept: Cards
    """Profit lies face down, but each card was seen when it was sold (I6)."""
    done: bool

    @property
    def hand_size(self) -> int:
        """How many cards the seat holds."""
        return len(self.known) + self.unknown


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows, or a spectator (``seat`` None)."""

    seat: int | None
    hidden: Cards
    """The viewer's own hand cards that the others have not seen; a spectator has none."""
    phase: Phase
    turn: int | None
    starter: int
    players: tuple[SeatView, ...]
    """By seat, the viewer's own as the others know it."""
    stack: tuple[int, ...]
    takers: tuple[int, ...]
    offer: Cards
    market: Cards
    deck_size: int
    gone: Cards
    course: tuple[Event, ...] = ()
    """The public course of play so far; empty in a view made from a position alone."""

    @property
    def setup(self) -> Setup:
        """The row of R2.2 that this game follows."""
        return SETUPS[len(self.players)]

    @property
    def hand(self) -> Cards:
        """The viewer's hand; a spectator's is empty."""
        if self.seat is None:
            return ()
        return tuple(sorted(self.players[self.seat].known + self.hidden))

    @property
    def pool(self) -> Cards:
        """The cards the viewer has not seen: in the deck, removed, or unknown in others' hands."""
        seen = [*self.hidden, *self.offer, *self.market, *self.gone]
        for player in self.players:
            seen += player.known + player.bid + player.kept
        return all_but(seen)

    @property
    def highest(self) -> int:
        """What the highest bid is worth; 0 when nobody has bid (R3.3)."""
        return max([worth(player.bid) for player in self.players if player.bid], default=0)

    @property
    def round(self) -> int:
        """The number of the present round, from 1."""
        return round_number(self.setup, self.deck_size)

    @property
    def options(self) -> Options:
        """What the viewer may do now; a spectator has no options."""
        if self.seat is None:
            raise ValueError("a spectator has no options")
        return Options(self, self.seat, self.hand)


def view(state: State, seat: int | None, course: tuple[Event, ...] = ()) -> View:
    """What the seat knows of the state, or a spectator for None; the one place that redacts."""
    if seat is not None and not 0 <= seat < len(state.players):
        raise ValueError(f"there is no seat {seat} at a table of {len(state.players)}")
    return View(
        seat=seat,
        hidden=() if seat is None else state.players[seat].hidden,
        phase=state.phase,
        turn=state.turn,
        starter=state.starter,
        players=tuple([_seen(player) for player in state.players]),
        stack=state.stack,
        takers=state.takers,
        offer=state.offer,
        market=state.market,
        deck_size=len(state.deck),
        gone=state.gone,
        course=course,
    )


def world(seen: View, unseen: Sequence[Card]) -> State:
    """A state that the view allows: the cards it has not seen lie in this order.

    They go to the others' hands by seat, then to the removed cards, then to the deck.
    """
    if in_order(unseen) != seen.pool:
        raise ValueError("the unseen cards are not those that the view has not seen")
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


def _seen(player: Player) -> SeatView:
    return SeatView(
        known=player.known,
        unknown=len(player.hidden),
        bid=player.bid,
        passed=player.passed,
        offer_card=player.offer_card,
        kept=player.kept,
        done=player.done,
    )
