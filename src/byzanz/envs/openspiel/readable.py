"""An OpenSpiel game in progress on the readable rules; chance nodes draw its cards."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from byzanz.encoding import NUMBERS, Moment, action_of, features, numbers_of
from byzanz.encoding.numbers import CONFIRM
from byzanz.fast import rows_of, to_record
from byzanz.fast.chance_nodes import AT_CHANCE, ENDED
from byzanz.fast.layout import Record
from byzanz.notation import write_action, write_cards, write_view
from byzanz.notation.text import run_together
from byzanz.rules import (
    ALL_CARDS,
    FACES,
    SETUPS,
    Bid,
    Card,
    Cards,
    Deal,
    Played,
    State,
    TurnedUp,
    begin,
    in_order,
    result,
    view,
)
from byzanz.rules.cards import without
from byzanz.rules.setup import HAND_DEALT


class Line(NamedTuple):
    """A game in progress: the cards drawn and the actions played so far.

    The state's deck and removed cards hold the cards not drawn yet, in face order. Only their
    number is meaningful, because chance has not decided yet which of them will be drawn.
    """

    players: int
    dealt: Cards = ()
    """The cards dealt so far, four per seat, in the order of dealing."""
    moment: Moment | None = None
    """None until the hands are dealt. It has no offer while an offer is being turned up."""
    turned: Cards | None = None
    """The cards of the offer turned up so far, in drawing order; None at a player's decision."""
    course: tuple[TurnedUp | Played, ...] = ()
    """The public events: offers turned up and whole actions."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Line:
        return self  # immutable, so that all copies of a state can share it

    @property
    def state(self) -> State | None:
        """The readable engine's state; None until the hands are dealt."""
        return None if self.moment is None else self.moment.state

    @property
    def at_chance(self) -> bool:
        """Whether a card is to be drawn next."""
        return self.moment is None or self.turned is not None

    @property
    def undrawn(self) -> Cards:
        """The cards not drawn yet, including those that will be removed, in face order."""
        if self.moment is None:
            return without(ALL_CARDS, self.dealt)
        return without(self.moment.state.deck + self.moment.state.removed, self.turned or ())

    def hand_dealt(self, seat: int) -> Cards:
        """Return the cards dealt to the seat so far, in face order (R2.1)."""
        return in_order(self.dealt[HAND_DEALT * seat : HAND_DEALT * (seat + 1)])

    def laid(self, seat: int) -> Cards:
        """Return the cards that the seat has laid towards a bid."""
        return self.moment.laid if self.moment and self.moment.state.turn == seat else ()

    def draw(self, card: Card) -> Line:
        """Return the game after this card is drawn; raises ValueError if it cannot be drawn."""
        if not self.at_chance or card not in self.undrawn:
            raise ValueError(f"no card {card} can be drawn here")
        if self.moment is None:
            return self._deal(card)
        return self._turn_up(self.moment.state, (*(self.turned or ()), card))

    def play(self, number: int) -> Line:
        """Return the game after the seat to act plays this number.

        Raises IllegalNumber if it is illegal, and ValueError if a card is to be drawn instead.
        """
        if self.moment is None or self.turned is not None:
            raise ValueError("a card is to be drawn here")
        before, laid = self.moment
        moment = self.moment.play(number)
        if before.turn is None or number < CONFIRM:
            return self._replace(moment=moment)
        action = action_of(number) or Bid(laid)
        line = self._replace(moment=moment, course=(*self.course, Played(before.turn, action)))
        if len(moment.state.deck) == len(before.deck):
            return line
        return line._to_turn_up(moment.state)

    def _deal(self, card: Card) -> Line:
        line = self._replace(dealt=(*self.dealt, card))
        if len(line.dealt) < HAND_DEALT * self.players:
            return line
        hands = tuple(line.hand_dealt(seat) for seat in range(self.players))
        rest, deck = line.undrawn, SETUPS[self.players].deck
        return line._to_turn_up(begin(Deal(hands, deck=rest[:deck], removed=rest[deck:])))

    def _to_turn_up(self, state: State) -> Line:
        """Return the game before an offer is turned up; chance nodes will draw its cards."""
        rest, deck = in_order(state.offer + state.deck + state.removed), len(state.deck)
        deck += len(state.offer)
        state = state._replace(offer=(), deck=rest[:deck], removed=rest[deck:])
        return self._replace(moment=Moment(state), turned=())

    def _turn_up(self, state: State, turned: Cards) -> Line:
        if len(turned) < state.stack[-1]:
            return self._replace(turned=turned)
        rest, deck = without(state.deck + state.removed, turned), len(state.deck) - len(turned)
        state = state._replace(offer=in_order(turned), deck=rest[:deck], removed=rest[deck:])
        event = TurnedUp(state.round, state.stack[-1], state.offer, state.starter)
        return self._replace(moment=Moment(state), turned=None, course=(*self.course, event))

    # --- What ByzanzState uses, the same for both engines -----------------------------------------

    @property
    def player(self) -> int:
        """The seat to act, AT_CHANCE or ENDED."""
        if self.moment is None or self.turned is not None:
            return AT_CHANCE
        return ENDED if self.moment.state.turn is None else self.moment.state.turn

    def after(self, action: int) -> Line:
        """Return the game after a card is drawn or a number is played."""
        return self.draw(Card(action)) if self.at_chance else self.play(action)

    def outcomes(self) -> list[tuple[int, float]]:
        """Return each face that can be drawn, with its share of the cards not drawn yet."""
        left = self.undrawn
        return [(int(card), count / len(left)) for card, count in sorted(Counter(left).items())]

    def legal(self) -> list[int]:
        """Return the legal numbers of the seat to act."""
        return [] if self.moment is None or self.at_chance else list(self.moment.legal())

    def results(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Return each seat's profit and share of the win; all 0 until the hands are dealt."""
        if self.state is None:
            return np.zeros(self.players, np.int64), np.zeros(self.players)
        ended = result(self.state)
        shares = [(seat in ended.winners) / len(ended.winners) for seat in range(self.players)]
        return np.array(ended.profit), np.array(shares)

    def row(self, seat: int) -> npt.NDArray[np.uint8] | None:
        """Return the features of a seat's view; None until the hands are dealt."""
        return None if self.state is None else features(view(self.state, seat), self.laid(seat))

    def codes(self) -> npt.NDArray[np.float32]:
        """Return the codes of the public events."""
        return np.array(course_codes(self.course), dtype=np.float32)

    def course_text(self) -> str:
        """Return the public events as text."""
        return "; ".join(map(_event_text, self.course))

    def view_text(self, seat: int | None) -> str:
        """Return the view of a seat, or of a spectator if None, as a line of notation."""
        return "" if self.state is None else write_view(view(self.state, seat))

    def dealt_text(self, seat: int) -> str:
        """Return the cards dealt to a seat."""
        return run_together(self.hand_dealt(seat))

    def hidden_text(self, seat: int) -> str:
        """Return the cards of a seat that the others have not seen."""
        return "" if self.state is None else run_together(self.state.players[seat].hidden)

    def laid_text(self, seat: int) -> str:
        """Return the cards that a seat has laid towards a bid."""
        return run_together(self.laid(seat))

    def hand_text(self, seat: int) -> str:
        """Return a seat's hand."""
        return "" if self.state is None else run_together(self.state.players[seat].hand)

    def unseen(self, seat: int) -> tuple[list[Card], list[int]]:
        """Return the cards that a seat has not seen, and how many of them each other seat holds."""
        if self.state is None:
            return [], []
        hidden = [len(player.hidden) for player in self.state.players]
        hidden[seat] = 0
        return list(view(self.state, seat).pool), hidden

    @property
    def left(self) -> list[int]:
        """The number of cards of each face that are not drawn yet."""
        counts = Counter(self.undrawn)
        return [counts[card] for card in FACES]

    def to_record(self) -> Record:
        """Return a new engine record without the undrawn cards.

        Raises ValueError if no seat is to act.
        """
        if self.moment is None or self.player < 0:
            raise ValueError("no seat is to act here")
        record: Record = rows_of(to_record(self.moment))[0]
        return record

    def hand_shown(self, seat: int) -> Cards:
        """Return the cards of the dealt hand that the other seats have seen since."""
        if self.state is None:
            return ()
        return without(self.hand_dealt(seat), self.state.players[seat].hidden)


def course_codes(course: tuple[TurnedUp | Played, ...]) -> list[int]:
    """Return the public events as codes: 1 + number for an action, 290 + face for a card turned up.

    A bid has the codes of its cards and of its confirmation. Seats have no codes, because the
    rules determine them.
    """
    codes: list[int] = []
    for event in course:
        if isinstance(event, TurnedUp):
            codes += [1 + NUMBERS + card for card in event.cards]
        else:
            codes += [1 + number for number in numbers_of(event.action)]
    return codes


def _event_text(event: TurnedUp | Played) -> str:
    if isinstance(event, TurnedUp):
        return f"up {write_cards(event.cards)}"
    return f"{event.seat} {write_action(event.action)}"
