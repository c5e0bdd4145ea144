"""A seat's view of an engine record as a line of notation, made without converting the record.

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
    """Return packed goods and merchants as text without spaces; ``-`` if there are none."""
    text = ""
    for shift in range(0, 10 * layout.GOODS, 10):
        lane = goods & layout.LANE << shift
        if lane:
            text += _good_text(lane)
    return text + "M" * merchants or "-"


@lru_cache(maxsize=layout.GOODS << 10)
def _good_text(goods: int) -> str:
    """Return the packed cards of one good as text."""
    return run_together(unpacked(goods))


def view_text(game: Record, seat: int | None) -> str:
    """Return the view of a seat, or of a spectator if None, as a line of notation."""
    fields = game.tolist()
    players, turn, merchants = fields[layout.PLAYERS], fields[layout.TURN], fields[layout.MERCHANTS]
    setup = SETUPS[players]
    stack = "".join([str(card) for card in setup.offer_cards[: fields[layout.STACK]]])
    seats = "/".join(
        [_seat_text(*_seat(fields, other), own=other == seat) for other in range(players)]
    )
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
    laid = int(game[layout.LAID])
    return write_cards(unpacked(laid)) if laid else ""


def _seat(fields: list[int], seat: int) -> tuple[int, int, int, int, int]:
    """Return what a seat's text depends on: known and hidden cards, bid, kept cards, flags."""
    laid = fields[layout.LAID] if fields[layout.TURN] == seat else 0
    hidden = fields[layout.HIDDEN + seat]
    known = fields[layout.HAND + seat] + laid - hidden
    bid, kept = fields[layout.BID + seat], fields[layout.KEPT + seat]
    return known, hidden, bid, kept, fields[layout.SEAT + seat]


@lru_cache(maxsize=1 << 14)
def _seat_text(known: int, hidden: int, bid: int, kept: int, value: int, *, own: bool) -> str:  # noqa: PLR0913
    hidden_merchants = value >> layout.HIDDEN_M & 255
    shown = cards_text(hidden, hidden_merchants)
    if not own:
        shown = f"?{len(unpacked(hidden)) + hidden_merchants}"
    if value & layout.PASSED:
        standing = "out"
    elif value & layout.DONE:
        standing = "done"
    else:
        standing = str((value >> layout.OFFER_CARD & 15) or "in")
    return (
        f"{cards_text(known, (value >> layout.HAND_M & 255) - hidden_merchants)}+{shown}"
        f":{cards_text(bid)}:{standing}:{cards_text(kept, value >> layout.KEPT_M & 255)}"
    )


@lru_cache(maxsize=1 << 10)
def _takers_text(order: int) -> str:
    seats = ""
    while order:
        seats += str((order & 15) - 1)
        order >>= 4
    return seats or "-"
