"""Conversion of moments and views to engine records, and of engine records to moments."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from byzanz.encoding.moment import Moment
from byzanz.rules import (
    FACES,
    SETUPS,
    Card,
    Cards,
    Phase,
    Player,
    State,
    View,
    in_order,
    world,
    worth,
)
from byzanz.rules.cards import without

from . import layout
from .layout import RECORD, Record

Records = npt.NDArray[np.void]
"""A structured array of dtype :data:`byzanz.fast.RECORD`."""

_PHASES = list(Phase)

_ONE = [*(1 << 10 * good + shift for good in range(layout.GOODS) for shift in (0, 3, 6, 8)), 0]
"""One card of each face, packed; 0 for the merchant, which is not packed."""


def rows_of(records: Records) -> Record:
    """Return the records, in the same memory, as rows of integers for the compiled functions."""
    return records.view(np.int64).reshape(*records.shape, layout.RECORD_LENGTH)


def packed(cards: Iterable[Card]) -> int:
    """Pack the goods among the cards into an integer; merchants are left out."""
    return sum([_ONE[card] for card in cards])


@lru_cache(maxsize=1 << 14)
def unpacked(goods: int, merchants: int = 0) -> Cards:
    """Return the cards of a packed integer, in face order, and ``merchants`` merchants."""
    cards: list[Card] = []
    for face in range(0, layout.GOODS_FACES, 4):
        lane = goods & layout.LANE
        goods >>= 10
        if lane:
            counts = (lane & 7, lane >> 3 & 7, lane >> 6 & 3, lane >> 8)
            for value, count in enumerate(counts):
                cards += [FACES[face + value]] * count
    return (*cards, *(Card.M,) * merchants)


def to_record(moment: Moment, chance: int = 0) -> Records:
    """Return an array of one record for a moment; ``chance`` sets its random generator."""
    state, laid = moment
    fields = [0] * layout.DECK
    fields[layout.PLAYERS] = len(state.players)
    fields[layout.PHASE] = _PHASES.index(state.phase)
    fields[layout.TURN] = -1 if state.turn is None else state.turn
    fields[layout.STARTER] = state.starter
    fields[layout.STACK] = len(state.stack)
    fields[layout.TAKERS] = sum(
        [(seat + 1) << 4 * place for place, seat in enumerate(state.takers)]
    )
    fields[layout.DRAWN] = layout.CARDS - len(state.deck)
    fields[layout.HIGHEST] = state.highest
    fields[layout.LAID] = packed(laid)
    for place, shift, cards in (
        (layout.OFFER, layout.OFFER_M, state.offer), (layout.MARKET, layout.MARKET_M, state.market),
        (layout.GONE, layout.GONE_M, state.gone),
    ):  # fmt: skip
        fields[place] = packed(cards)
        fields[layout.MERCHANTS] += cards.count(Card.M) << shift
    for seat, player in enumerate(state.players):
        hand = without(player.hand, laid) if seat == state.turn else player.hand
        fields[layout.HAND + seat] = packed(hand)
        fields[layout.HIDDEN + seat] = packed(player.hidden)
        fields[layout.BID + seat] = packed(player.bid)
        fields[layout.KEPT + seat] = packed(player.kept)
        fields[layout.SEAT + seat] = _seat(player)
    order = bytearray(layout.CARDS)
    dealt = 4 * len(state.players)
    order[dealt : dealt + len(state.removed)] = bytes(state.removed)
    order[layout.CARDS - len(state.deck) :] = bytes(state.deck)
    records = np.zeros(1, dtype=RECORD)
    game = rows_of(records)[0]
    game[: layout.DECK] = fields
    game[layout.DECK :].view(np.uint8)[:] = order
    game[layout.CHANCE : layout.CHANCE + 1].view(np.uint64)[0] = chance
    return records


def view_to_record(seen: View, laid: Cards = (), chance: int = 0) -> Records:
    """Return an array of one record that is consistent with the view.

    :func:`byzanz.fast.deal_unseen` turns it into other consistent records.
    """
    return to_record(Moment(world(seen, seen.pool), laid), chance)


def record_of(view: View, chance: int = 0) -> Record:
    """Return a record consistent with the view, as a row; ``chance`` sets its random generator."""
    record: Record = rows_of(view_to_record(view, chance=chance))[0]
    return record


def to_moment(game: np.void) -> Moment:
    """Return the moment of a record."""
    return row_to_moment(np.frombuffer(game.tobytes(), np.int64))


def row_to_moment(game: Record) -> Moment:
    """Return the moment of a record that is given as a row of integers."""
    fields = game.tolist()
    players, turn, setup = (
        fields[layout.PLAYERS],
        fields[layout.TURN],
        SETUPS[fields[layout.PLAYERS]],
    )
    laid = unpacked(fields[layout.LAID])
    order = [FACES[face] for face in game[layout.DECK :].tobytes()]
    merchants, dealt = fields[layout.MERCHANTS], 4 * players
    state = State(
        phase=_PHASES[fields[layout.PHASE]],
        turn=None if turn < 0 else turn,
        starter=fields[layout.STARTER],
        players=tuple(
            [_player(fields, seat, laid if seat == turn else ()) for seat in range(players)]
        ),
        stack=setup.offer_cards[: fields[layout.STACK]],
        takers=_takers(fields[layout.TAKERS]),
        offer=unpacked(fields[layout.OFFER], merchants >> layout.OFFER_M & 255),
        market=unpacked(fields[layout.MARKET], merchants >> layout.MARKET_M & 255),
        deck=tuple(order[fields[layout.DRAWN] :]),
        removed=in_order(order[dealt : dealt + setup.removed]),
        gone=unpacked(fields[layout.GONE], merchants >> layout.GONE_M & 255),
    )
    return Moment(state, laid)


def _seat(player: Player) -> int:
    value = player.hand.count(Card.M) << layout.HAND_M
    value |= player.hidden.count(Card.M) << layout.HIDDEN_M
    value |= player.kept.count(Card.M) << layout.KEPT_M
    value |= worth(player.bid) << layout.WORTH
    value |= (player.offer_card or 0) << layout.OFFER_CARD
    return value | (layout.PASSED if player.passed else 0) | (layout.DONE if player.done else 0)


def _player(fields: list[int], seat: int, laid: Cards) -> Player:
    value = fields[layout.SEAT + seat]
    hand = unpacked(fields[layout.HAND + seat], value >> layout.HAND_M & 255)
    return Player(
        hand=in_order(hand + laid) if laid else hand,
        hidden=_hidden(fields, seat),
        bid=unpacked(fields[layout.BID + seat]),
        passed=bool(value & layout.PASSED),
        offer_card=(value >> layout.OFFER_CARD & 15) or None,
        kept=unpacked(fields[layout.KEPT + seat], value >> layout.KEPT_M & 255),
        done=bool(value & layout.DONE),
    )


def _hidden(fields: list[int], seat: int) -> Cards:
    return unpacked(
        fields[layout.HIDDEN + seat], fields[layout.SEAT + seat] >> layout.HIDDEN_M & 255
    )


def _takers(value: int) -> tuple[int, ...]:
    seats = []
    while value:
        seats.append((value & 15) - 1)
        value >>= 4
    return tuple(seats)
