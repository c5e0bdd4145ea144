"""Requests of a viewer at one point of a game: pages, the API, lists, and refused actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from byzanz.coach.puzzles import load_puzzles
from byzanz.notation import write_action
from byzanz.rules import FACES, Action, Bid, Chance, Discard, Done, Give, Kind, Pass, Sell, Take
from byzanz.tables.model.table import Table

from .recorder import Recorder

_PUZZLE = next(iter(load_puzzles()))
_PUZZLES = ("/puzzles", f"/puzzles/{_PUZZLE}", f"/puzzles/{_PUZZLE}?answer=pass",
            f"/api/puzzles/{_PUZZLE}")  # fmt: skip
"""Pages that have nothing to do with the table."""
_MALFORMED = ("bid", "bid Q7", "sell C1", "take everything", "", "pass pass", "discard")


def send_requests(recorder: Recorder, table: Table, chance: Chance) -> None:
    """Request the table in several ways, and some things that are refused."""
    api, page = f"/api/tables/{table.id}", f"/table/{table.id}"
    assert table.game is not None
    recorder.get(api)
    recorder.get(
        chance.choice(
            (page, f"{page}/story", "/", "/games", "/ratings?players=3", "/notifications")
        )
    )
    recorder.get(
        chance.choice(
            (
                "/api/lobby",
                "/api/me/tables",
                "/api/me/games",
                "/api/me/statistics",
                "/api/me",
                api,
                "/api/ratings",
                "/api/me/ratings",
                "/api/me/notifications",
            )
        )
    )
    recorder.get(chance.choice(_PUZZLES))
    _change_sessions(recorder, chance)
    if not table.game.over:  # everything is visible after the end
        for _ in range(2):
            recorder.get(chance.choice(exports(api, page)))
    _send_to_the_coach(recorder, table, chance)
    for place in range(2):
        _send_refused_action(recorder, table, chance, f"refused-{place}")
    _send_command(recorder, table, chance)


def action_body(table: Table, seat: int, action: Action, key: str) -> dict[str, Any]:
    """Return the body of a request to act."""
    named = {"sale": table.sales[seat]} if isinstance(action, Sell) else {}
    return {"action": write_action(action), "key": key, "decision": table.decision, **named}


def exports(api: str, page: str) -> tuple[str, ...]:
    """Return the paths of everything that shows a whole game."""
    return (
        f"{api}/proof",
        f"{page}/verify",
        f"{api}/record",
        f"{api}/replay",
        f"{api}/replay?seat=1&step=2",
        f"{api}/review",
        f"{api}/branches",
        f"{api}/ratings",
        f"{page}/record",
        f"{page}/replay",
        f"{page}/replay?seat=1&step=2&open=1",
        f"{page}/replay/steps?from=0&seat=1&open=1",
        f"{page}/review?seat=1&step=2",
        f"{page}/dearest",
        f"{page}/result",
        f"{page}/result.png",
    )


def _change_sessions(recorder: Recorder, chance: Chance) -> None:
    """Create a token, list all sessions and end all but this one, as a page and as a program."""
    if chance.below(2):
        recorder.post("/api/me/tokens", {"name": "bot", "days": 1 + chance.below(365)})
        recorder.get("/api/me/sessions")
    else:
        recorder.send("/me/tokens", [("name", "bot"), ("days", "30")], "text/html")
        recorder.get("/me/devices")
    recorder.send("/me/devices/nothing/end", [], "text/html")
    recorder.send("/me/devices/end", [], "text/html")


def _send_to_the_coach(recorder: Recorder, table: Table, chance: Chance) -> None:
    """Ask for the odds and for a hint, as a page and as a program."""
    api, page = f"/api/tables/{table.id}", f"/table/{table.id}"
    recorder.get(chance.choice((f"{api}/odds", f"{page}/odds")))
    if chance.below(2):
        recorder.post(f"{api}/hint", {"decision": table.decision})
    else:
        accept = chance.choice(("text/plain", "text/html"))
        recorder.send(f"{page}/hint", [("decision", str(table.decision))], accept)


def _send_refused_action(recorder: Recorder, table: Table, chance: Chance, key: str) -> None:
    """Try an action that is malformed, stale or illegal."""
    action = _illegal(table, recorder.seat, chance)
    body = action_body(table, recorder.seat or 0, action, key)
    match chance.below(6):
        case 0:
            body["action"] = chance.choice(_MALFORMED)
        case 1:
            body |= {"decision": table.decision + 7, "sale": 7}
        case 2 | 3:
            does, *cards = str(body["action"]).split()
            fields = [("do", does), *_chosen(does, cards), ("decision", str(body["decision"]))]
            fields += [("sale", str(body.get("sale", ""))), ("key", key)]
            accept = chance.choice(("text/plain", "text/html"))
            recorder.send(f"/table/{table.id}/act", fields, accept)
            return
    recorder.post(f"/api/tables/{table.id}/actions", body)


def _chosen(does: str, cards: list[str]) -> list[tuple[str, str]]:
    return [(does if does in ("give", "take") else "card", card) for card in cards]


def _illegal(table: Table, seat: int | None, chance: Chance) -> Action:
    """Return an action that is illegal for the seat."""
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


def _send_command(recorder: Recorder, table: Table, chance: Chance) -> None:
    """Send a command that a table in play declines, or whose result everybody can see."""
    assert table.game is not None
    commands: dict[str, Mapping[str, Any] | None] = {
        "join": {"seat": chance.below(len(table.chairs))},
        "start": {},
        "return": None,
        "remove": {"seat": chance.below(len(table.chairs))},
        "replace": {"seat": chance.below(len(table.chairs))},
        "leave": None,
        "rematch": {"rotated": bool(chance.below(2)), "invite": bool(chance.below(2))},
        "review": None,
        "say": {"phrase": chance.choice(("hello", "smile", "ouch"))},
        "talk": {"on": bool(chance.below(2))},
        "undo": {"undo": table.logged - 1 if table.logged else 0, "key": "undo"},
        "vote": {"wants": bool(chance.below(2))},
        "admission": {"password": "any password"},
    }
    if table.game.over:
        del commands["rematch"], commands["review"]  # they would start another game, and a process
    _prepare(recorder, table, chance)
    name = chance.choice(tuple(commands))
    body = commands[name]
    if chance.below(2) or name == "return":
        recorder.post(f"/api/tables/{table.id}/{name}", body)
    else:
        fields = [(key, str(value)) for key, value in (body or {}).items()]
        path = {"admission": "password"}.get(name, name)
        recorder.send(f"/table/{table.id}/{path}", fields, "text/html")


def _prepare(recorder: Recorder, table: Table, chance: Chance) -> None:
    """Prepare an answer and change the automatic actions, by form."""
    assert table.game is not None
    state = table.game.state
    does = chance.choice(("prepare-bid", "prepare-pass", "prepare-take", "cancel"))
    fields = [("do", does), ("round", str(state.round)), ("take", chance.choice("CGOSTWM"))]
    fields += [("offer_card", str(state.stack[-1])) if state.stack else ("offer_card", "")]
    fields += [("card", str(chance.choice(FACES))), ("own", "0")]
    recorder.send(f"/table/{table.id}/prepare", fields, chance.choice(("text/plain", "text/html")))
    if not chance.below(3):
        recorder.send(f"/table/{table.id}/automatic", [("take_last", "on")], "text/plain")
