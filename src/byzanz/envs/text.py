"""A seat's view of a record as a line of notation, without converting the record to a view.

The line is the one that :func:`byzanz.notation.write_view` writes. The texts of cards are cached by
their packed form, because most of them do not change from one step to the next.
"""

from __future__ import annotations

from functools import lru_cache

from byzanz.fast import layout
from byzanz.fast.convert import unpacked
from byzanz.fast.layout import Record
from byzanz.notation.text import run_together, write_cards
from byzanz.rules import SETUPS, Phase

_PHASES = [phase.value for phase in Phase]


@lru_cache(maxsize=1 << 14)
def cards_text(goods: int, merchants: int = 0) -> str:
    """Return packed goods and merchants as text without spaces, ``-`` if there are none."""
    return run_together(unpacked(goods, merchants))


def view_text(game: Record, seat: int | None) -> str:
    """Return a seat's view of a record as a line of notation; a spectator's if None."""
    fields = game.tolist()
    players, turn, merchants = fields[layout.PLAYERS], fields[layout.TURN], fields[layout.MERCHANTS]
    setup = SETUPS[players]
    stack = "".join([str(card) for card in setup.offer_cards[: fields[layout.STACK]]])
    seats = "/".join([_seat_text(fields, other, other == seat) for other in range(players)])
    return (
        f"view/1 seat={'-' if seat is None else seat} phase={_PHASES[fields[layout.PHASE]]}"
        f" turn={'-' if turn < 0 else turn} start={fields[layout.STARTER]}"
        f" stack={stack or '-'} takers={_takers_text(fields[layout.TAKERS])}"
        f" offer={cards_text(fields[layout.OFFER], merchants >> layout.OFFER_M & 255)}"
        f" market={cards_text(fields[layout.MARKET], merchants >> layout.MARKET_M & 255)}"
        f" seats={seats} deck=?{layout.CARDS - fields[layout.DRAWN]} removed=?{setup.removed}"
        f" gone={cards_text(fields[layout.GONE], merchants >> layout.GONE_M & 255)}"
    )


def hand_text(game: Record, seat: int) -> str:
    """Return a seat's whole hand, including cards laid towards a bid, without spaces."""
    laid = int(game[layout.LAID]) if game[layout.TURN] == seat else 0
    merchants = int(game[layout.SEAT + seat]) >> layout.HAND_M & 255
    return cards_text(int(game[layout.HAND + seat]) + laid, merchants)


def hidden_text(game: Record, seat: int) -> str:
    """Return the cards of a seat that the others have not seen, without spaces."""
    merchants = int(game[layout.SEAT + seat]) >> layout.HIDDEN_M & 255
    return cards_text(int(game[layout.HIDDEN + seat]), merchants)


def laid_text(game: Record) -> str:
    """Return the cards laid towards a bid, with spaces; empty if there are none."""
    return write_cards(unpacked(int(game[layout.LAID])))


def _seat_text(fields: list[int], seat: int, own: bool) -> str:
    value = fields[layout.SEAT + seat]
    hidden, hidden_merchants = fields[layout.HIDDEN + seat], value >> layout.HIDDEN_M & 255
    laid = fields[layout.LAID] if fields[layout.TURN] == seat else 0
    known = cards_text(
        fields[layout.HAND + seat] + laid - hidden,
        (value >> layout.HAND_M & 255) - hidden_merchants,
    )
    shown = cards_text(hidden, hidden_merchants) if own else f"?{_count(hidden) + hidden_merchants}"
    if value & layout.PASSED:
        standing = "out"
    elif value & layout.DONE:
        standing = "done"
    else:
        standing = str((value >> layout.OFFER_CARD & 15) or "in")
    kept = cards_text(fields[layout.KEPT + seat], value >> layout.KEPT_M & 255)
    return f"{known}+{shown}:{cards_text(fields[layout.BID + seat])}:{standing}:{kept}"


@lru_cache(maxsize=1 << 14)
def _count(goods: int) -> int:
    return len(unpacked(goods))


@lru_cache(maxsize=1 << 10)
def _takers_text(order: int) -> str:
    seats = ""
    while order:
        seats += str((order & 15) - 1)
        order >>= 4
    return seats or "-"
