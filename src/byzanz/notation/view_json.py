"""Conversion of views to JSON values and back, for other programs.

Cards are lists of faces, and actions are texts in the notation. Keys that correspond
to attributes of View have the same names. ``docs/notation.md`` lists all keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from byzanz.rules import (
    Cards,
    Discard,
    Done,
    Ended,
    Event,
    FinalSale,
    Give,
    MarketCleared,
    Pass,
    Played,
    Result,
    SeatView,
    Take,
    TurnedUp,
    View,
    Won,
    profit,
    worth,
)

from .position import parse_view, write_view
from .text import Fault, Malformed, parse_action, parse_card, write_action


def view_data(seen: View, *, course: bool = False) -> dict[str, Any]:
    """Return a view as JSON values, with its legal actions, and with its events if ``course``."""
    data: dict[str, Any] = {
        "position": write_view(seen),
        "players": len(seen.players),
        "seat": seen.seat,
        "phase": seen.phase.value,
        "turn": seen.turn,
        "starter": seen.starter,
        "round": seen.round,
        "rounds": seen.setup.rounds,
        "hand": _texts(seen.hand),
        "hidden": _texts(seen.hidden),
        "seats": [_seat(player) for player in seen.players],
        "stack": list(seen.stack),
        "takers": list(seen.takers),
        "offer": _texts(seen.offer),
        "highest": seen.highest,
        "market": _texts(seen.market),
        "deck_size": seen.deck_size,
        "removed": seen.setup.removed,
        "gone": _texts(seen.gone),
        "pool": _texts(seen.pool),
        "legal": None if seen.seat is None else legal_data(seen),
    }
    if course:
        data["course"] = [event_data(event) for event in seen.course]
    return data


def legal_data(seen: View) -> dict[str, Any]:
    """Return the viewer's legal actions by type.

    ``beat`` is None if the viewer may not bid now. Otherwise any goods cards in hand that are
    together worth more than ``beat`` make a legal bid or raise (R3.3, R3.4, R3.7).
    """
    options = seen.options
    answers = options.answers
    bids = Pass() in answers
    return {
        "pass": bids,
        "beat": seen.highest - worth(seen.players[options.seat].bid) if bids else None,
        "give": [str(answer.card) for answer in answers if isinstance(answer, Give)],
        "take": [str(answer.kind) for answer in answers if isinstance(answer, Take)],
        "sell": [_texts(sale.cards) for sale in options.sales],
        "discard": [str(answer.card) for answer in answers if isinstance(answer, Discard)],
        "done": Done() in answers,
    }


def event_data(event: Event) -> dict[str, Any]:
    """Return an event as JSON values, its ``type`` first."""
    match event:
        case TurnedUp():
            return {
                "type": "turned-up",
                "round": event.round,
                "offer_card": event.offer_card,
                "cards": _texts(event.cards),
                "starter": event.starter,
            }
        case Played():
            return {"type": "played", "seat": event.seat, "action": write_action(event.action)}
        case Won():
            return {
                "type": "won",
                "seat": event.seat,
                "offer_card": event.offer_card,
                "paid": _texts(event.paid),
            }
        case MarketCleared():
            return {"type": "market-cleared", "round": event.round, "cards": _texts(event.cards)}
        case FinalSale():
            return {"type": "final-sale"}
        case Ended():
            return {
                "type": "ended",
                "profit": list(event.result.profit),
                "winners": list(event.result.winners),
            }


def read_view(data: Mapping[str, Any]) -> View:
    """Read a view that :func:`view_data` wrote, with its events if the data has them.

    Raises Malformed. Does not check whether the events lead to the position.
    """
    try:
        seen = parse_view(data["position"])
        course = tuple([_event(event) for event in data.get("course", ())])
    except (AttributeError, KeyError, TypeError) as error:
        raise Malformed(Fault.WRONG_TYPE, "a view's data", str(error)) from None
    return replace(seen, course=course)


def _event(data: Mapping[str, Any]) -> Event:
    match data["type"]:
        case "turned-up":
            cards = _cards(data["cards"])
            return TurnedUp(data["round"], data["offer_card"], cards, data["starter"])
        case "played":
            return Played(data["seat"], parse_action(data["action"]))
        case "won":
            return Won(data["seat"], data["offer_card"], _cards(data["paid"]))
        case "market-cleared":
            return MarketCleared(data["round"], _cards(data["cards"]))
        case "final-sale":
            return FinalSale()
        case "ended":
            return Ended(Result(tuple(data["profit"]), tuple(data["winners"])))
    raise Malformed(Fault.UNKNOWN_TYPE, "an event", str(data["type"]))


def _seat(player: SeatView) -> dict[str, Any]:
    return {
        "known": _texts(player.known),
        "unknown": player.unknown,
        "hand_size": player.hand_size,
        "bid": _texts(player.bid),
        "bid_worth": worth(player.bid),
        "passed": player.passed,
        "offer_card": player.offer_card,
        "kept": _texts(player.kept),
        "profit": profit(player.kept),
        "done": player.done,
    }


def _texts(cards: Cards) -> list[str]:
    return [card.name for card in cards]


def _cards(texts: Iterable[str]) -> Cards:
    return tuple([parse_card(text) for text in texts])
