"""Positions as lines of text: a complete state, or a view, in which some cards are unknown.

A state begins with ``state/1``; a view begins with ``view/1`` and the viewer's seat (``-`` for a
spectator). The fields follow in a fixed order, which ``docs/notation.md`` describes. A view gives
the number of unknown cards after a question mark. Parsing checks the position against the rules,
so a game can continue from any parsed position.
"""

from __future__ import annotations

import re
from itertools import islice

from byzanz.rules import (
    ALL_CARDS,
    SETUPS,
    Card,
    Cards,
    Phase,
    Player,
    SeatView,
    State,
    View,
    flaws,
    in_order,
    view,
)
from byzanz.rules.cards import missing, without

from .text import Fault, Malformed, parse_run, run_together

_FIELDS = [
    "phase",
    "turn",
    "start",
    "stack",
    "takers",
    "offer",
    "market",
    "seats",
    "deck",
    "removed",
    "gone",
]


def write_state(state: State) -> str:
    """Write a state as one line."""
    seats = [
        _seat(run_together(player.known), run_together(player.hidden), player)
        for player in state.players
    ]
    return "state/1 " + _line(
        state, seats, deck=run_together(state.deck), removed=run_together(state.removed)
    )


def write_view(seen: View) -> str:
    """Write a view as one line, without its events."""
    seats = []
    for seat, player in enumerate(seen.players):
        hidden = run_together(seen.hidden) if seat == seen.seat else f"?{player.unknown}"
        seats.append(_seat(run_together(player.known), hidden, player))
    viewer = "-" if seen.seat is None else str(seen.seat)
    deck, removed = f"?{seen.deck_size}", f"?{seen.setup.removed}"
    return f"view/1 seat={viewer} " + _line(seen, seats, deck=deck, removed=removed)


def parse_state(text: str) -> State:
    """Parse a state; raises Malformed."""
    fields = _fields(text, "state/1", _FIELDS)
    if "?" in text:
        raise Malformed(Fault.POSITION, "a state without unknown cards", text)
    return _state(fields)


def parse_view(text: str) -> View:
    """Parse a view without events; raises Malformed."""
    fields = _fields(text, "view/1", ["seat", *_FIELDS])
    state = _state(fields)
    seat = _number(fields["seat"], "seat")
    if seat is not None and seat >= len(state.players):
        raise Malformed(Fault.POSITION, "the viewer's seat to be one of the seats", fields["seat"])
    hands = [part.partition(":")[0].partition("+")[2] for part in fields["seats"].split("/")]
    closed = [at for at, hand in enumerate(hands) if hand.startswith("?")]
    if closed != [at for at in range(len(hands)) if at != seat] or not (
        fields["deck"].startswith("?") and fields["removed"].startswith("?")
    ):
        expected = "unknown cards (?n) for deck, removed and every hand but the viewer's own"
        raise Malformed(Fault.POSITION, expected, text)
    return view(state, seat)


def is_position(text: str) -> bool:
    """Return whether the text begins like a position."""
    return text.startswith(("state/1 ", "view/1 "))


def _line(position: State | View, seats: list[str], *, deck: str, removed: str) -> str:
    values = {
        "phase": position.phase.value,
        "turn": "-" if position.turn is None else str(position.turn),
        "start": str(position.starter),
        "stack": "".join(map(str, position.stack)) or "-",
        "takers": "".join(map(str, position.takers)) or "-",
        "offer": run_together(position.offer),
        "market": run_together(position.market),
        "seats": "/".join(seats),
        "deck": deck,
        "removed": removed,
        "gone": run_together(position.gone),
    }
    return " ".join(f"{name}={values[name]}" for name in _FIELDS)


def _seat(known: str, hidden: str, player: Player | SeatView) -> str:
    standing = "out" if player.passed else "done" if player.done else str(player.offer_card or "in")
    return f"{known}+{hidden}:{run_together(player.bid)}:{standing}:{run_together(player.kept)}"


def _fields(text: str, head: str, names: list[str]) -> dict[str, str]:
    first, *rest = text.split(" ")
    if first != head:
        raise Malformed(Fault.POSITION, f"a line that begins with '{head}'", text)
    pairs = [part.partition("=") for part in rest]
    if [name for name, _, _ in pairs] != names:
        expected = "the fields " + " ".join(f"{name}=" for name in names)
        raise Malformed(Fault.POSITION, expected, " ".join(name for name, _, _ in pairs))
    return {name: value for name, _, value in pairs}


def _state(fields: dict[str, str]) -> State:
    """Return the state that the fields describe; :func:`_filled` chooses the unknown cards."""
    seats = [_SEAT.fullmatch(seat) for seat in fields["seats"].split("/")]
    if len(seats) not in SETUPS or None in seats:
        expected = "3 to 6 seats, each 'known+hidden:bid:standing:kept'"
        raise Malformed(Fault.POSITION, expected, fields["seats"])
    parts = [seat.groupdict() for seat in seats if seat is not None]
    hidden = [part["hidden"] for part in parts]
    *hands, deck, removed = _filled([*hidden, fields["deck"], fields["removed"]], fields, parts)
    try:
        phase = Phase(fields["phase"])
    except ValueError:
        expected = "a phase: " + ", ".join(phase.value for phase in Phase)
        raise Malformed(Fault.POSITION, expected, fields["phase"]) from None
    start = _number(fields["start"], "start")
    state = State(
        phase=phase,
        turn=_number(fields["turn"], "turn"),
        starter=-1 if start is None else start,
        players=tuple(_player(part, hand) for part, hand in zip(parts, hands, strict=True)),
        stack=_digits(fields["stack"], "stack"),
        takers=_digits(fields["takers"], "takers"),
        offer=in_order(parse_run(fields["offer"])),
        market=in_order(parse_run(fields["market"])),
        deck=deck,
        removed=in_order(removed),
        gone=in_order(parse_run(fields["gone"])),
    )
    flaw = next(flaws(state), None)
    if flaw is not None:
        raise Malformed(Fault.POSITION, f"a position of the game, but {flaw}")
    return state


_SEAT = re.compile(
    r"(?P<known>[^+:]+)\+(?P<hidden>[^+:]+):(?P<bid>[^:]+)"
    r":(?P<standing>in|out|done|[1-6]):(?P<kept>[^:]+)",
    re.ASCII,
)


def _player(part: dict[str, str], hidden: Cards) -> Player:
    standing = part["standing"]
    return Player(
        hand=in_order(parse_run(part["known"]) + hidden),
        hidden=in_order(hidden),
        bid=in_order(parse_run(part["bid"])),
        passed=standing == "out",
        offer_card=int(standing) if standing.isdigit() else None,
        kept=in_order(parse_run(part["kept"])),
        done=standing == "done",
    )


def _filled(places: list[str], fields: dict[str, str], parts: list[dict[str, str]]) -> list[Cards]:
    """Return the cards of each place; ``?n`` becomes any n cards that the text does not name."""
    seen = [parse_run(place) for place in places if not place.startswith("?")]
    seen += [parse_run(fields[name]) for name in ("offer", "market", "gone")]
    seen += [parse_run(part[name]) for part in parts for name in ("known", "bid", "kept")]
    cards: list[Card] = [card for group in seen for card in group]
    extra = missing(ALL_CARDS, cards)
    if extra:
        expected = "no more cards of a face than the game has"
        raise Malformed(Fault.POSITION, expected, run_together(in_order(extra)))
    pool = without(ALL_CARDS, cards)
    unknown = sum(_count(place) for place in places if place.startswith("?"))
    if unknown != len(pool):
        expected = f"{len(pool)} unknown cards in all, as many as the text does not name"
        raise Malformed(Fault.POSITION, expected, str(unknown))
    rest = iter(pool)
    return [
        tuple(islice(rest, _count(place))) if place.startswith("?") else parse_run(place)
        for place in places
    ]


def _count(place: str) -> int:
    if not re.fullmatch(r"\?(0|[1-9][0-9]{0,2})", place):
        raise Malformed(Fault.POSITION, "a number of unknown cards, as in ?3", place)
    return int(place[1:])


def _number(text: str, name: str) -> int | None:
    if text == "-":
        return None
    if not re.fullmatch("[0-5]", text):
        raise Malformed(Fault.POSITION, f"{name} to be a seat from 0 to 5, or -", text)
    return int(text)


def _digits(text: str, name: str) -> tuple[int, ...]:
    if not re.fullmatch("-|[0-6]+", text):
        raise Malformed(Fault.POSITION, f"{name} to be digits, or -", text)
    return () if text == "-" else tuple(map(int, text))
