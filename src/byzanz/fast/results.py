"""Profits and winners (R7.2), compiled."""

from __future__ import annotations

from . import layout
from .jit import entry, private
from .layout import (
    HAND,
    KEPT,
    KEPT_M,
    SEAT,
    Floats,
    Ints,
    Record,
    size_of,
)
from .observe import profit_of


@entry
def write_profits(game: Record, profits: Ints) -> None:
    """Write each seat's current profit; 0 for empty seats."""
    for seat in range(layout.SEATS):
        profits[seat] = 0
    for seat in range(game[layout.PLAYERS]):
        profits[seat] = profit_of(game[KEPT + seat], (game[SEAT + seat] >> KEPT_M) & 255)


@entry
def write_shares(game: Record, shares: Floats) -> None:
    """Write each seat's share of the win: 1 for a sole winner, equal parts for several (I3)."""
    best, winners = -1, 0
    for seat in range(game[layout.PLAYERS]):
        rank = _rank(game, seat)
        if rank > best:
            best, winners = rank, 0
        winners += rank == best
    for seat in range(layout.SEATS):
        shares[seat] = 0
    for seat in range(game[layout.PLAYERS]):
        if _rank(game, seat) == best:
            shares[seat] = 1 / winners


@private
def _rank(game: Record, seat: int) -> int:
    """Return the seat's rank: by profit, then by goods cards in hand (R7.2, I3)."""
    earned = profit_of(game[KEPT + seat], (game[SEAT + seat] >> KEPT_M) & 255)
    laid = game[layout.LAID] if game[layout.TURN] == seat else 0
    return 256 * earned + size_of(game[HAND + seat] + laid)
