"""What has just happened, in a form that the page's script can show and sound.

All of it is in the public course of play (I6): nothing here tells more than the log does.
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
from byzanz.tables import Sight

_FAR_ENOUGH = 5
"""How many events back the last action is found."""


def moments(sight: Sight) -> list[dict[str, Any]]:
    """The last action and what followed from it, the action first; empty before the first one."""
    if sight.view is None:
        return []
    tail = sight.view.course[-_FAR_ENOUGH:]
    played = [place for place, event in enumerate(tail) if isinstance(event, Played)]
    if not played:
        return []
    return [_moment(event, len(sight.sitters)) for event in tail[played[-1] :]]


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
