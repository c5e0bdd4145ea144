"""Compiled code that reads canonical records from text, replays binary games and checks the rules.

Text that is not canonical, and games in which this code cannot confirm that every action is legal,
are left to :func:`byzanz.notation.judge`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from byzanz.encoding.numbers import CONFIRM, DISCARD, DONE, GIVE, PASS, TAKE
from byzanz.fast import write_profits, write_shares
from byzanz.fast.jit import nogil_entry, part, private
from byzanz.fast.layout import (
    CARDS,
    GOODS_FACES,
    MERCHANT,
    OVER,
    PHASE,
    SEATS,
    Bytes,
    Floats,
    Ints,
    Record,
    count_of,
    shift_of,
)
from byzanz.fast.playout import MOST_STEPS

from .legality import begin_with, dealt_before_deck, play_bid, play_number, sale_of

Shorts = npt.NDArray[np.uint16]


def _text(text: str) -> Bytes:
    return np.frombuffer(text.encode(), np.uint8)


_HANDS = _text('{"type":"game","format":"byzanz/1","hands":[[')
_NEXT_HAND, _DECK, _REMOVED = _text("],["), _text(']],"deck":['), _text('],"removed":[')
_NAMES = _text('],"names":')
_SEAT, _ACTION, _CLOSE = _text('{"type":"action","seat":'), _text(',"action":"'), _text('"}')
_PROFIT, _WINNERS = _text('{"type":"result","profit":['), _text('],"winners":[')
_BID, _PASS, _GIVE, _TAKE = _text("bid"), _text("pass"), _text("give "), _text("take ")
_SELL, _DISCARD, _DONE_ = _text("sell "), _text("discard "), _text("done")
_END = _text("]}")
_NEWLINE, _COMMA, _SPACE, _QUOTE = _text('\n, "')

_KINDS = np.full(256, -1, np.int64)
_KINDS[_text("CGOSTWM")] = np.arange(7)
"""The number of each kind, by the code of its letter; -1 for other characters."""

_DIGITS = np.full(256, -1, np.int64)
_DIGITS[_text("0123456789")] = np.arange(10)
"""The value of each digit, by its code; -1 for other characters."""

PLAYERS, TAIL, TAIL_END, LINES, STEPS, WINNERS, PROFITS = range(7)
"""Indices of the facts about a game: where the header's other keys are, counts, and the result."""
FACTS = PROFITS + SEATS


@part
def _at(text: Bytes, place: int, end: int, expected: Bytes) -> bool:
    """Return whether the expected text is at this place."""
    if place + len(expected) > end:
        return False
    for each in range(len(expected)):  # noqa: SIM110 - compiled
        if text[place + each] != expected[each]:
            return False
    return True


@part
def _card(text: Bytes, place: int, end: int) -> int:
    """Return the face of the card at this place; -1 if there is none."""
    if place >= end:
        return -1
    kind = _KINDS[text[place]]
    if kind < 0 or kind == 6:
        return MERCHANT if kind == 6 else -1
    value = _DIGITS[text[place + 1]] if place + 1 < end else -1
    return 4 * kind + value - 1 if 0 < value < 5 else -1


@part
def _read_cards(text: Bytes, place: int, end: int, cards: Bytes, first: int, count: int) -> int:
    """Read ``count`` quoted cards into ``cards``; return the place after them, or -1."""
    for number in range(count):
        if number:
            if place >= end or text[place] != _COMMA:
                return -1
            place += 1
        if place >= end or text[place] != _QUOTE:
            return -1
        face = _card(text, place + 1, end)
        if face < 0:
            return -1
        place += 2 if face == MERCHANT else 3
        if place >= end or text[place] != _QUOTE:
            return -1
        cards[first + number] = face
        place += 1
    return place


@private
def _read_header(text: Bytes, place: int, end: int, cards: Bytes, facts: Ints) -> int:
    """Read the cards of a header, but not the players' names and the keys after them.

    Return the position of the end of the line, or -1 if this part of the header is not canonical.
    """
    if not _at(text, place, end, _HANDS):
        return -1
    place += len(_HANDS)
    players = 0
    while players < SEATS:
        place = _read_cards(text, place, end, cards, 4 * players, 4)
        if place < 0:
            return -1
        players += 1
        if not _at(text, place, end, _NEXT_HAND):
            break
        place += len(_NEXT_HAND)
    if players < 3 or not _at(text, place, end, _DECK):
        return -1
    before = dealt_before_deck(players)
    place = _read_cards(text, place + len(_DECK), end, cards, before, CARDS - before)
    if place < 0 or not _at(text, place, end, _REMOVED):
        return -1
    place += len(_REMOVED)
    place = _read_cards(text, place, end, cards, 4 * players, before - 4 * players)
    if place < 0 or not _at(text, place, end, _NAMES):
        return -1
    facts[PLAYERS] = players
    facts[TAIL] = place + 2
    while place < end and text[place] != _NEWLINE:
        place += 1
    facts[TAIL_END] = place
    return place


@private
def _note(numbers: Shorts, seats: Bytes, facts: Ints, number: int, seat: int) -> None:
    numbers[facts[STEPS]] = number
    seats[facts[STEPS]] = seat
    facts[STEPS] += 1


@private
def _read_bid(
    text: Bytes, place: int, end: int, game: Record, seat: int, numbers: Shorts, seats: Bytes,
    facts: Ints,
) -> int:  # fmt: skip
    """Read and play the cards of a bid, in face order; return the place after them, or -1."""
    cards, last = 0, 0
    while place < end and text[place] == _SPACE:
        face = _card(text, place + 1, end)
        if (
            face < last
            or face >= GOODS_FACES
            or count_of(cards, face) >= (6 if face & 3 < 2 else 3)
        ):
            return -1
        cards += 1 << shift_of(face)
        _note(numbers, seats, facts, face, seat)
        last = face
        place += 3
    _note(numbers, seats, facts, CONFIRM, seat)
    return place if play_bid(game, seat, cards) else -1


@private
def _read_action(
    text: Bytes, place: int, end: int, game: Record, seat: int, numbers: Shorts, seats: Bytes,
    facts: Ints,
) -> int:  # fmt: skip
    """Read and play an action; return the place after its text, or -1."""
    number, face = -1, 0
    if _at(text, place, end, _BID):
        return _read_bid(text, place + len(_BID), end, game, seat, numbers, seats, facts)
    if _at(text, place, end, _PASS):
        place += len(_PASS)
        number = PASS
    elif _at(text, place, end, _DONE_):
        place += len(_DONE_)
        number = DONE
    elif _at(text, place, end, _TAKE):
        place += len(_TAKE)
        kind = _KINDS[text[place]] if place < end else -1
        number = TAKE + kind if kind >= 0 else -1
        place += 1
    elif _at(text, place, end, _SELL):
        place += len(_SELL) - 1
        faces = 0
        for _ in range(3):
            face = _card(text, place + 1, end) if place < end and text[place] == _SPACE else -1
            if face < 0:
                return -1
            faces = (faces << 8) | face
            place += 2 if face == MERCHANT else 3
        number = sale_of(faces >> 16, (faces >> 8) & 255, faces & 255)
    else:
        giving = _at(text, place, end, _GIVE)
        if not giving and not _at(text, place, end, _DISCARD):
            return -1
        place += len(_GIVE) if giving else len(_DISCARD)
        face = _card(text, place, end)
        if face < 0:
            return -1
        place += 1 if face == MERCHANT else 2
        number = face + (GIVE if giving else DISCARD)
    if number < 0 or not play_number(game, seat, number):
        return -1
    _note(numbers, seats, facts, number, seat)
    return place


@private
def _number_at(text: Bytes, place: int, end: int) -> int:
    """Return the whole number at this place; -1 if there is none.

    It has at most three digits and no leading 0. The low ten bits hold the number itself, and the
    higher bits hold how many digits it has.
    """
    value, digits = 0, 0
    while place < end and _DIGITS[text[place]] >= 0 and digits < 3:
        value = 10 * value + _DIGITS[text[place]]
        digits += 1
        place += 1
    if digits == 0 or (digits > 1 and value < (10 if digits == 2 else 100)):
        return -1
    return (digits << 10) | value


@private
def _read_result(text: Bytes, place: int, end: int, facts: Ints) -> int:
    """Read the result into the facts; return the place after it, or -1."""
    if not _at(text, place, end, _PROFIT):
        return -1
    place += len(_PROFIT)
    for seat in range(facts[PLAYERS]):
        if seat:
            if place >= end or text[place] != _COMMA:
                return -1
            place += 1
        found = _number_at(text, place, end)
        if found < 0:
            return -1
        facts[PROFITS + seat] = found & 1023
        place += found >> 10
    if not _at(text, place, end, _WINNERS):
        return -1
    place += len(_WINNERS)
    last = -1
    while True:
        found = _number_at(text, place, end)
        if found < 0 or found & 1023 <= last or found & 1023 >= facts[PLAYERS]:
            return -1
        last = found & 1023
        facts[WINNERS] |= 1 << last
        place += found >> 10
        if _at(text, place, end, _END):
            return place + len(_END)
        if place >= end or text[place] != _COMMA:
            return -1
        place += 1


@private
def _result_is(game: Record, facts: Ints, profits: Ints, shares: Floats) -> bool:
    """Return whether the game is over and has the result that was read (R7.2)."""
    if game[PHASE] != OVER:
        return False
    write_profits(game, profits)
    write_shares(game, shares)
    for seat in range(SEATS):
        won = (facts[WINNERS] >> seat) & 1
        if profits[seat] != facts[PROFITS + seat] or (shares[seat] > 0) != (won == 1):
            return False
    return True


@nogil_entry
def read_game(
    text: Bytes, start: int, end: int, game: Record, cards: Bytes, numbers: Shorts, seats: Bytes,
    facts: Ints, profits: Ints, shares: Floats,
) -> bool:  # fmt: skip
    """Read one canonical record; return whether it is legal.

    The header's other keys are not checked. Writes the cards, the action numbers, their seats and
    the facts of the game. ``profits`` and ``shares`` are scratch arrays.
    """
    for fact in range(FACTS):
        facts[fact] = 0
    place = _read_header(text, start, end, cards, facts)
    if place < 0 or not begin_with(game, facts[PLAYERS], cards):
        return False
    facts[LINES] = 1
    place += 1
    while _at(text, place, end, _SEAT):
        place += len(_SEAT)
        if place >= end or not 0 <= _DIGITS[text[place]] < SEATS:
            return False
        seat = _DIGITS[text[place]]
        if not _at(text, place + 1, end, _ACTION) or facts[STEPS] + 128 > MOST_STEPS:
            return False
        place = _read_action(text, place + 1 + len(_ACTION), end, game, seat, numbers, seats, facts)
        if place < 0 or not _at(text, place, end, _CLOSE):
            return False
        place += len(_CLOSE)
        if place >= end or text[place] != _NEWLINE:
            return False
        place += 1
        facts[LINES] += 1
    place = _read_result(text, place, end, facts)
    facts[LINES] += 1
    if place < 0 or not (place == end or (place + 1 == end and text[place] == _NEWLINE)):
        return False
    return _result_is(game, facts, profits, shares)


@nogil_entry
def replay_game(
    game: Record, players: int, cards: Bytes, numbers: Shorts, seats: Bytes, facts: Ints,
    profits: Ints, shares: Floats,
) -> bool:  # fmt: skip
    """Replay a binary game; return whether it is legal and ends with the stored result."""
    if not begin_with(game, players, cards):
        return False
    bid = 0
    last: Any = -1  # the face laid last, -1 if no bid has begun
    for place in range(len(numbers)):
        number, seat = np.int64(numbers[place]), np.int64(seats[place])
        if last >= 0 and number <= CONFIRM and seats[place] != seats[place - 1]:
            return False
        if number < CONFIRM:
            if number < last or count_of(bid, number) >= (6 if number & 3 < 2 else 3):
                return False
            bid += 1 << shift_of(number)
            last = number
        elif number == CONFIRM:
            if not play_bid(game, seat, bid):
                return False
            bid, last = 0, -1
        elif last >= 0 or not play_number(game, seat, number):
            return False
    return last < 0 and _result_is(game, facts, profits, shares)
