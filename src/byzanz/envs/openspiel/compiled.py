"""An OpenSpiel game in progress on the compiled engine; chance nodes draw its cards."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import numpy.typing as npt

from byzanz.encoding import FEATURES, NUMBERS, IllegalNumber, Moment, action_of
from byzanz.encoding.numbers import CONFIRM
from byzanz.envs.text import cards_text, hand_text, hidden_text, view_text
from byzanz.fast import RECORD_LENGTH, layout, write_features, write_mask
from byzanz.fast.chance_nodes import AT_CHANCE, play_until_chance, turn_up
from byzanz.fast.convert import packed, row_to_moment, unpacked
from byzanz.fast.layout import Record
from byzanz.fast.single import ILLEGAL, write_legal, write_results
from byzanz.notation import write_action, write_cards
from byzanz.notation.text import run_together
from byzanz.rules import COPIES, FACES, SETUPS, Card, Cards, State, in_order
from byzanz.rules.setup import HAND_DEALT

_TEXTS = [""] * (CONFIRM + 1) + [
    write_action(action)
    for number in range(CONFIRM + 1, NUMBERS)
    if (action := action_of(number)) is not None
]
"""The texts of actions by number; empty up to CONFIRM: a bid's text depends on its cards."""

_NUMBERS = np.zeros(NUMBERS, dtype=np.int64)


class CompiledLine:
    """A game in progress: the cards drawn and the actions played so far.

    Unlike :class:`~byzanz.envs.openspiel.readable.Line`, it is mutable. The deck of the engine
    record is empty, because chance has not decided yet which cards will be drawn.
    """

    __slots__ = (
        "_codes", "_course", "_mask", "_undrawn", "dealt_faces", "left", "player", "players",
        "record", "turned_faces",
    )  # fmt: skip

    def __init__(self, players: int) -> None:
        self.players = players
        self.player = AT_CHANCE
        """The seat to act, AT_CHANCE or ENDED."""
        self.dealt_faces: list[int] = []
        """The cards dealt so far, four per seat, in the order of dealing."""
        self.left = list(COPIES)
        """The number of cards of each face that are not drawn yet."""
        self._undrawn = layout.CARDS
        self.record: Record | None = None
        """None until the hands are dealt."""
        self.turned_faces: list[int] = []
        """The cards of the offer turned up so far."""
        self._mask: npt.NDArray[np.uint8] | None = None
        self._codes = array("f")
        self._course = ""

    def __deepcopy__(self, memo: dict[int, Any]) -> CompiledLine:
        other = CompiledLine.__new__(CompiledLine)
        other.players, other.player, other._undrawn = self.players, self.player, self._undrawn
        other.dealt_faces, other.turned_faces = self.dealt_faces[:], self.turned_faces[:]
        other.left = self.left[:]
        other.record = None if self.record is None else self.record.copy()
        other._mask = None if self._mask is None else self._mask.copy()
        other._codes, other._course = self._codes[:], self._course
        return other

    def after(self, action: int) -> CompiledLine:
        """Draw a card or play a number, and return this object; raises ValueError."""
        if self.player == AT_CHANCE:
            self._draw(action)
        else:
            self._play(action)
        return self

    def _draw(self, face: int) -> None:
        if not 0 <= face < len(self.left) or not self.left[face]:
            raise ValueError(f"no card {Card(face)} can be drawn here")
        self.left[face] -= 1
        self._undrawn -= 1
        if self.record is None or self._mask is None:
            self.dealt_faces.append(face)
            if len(self.dealt_faces) == HAND_DEALT * self.players:
                self._begin()
            return
        turned = self.turned_faces
        turned.append(face)
        if len(turned) == self._offer_size():
            cards = [FACES[face] for face in sorted(turned)]
            goods, merchants = packed(cards), cards.count(Card.M)
            self.player = turn_up(self.record, goods, merchants, len(cards), self._mask)
            self._codes.extend([1 + NUMBERS + card for card in cards])
            self._tell(f"up {write_cards(cards)}")
            self.turned_faces = []

    def _begin(self) -> None:
        """Set the engine record to the start of the game, before the first offer is turned up."""
        self._mask = np.zeros(NUMBERS, dtype=np.uint8)
        self.record = record = np.zeros(RECORD_LENGTH, dtype=np.int64)
        record[layout.PLAYERS] = record[layout.STACK] = self.players
        setup = SETUPS[self.players]
        record[layout.DRAWN] = HAND_DEALT * self.players + setup.removed
        for seat in range(self.players):
            self._give(seat, self.hand_dealt(seat), 1)

    def _give(self, seat: int, cards: Cards, sign: int) -> None:
        """Add hidden cards to a seat's hand, or remove them with ``sign`` -1."""
        record = self.record
        if record is not None:
            merchants = cards.count(Card.M)
            for place in (layout.HAND, layout.HIDDEN):
                record[place + seat] += sign * packed(cards)
            for shift in (layout.HAND_M, layout.HIDDEN_M):
                record[layout.SEAT + seat] += sign * (merchants << shift)

    def _play(self, number: int) -> None:
        record, mask, seat = self.record, self._mask, self.player
        if record is None or mask is None:
            raise ValueError("a card is to be drawn here")
        laid = int(record[layout.LAID]) if number == CONFIRM else 0
        player = play_until_chance(record, number, mask)
        if player == ILLEGAL:
            legal = tuple(self.legal())
            raise IllegalNumber(f"number {number} is not legal here; legal numbers: {legal}")
        self.player = player
        if number == CONFIRM:
            cards = unpacked(laid)
            self._codes.extend([1 + card for card in cards])
            self._tell(f"{seat} bid {write_cards(cards)}")
        elif number > CONFIRM:
            self._tell(f"{seat} {_TEXTS[number]}")
        if number >= CONFIRM:
            self._codes.append(1 + number)

    def _tell(self, event: str) -> None:
        self._course = f"{self._course}; {event}" if self._course else event

    def _offer_size(self) -> int:
        """Return the number of cards of the offer that is being turned up (R3.1)."""
        stack = 0 if self.record is None else int(self.record[layout.STACK])
        return SETUPS[self.players].offer_cards[stack - 1]

    # --- What ByzanzState uses, the same for both engines -----------------------------------------

    def outcomes(self) -> list[tuple[int, float]]:
        """Return each face that can be drawn, with its share of the cards not drawn yet."""
        total = self._undrawn
        return [(face, count / total) for face, count in enumerate(self.left) if count]

    def legal(self) -> list[int]:
        """Return the legal numbers of the seat to act."""
        if self._mask is None or self.player < 0:
            return []
        numbers: list[int] = _NUMBERS[: write_legal(self._mask, _NUMBERS)].tolist()
        return numbers

    def results(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Return each seat's profit and share of the win; all 0 until the hands are dealt."""
        profits, shares = np.zeros(layout.SEATS, np.int64), np.zeros(layout.SEATS)
        if self.record is not None:
            write_results(self.record, profits, shares)
        return profits[: self.players], shares[: self.players]

    def row(self, seat: int) -> npt.NDArray[np.uint8] | None:
        """Return the features of a seat's view; None until the hands are dealt."""
        if self.record is None:
            return None
        row = np.empty(FEATURES, np.uint8)
        write_features(self.record, seat, row)
        return row

    def codes(self) -> npt.NDArray[np.float32]:
        """Return the codes of the public events."""
        return np.frombuffer(self._codes, dtype=np.float32)

    def course_text(self) -> str:
        """Return the public events as text."""
        return self._course

    def view_text(self, seat: int | None) -> str:
        """Return the view of a seat, or of a spectator if None, as a line of notation."""
        return "" if self.record is None else view_text(self.record, seat)

    def hand_dealt(self, seat: int) -> Cards:
        """Return the cards dealt to the seat so far, in face order (R2.1)."""
        faces = self.dealt_faces[HAND_DEALT * seat : HAND_DEALT * (seat + 1)]
        return tuple([FACES[face] for face in sorted(faces)])

    def dealt_text(self, seat: int) -> str:
        """Return the cards dealt to a seat."""
        return run_together(self.hand_dealt(seat))

    def hidden_text(self, seat: int) -> str:
        """Return the cards of a seat that the others have not seen."""
        return "" if self.record is None else hidden_text(self.record, seat)

    def laid_text(self, seat: int) -> str:
        """Return the cards that a seat has laid towards a bid."""
        return cards_text(0 if self.record is None or seat != self.player else self._laid())

    def _laid(self) -> int:
        return 0 if self.record is None else int(self.record[layout.LAID])

    def hand_text(self, seat: int) -> str:
        """Return a seat's hand."""
        return "" if self.record is None else hand_text(self.record, seat)

    def _hidden(self, seat: int) -> Cards:
        if self.record is None:
            return ()
        merchants = int(self.record[layout.SEAT + seat]) >> layout.HIDDEN_M & 255
        return unpacked(int(self.record[layout.HIDDEN + seat]), merchants)

    def unseen(self, seat: int) -> tuple[list[Card], list[int]]:
        """Return the cards that a seat has not seen, and how many of them each other seat holds."""
        hidden = [() if other == seat else self._hidden(other) for other in range(self.players)]
        pool = [FACES[face] for face, count in enumerate(self.left) for _ in range(count)]
        for cards in hidden:
            pool += cards
        return sorted(pool), [len(cards) for cards in hidden]

    def hand_shown(self, seat: int) -> Cards:
        """Return the cards of the dealt hand that the other seats have seen since."""
        shown = list(self.hand_dealt(seat))
        for card in self._hidden(seat):
            shown.remove(card)
        return tuple(shown)

    def with_hidden(self, hidden: dict[int, Cards], dealt: list[Card]) -> CompiledLine:
        """Return a copy in which some seats hold other hidden cards and have laid none."""
        other = self.__deepcopy__({})
        if other.record is None or other._mask is None:
            return other
        if self.player in hidden:
            other.record[layout.HAND + self.player] += other.record[layout.LAID]
            other.record[layout.LAID] = 0
        for seat, cards in hidden.items():
            before = self._hidden(seat)
            for card in before:
                other.left[card] += 1
            for card in cards:
                other.left[card] -= 1
            other._give(seat, before, -1)
            other._give(seat, cards, 1)
        other.dealt_faces = [int(card) for card in dealt]
        write_mask(other.record, other._mask)
        return other

    def to_record(self) -> Record:
        """Return a new engine record without the undrawn cards.

        Raises ValueError if no seat is to act.
        """
        if self.record is None or self.player < 0:
            raise ValueError("no seat is to act here")
        return self.record.copy()

    # --- For people and tests ---------------------------------------------------------------------

    @property
    def at_chance(self) -> bool:
        """Whether a card is to be drawn next."""
        return self.player == AT_CHANCE

    @property
    def dealt(self) -> Cards:
        """The cards dealt so far, four per seat, in the order of dealing."""
        return tuple([FACES[face] for face in self.dealt_faces])

    @property
    def turned(self) -> Cards | None:
        """The cards of the offer turned up so far; None unless an offer is being turned up."""
        if self.record is None or self.player != AT_CHANCE:
            return None
        return tuple([FACES[face] for face in self.turned_faces])

    @property
    def undrawn(self) -> Cards:
        """The cards not drawn yet, including those that will be removed, in face order."""
        return tuple([FACES[face] for face, count in enumerate(self.left) for _ in range(count)])

    @property
    def moment(self) -> Moment | None:
        """The readable engine's moment; None until the hands are dealt.

        Its deck and removed cards are the undrawn cards, in face order.
        """
        if self.record is None:
            return None
        state, laid = row_to_moment(self.record)
        rest, deck = in_order((*self.undrawn, *(self.turned or ()))), len(state.deck)
        return Moment(state._replace(deck=rest[:deck], removed=rest[deck:]), laid)

    @property
    def state(self) -> State | None:
        """The readable engine's state; None until the hands are dealt."""
        return None if self.moment is None else self.moment.state
