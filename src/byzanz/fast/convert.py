"""Conversion of moments and views to records, and of records to moments."""

from __future__ import annotations

from collections.abc import Iterable

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
    """Return an array of one record for a moment; ``chance`` is its random state."""
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

    :func:`byzanz.fast.deal_unseen` deals other consistent ones.
    """
    return to_record(Moment(world(seen, seen.pool), laid), chance)


def record_of(view: View, chance: int = 0) -> Record:
    """Return a record consistent with the view, as a row; ``chance`` is its random state."""
    record: Record = rows_of(view_to_record(view, chance=chance))[0]
    return record


def to_moment(game: np.void) -> Moment:
    """Return the moment of a record."""
    players = int(game["players"])
    phase = _PHASES[int(game["phase"])]
    turn = int(game["turn"])
    laid = unpacked(int(game["laid"]))
    order = [FACES[face] for face in np.ascontiguousarray(game["cards"]).view(np.uint8).tolist()]
    setup = SETUPS[players]
    dealt = 4 * players
    state = State(
        phase=phase,
        turn=None if turn < 0 else turn,
        starter=int(game["starter"]),
        players=tuple(_player(game, seat, laid if seat == turn else ()) for seat in range(players)),
        stack=setup.offer_cards[: int(game["stack"])],
        takers=_takers(int(game["takers"])),
        offer=unpacked(int(game["offer"]), _byte(game["merchants"], layout.OFFER_M)),
        market=unpacked(int(game["market"]), _byte(game["merchants"], layout.MARKET_M)),
        deck=tuple(order[int(game["drawn"]) :]),
        removed=in_order(order[dealt : dealt + setup.removed]),
        gone=unpacked(int(game["gone"]), _byte(game["merchants"], layout.GONE_M)),
    )
    return Moment(state, laid)


def _seat(player: Player) -> int:
    value = player.hand.count(Card.M) << layout.HAND_M
    value |= player.hidden.count(Card.M) << layout.HIDDEN_M
    value |= player.kept.count(Card.M) << layout.KEPT_M
    value |= worth(player.bid) << layout.WORTH
    value |= (player.offer_card or 0) << layout.OFFER_CARD
    return value | (layout.PASSED if player.passed else 0) | (layout.DONE if player.done else 0)


def _player(game: np.void, seat: int, laid: Cards) -> Player:
    value = int(game["seat"][seat])
    hand = unpacked(int(game["hand"][seat]), _byte(value, layout.HAND_M))
    return Player(
        hand=in_order(hand + laid),
        hidden=unpacked(int(game["hidden"][seat]), _byte(value, layout.HIDDEN_M)),
        bid=unpacked(int(game["bid"][seat])),
        passed=bool(value & layout.PASSED),
        offer_card=(value >> layout.OFFER_CARD & 15) or None,
        kept=unpacked(int(game["kept"][seat]), _byte(value, layout.KEPT_M)),
        done=bool(value & layout.DONE),
    )


def _takers(value: int) -> tuple[int, ...]:
    seats = []
    while value:
        seats.append((value & 15) - 1)
        value >>= 4
    return tuple(seats)


def _byte(value: np.int64 | int, shift: int) -> int:
    return int(value) >> shift & 255
