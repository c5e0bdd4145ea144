"""What an observer asks for at a point of a game: pages, sights, lists, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from byzanz.notation import write_action
from byzanz.rules import FACES, Action, Bid, Chance, Discard, Done, Give, Kind, Pass, Sell, Take
from byzanz.tables.model.table import Table

from .ear import Ear

_MALFORMED = ("bid", "bid Q7", "sell C1", "take everything", "", "pass pass", "discard")


def ask_around(ear: Ear, table: Table, chance: Chance) -> None:
    """The observer has asked for the table in several ways, and for what is not to be had."""
    api, page = f"/api/tables/{table.id}", f"/table/{table.id}"
    assert table.game is not None
    ear.get(api)
    ear.get(chance.choice((page, f"{page}/story", "/")))
    ear.get(chance.choice(("/api/lobby", "/api/me/tables", "/api/me", api)))
    if not table.game.over:  # after the end everybody may see everything
        ear.get(chance.choice(_exports(api, page)))
    for place in range(2):
        _err(ear, table, chance, f"fault-{place}")
    _command(ear, table, chance)


def acting(table: Table, seat: int, action: Action, key: str) -> dict[str, Any]:
    """The request for an action that names what it answers."""
    named = {"sale": table.sales[seat]} if isinstance(action, Sell) else {}
    return {"action": write_action(action), "key": key, "decision": table.decision, **named}


def _exports(api: str, page: str) -> tuple[str, ...]:
    return (
        f"{api}/record",
        f"{api}/replay",
        f"{api}/replay?seat=1&step=2",
        f"{page}/record",
        f"{page}/replay",
        f"{page}/replay?seat=1&step=2",
    )


def _err(ear: Ear, table: Table, chance: Chance, key: str) -> None:
    """The observer has tried an action that is malformed, late, or against the rules."""
    action = _illegal(table, ear.seat, chance)
    asked = acting(table, ear.seat or 0, action, key)
    match chance.below(6):
        case 0:
            asked["action"] = chance.choice(_MALFORMED)
        case 1:
            asked |= {"decision": table.decision + 7, "sale": 7}
        case 2 | 3:
            does, *cards = str(asked["action"]).split()
            fields = [("do", does), *_chosen(does, cards), ("decision", str(asked["decision"]))]
            fields += [("sale", str(asked.get("sale", ""))), ("key", key)]
            accept = chance.choice(("text/plain", "text/html"))
            ear.send(f"/table/{table.id}/act", fields, accept)
            return
    ear.post(f"/api/tables/{table.id}/actions", asked)


def _chosen(does: str, cards: list[str]) -> list[tuple[str, str]]:
    return [(does if does in ("give", "take") else "card", card) for card in cards]


def _illegal(table: Table, seat: int | None, chance: Chance) -> Action:
    """An action that the rules refuse the seat."""
    assert table.game is not None
    allowed = () if seat is None else table.game.view(seat).options
    return next(action for action in _any_actions(chance) if action not in allowed)


def _any_actions(chance: Chance) -> Iterator[Action]:
    while True:
        cards = tuple(sorted(chance.choice(FACES) for _ in range(3)))
        yield Bid(cards[: 1 + chance.below(3)])
        plain: tuple[Action, ...] = (Pass(), Done(), Discard(cards[0]), Give(cards[0]))
        yield chance.choice(plain)
        yield Take(chance.choice(tuple(Kind)))
        yield Sell(cards)
        yield Sell((cards[0],) * 3)


def _command(ear: Ear, table: Table, chance: Chance) -> None:
    """The observer has given a command that a table in play declines, or does for all to see."""
    assert table.game is not None
    commands: dict[str, Mapping[str, Any] | None] = {
        "join": {"seat": chance.below(len(table.chairs))},
        "start": {},
        "return": None,
        "replace": {"seat": chance.below(len(table.chairs))},
        "leave": None,
        "rematch": {"rotated": bool(chance.below(2))},
    }
    if table.game.over:
        del commands["rematch"]  # a new table is another game
    name = chance.choice(tuple(commands))
    body = commands[name]
    if chance.below(2) or name == "return":
        ear.post(f"/api/tables/{table.id}/{name}", body)
    else:
        fields = [(key, str(value)) for key, value in (body or {}).items()]
        ear.send(f"/table/{table.id}/{name}", fields, "text/html")
