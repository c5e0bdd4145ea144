"""Features of a seat's view, compiled: the rows of :mod:`byzanz.encoding.features`."""

from __future__ import annotations

import numpy as np

from byzanz.encoding.features import FEATURES, PIECES

from . import layout
from .jit import entry, inlined, part, private
from .layout import (
    BID,
    HAND,
    HAND_M,
    HIDDEN,
    HIDDEN_M,
    KEPT,
    KEPT_M,
    SEAT,
    Bytes,
    Record,
)
from .play import offer_cards, removed_cards

FACES = 25

# These are NumPy integers, because Numba would compile a function again for every Python literal
# that is passed to it.
_START = {name: np.int64(piece.start) for name, piece in PIECES.items()}
_NONE = np.int64(0)
_PLAYERS, _PHASE, _TURN = _START["players"], _START["phase"], _START["turn"]
_STARTER, _ROUND, _ROUNDS = _START["starter"], _START["round"], _START["rounds"]
_DECK, _HIGHEST, _STACK = _START["deck"], _START["highest"], _START["stack"]
_TAKERS, _HAND, _HIDDEN, _LAID = (
    _START["takers"],
    _START["hand"],
    _START["hidden"],
    _START["laid"],
)
_OFFER, _MARKET, _GONE, _POOL = (_START["offer"], _START["market"], _START["gone"], _START["pool"])
_KNOWN, _UNKNOWN, _BID, _WORTH = (
    _START["known"],
    _START["unknown"],
    _START["bid"],
    _START["worth"],
)
_PASSED, _DONE, _OFFER_CARD = _START["passed"], _START["done"], _START["offer_card"]
_KEPT, _PROFIT = _START["kept"], _START["profit"]

_ALL = sum(
    count << int(10 * good + shift)
    for good in range(layout.GOODS)
    for shift, count in ((0, 6), (3, 5), (6, 3), (8, 2))
)
"""All goods cards of the game, packed."""


@part
def profit_of(kept: int, merchants: int) -> int:
    """Return the profit of kept cards: their values, and 5 for a merchant (R7.2, R5.3)."""
    return layout.worth_of(kept) + 5 * merchants


@entry
def write_features(game: Record, seat: int, row: Bytes) -> None:
    """Write the features of a seat's view to ``row``."""
    for place in range(FEATURES):
        row[place] = 0
    players = game[layout.PLAYERS]
    row[_PLAYERS + players - 3] = 1
    row[_PHASE + game[layout.PHASE]] = 1
    if game[layout.TURN] >= 0:
        row[_TURN + _slot(game[layout.TURN], seat, players)] = 1
    row[_STARTER + _slot(game[layout.STARTER], seat, players)] = 1
    _write_course(game, players, row)
    order = game[layout.TAKERS]
    place = 1
    while order:
        row[_TAKERS + _slot((order & 15) - 1, seat, players)] = place
        order >>= 4
        place += 1
    laid = game[layout.LAID] if game[layout.TURN] == seat else 0
    merchants = game[layout.MERCHANTS]
    own = game[SEAT + seat]
    _spread(row, _HAND, game[HAND + seat], (own >> HAND_M) & 255)
    _spread(row, _HIDDEN, game[HIDDEN + seat], (own >> HIDDEN_M) & 255)
    _spread(row, _LAID, laid, _NONE)
    _spread(row, _OFFER, game[layout.OFFER], (merchants >> layout.OFFER_M) & 255)
    _spread(row, _MARKET, game[layout.MARKET], (merchants >> layout.MARKET_M) & 255)
    _spread(row, _GONE, game[layout.GONE], (merchants >> layout.GONE_M) & 255)
    seen = game[layout.OFFER] + game[layout.MARKET] + game[layout.GONE] + game[layout.LAID]
    seen_merchants = (
        ((merchants >> layout.OFFER_M) & 255)
        + ((merchants >> layout.MARKET_M) & 255)
        + ((merchants >> layout.GONE_M) & 255)
    )
    for other in range(players):
        slot = _slot(other, seat, players)
        goods, count = _write_seat(game, other, slot, row)
        seen += goods
        seen_merchants += count
    seen += game[HIDDEN + seat]
    seen_merchants += (own >> HIDDEN_M) & 255
    _spread(row, _POOL, _ALL - seen, 16 - seen_merchants)


@private
def _slot(other: int, seat: int, players: int) -> int:
    return other - seat if other >= seat else other - seat + players


@private
def _write_course(game: Record, players: int, row: Bytes) -> None:
    """Write the round, the deck, the highest bid and the stack."""
    numbers = offer_cards(players)
    each = 0
    while numbers:
        each += numbers & 15
        numbers >>= 4
    deck = layout.CARDS - 4 * players - removed_cards(players)
    left = layout.CARDS - game[layout.DRAWN]
    row[_ROUND] = (deck - left + each - 1) // each
    row[_ROUNDS] = deck // each
    row[_DECK] = left
    row[_HIGHEST] = game[layout.HIGHEST]
    numbers = offer_cards(players)
    for _ in range(game[layout.STACK]):
        row[_STACK + (numbers & 15) - 1] = 1
        numbers >>= 4


@private
def _write_seat(game: Record, seat: int, slot: int, row: Bytes) -> tuple[int, int]:
    """Write the public features of a seat; return its visible cards except those being laid."""
    flags = game[SEAT + seat]
    hidden = game[HIDDEN + seat]
    hidden_merchants = (flags >> HIDDEN_M) & 255
    hand = game[HAND + seat]
    known_merchants = ((flags >> HAND_M) & 255) - hidden_merchants
    kept_merchants = (flags >> KEPT_M) & 255
    laid = game[layout.LAID] if game[layout.TURN] == seat else 0
    _spread(row, _KNOWN + FACES * slot, hand + laid - hidden, known_merchants)
    row[_UNKNOWN + slot] = layout.size_of(hidden) + hidden_merchants
    _spread(row, _BID + FACES * slot, game[BID + seat], _NONE)
    row[_WORTH + slot] = (flags >> layout.WORTH) & 255
    row[_PASSED + slot] = (flags & layout.PASSED) != 0
    row[_DONE + slot] = (flags & layout.DONE) != 0
    card = (flags >> layout.OFFER_CARD) & 15
    if card:
        row[_OFFER_CARD + 6 * slot + card - 1] = 1
    _spread(row, _KEPT + FACES * slot, game[KEPT + seat], kept_merchants)
    row[_PROFIT + slot] = profit_of(game[KEPT + seat], kept_merchants)
    return hand - hidden + game[BID + seat] + game[KEPT + seat], known_merchants + kept_merchants


@inlined
def _spread(row: Bytes, start: int, goods: int, merchants: int) -> None:
    """Write the counts of all 25 faces."""
    row[start + layout.MERCHANT] = merchants
    if goods:
        for good in range(layout.GOODS):
            lane = goods >> (10 * good)
            row[start + 4 * good] = lane & 7
            row[start + 4 * good + 1] = (lane >> 3) & 7
            row[start + 4 * good + 2] = (lane >> 6) & 3
            row[start + 4 * good + 3] = (lane >> 8) & 3
