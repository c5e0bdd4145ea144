"""Who has won (R7.2), compiled."""

from __future__ import annotations

from . import layout as w
from .jit import entry, private
from .layout import (
    HAND,
    KEPT,
    KEPT_M,
    SEAT,
    Floats,
    Words,
    size_of,
)
from .observe import profit_of


@entry
def write_profits(game: Words, profits: Words) -> None:
    """Sets each seat's profit as the cards lie now, 0 for seats that nobody has."""
    for seat in range(w.SEATS):
        profits[seat] = 0
    for seat in range(game[w.PLAYERS]):
        profits[seat] = profit_of(game[KEPT + seat], (game[SEAT + seat] >> KEPT_M) & 255)


@entry
def write_shares(game: Words, shares: Floats) -> None:
    """Sets each seat's share of the win: 1 for a sole winner, divided among several (I3)."""
    best, winners = -1, 0
    for seat in range(game[w.PLAYERS]):
        rank = _rank(game, seat)
        if rank > best:
            best, winners = rank, 0
        winners += rank == best
    for seat in range(w.SEATS):
        shares[seat] = 0
    for seat in range(game[w.PLAYERS]):
        if _rank(game, seat) == best:
            shares[seat] = 1 / winners


@private
def _rank(game: Words, seat: int) -> int:
    """Profit first, then goods cards still in hand (R7.2, I3)."""
    earned = profit_of(game[KEPT + seat], (game[SEAT + seat] >> KEPT_M) & 255)
    laid = game[w.LAID] if game[w.TURN] == seat else 0
    return 256 * earned + size_of(game[HAND + seat] + laid)
