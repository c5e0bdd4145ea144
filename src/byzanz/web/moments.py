"""What has just happened, for the animations and sounds of the page's script.

Like the log, it is made only from events that the viewer may see (I6).
"""

from __future__ import annotations

from typing import Any

from byzanz.rules import (
    SETUPS,
    Ended,
    Event,
    FinalSale,
    MarketCleared,
    Played,
    Sell,
    TurnedUp,
    Won,
    kept,
    profit,
)
from byzanz.tables import TableView

_TAIL = 5
"""The number of events at the end of a course that always include the last action."""


def moments(table_view: TableView) -> list[dict[str, Any]]:
    """Return the last action and the events that followed from it; empty before the first one."""
    if table_view.view is None:
        return []
    tail = table_view.view.course[-_TAIL:]
    played = [place for place, event in enumerate(tail) if isinstance(event, Played)]
    if not played:
        return []
    return [_moment(event, len(table_view.sitters)) for event in tail[played[-1] :]]


def _moment(event: Event, players: int) -> dict[str, Any]:
    match event:
        case Played(seat=seat, action=Sell(cards=cards)):
            return {"what": "sell", "seat": seat, "gain": profit([kept(cards)])}
        case Played(seat=seat, action=action):
            return {"what": type(action).__name__.lower(), "seat": seat}
        case Won(seat=seat):
            return {"what": "won", "seat": seat}
        case TurnedUp(round=number, offer_card=offer_card):
            first = offer_card == SETUPS[players].offer_cards[-1]
            last = first and number == SETUPS[players].rounds
            return {"what": "offer", "round": number if first else 0, "last": last}
        case MarketCleared():
            return {"what": "cleared"}
        case FinalSale():
            return {"what": "final"}
        case Ended(result=result):
            return {"what": "ended", "winners": list(result.winners)}
