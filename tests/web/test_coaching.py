"""The coach at the table: hints and odds by page and through the API, in every language."""

from __future__ import annotations

import msgspec
import pytest

from byzanz.coach import Odds
from byzanz.notation import parse_action, write_action
from byzanz.tables import TableView
from byzanz.web.api import schema
from byzanz.web.coaching import percent

from .server import Player, Served
from .shapes import check_shape
from .test_acting import send


@pytest.fixture
def ada(server: Served) -> Player:
    return server.player("Ada")


def test_the_api_gives_a_hint_and_counts_it(ada: Player) -> None:
    table = ada.found("greedy", "greedy")
    before = ada.look(table)
    path = f"/api/tables/{table}/hint"
    answer = ada.client.post(path, json={"decision": before["decision"]})
    assert answer.status_code == 200
    found = answer.json()
    check_shape(found, schema.Hinted)
    assert write_action(parse_action(found["action"])) == found["action"]
    assert found["action"] == found["candidates"][0]["action"]
    assert all(reason["text"] for reason in found["reasons"] + found["against"])
    after = ada.look(table)
    check_shape(after, TableView)
    assert (before["hints"], after["hints"]) == (0, 1)
    assert ada.client.post(path, json={"decision": before["decision"]}).content == answer.content
    late = ada.client.post(path, json={"decision": 99})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "stale-decision")
    for body in ({}, {"decision": "0"}, {"decision": -1}, {"decision": 0, "more": 1}):
        assert ada.client.post(path, json=body).status_code == 400


def test_the_api_gives_the_odds(ada: Player) -> None:
    table = ada.found("greedy", "greedy")
    answer = ada.client.get(f"/api/tables/{table}/odds")
    assert answer.status_code == 200
    found = msgspec.json.decode(answer.content, type=Odds)
    assert found.unseen == len(ada.look(table)["view"]["pool"])


def test_with_people_the_host_decides(ada: Player, server: Served) -> None:
    ben = server.player("Ben")
    seats = [{"type": "host"}, {"type": "open"}, {"type": "bot", "bot": "greedy"}]
    for options, status in (({}, 403), ({"hints": "always", "odds": "always"}, 200)):
        body = {"seats": seats, "options": options}
        table = ada.client.post("/api/tables", json=body).json()["table"]
        assert ben.client.post(f"/api/tables/{table}/join", json={}).status_code == 200
        api = f"/api/tables/{table}"
        hint = ada.client.post(f"{api}/hint", json={"decision": ada.look(table)["decision"]})
        assert hint.status_code == status
        assert ben.client.get(f"{api}/odds").status_code == status
        eve = server.player("Eve").client
        assert eve.get(f"{api}/odds").status_code == 403  # a spectator


def test_the_page_gets_parts_and_a_browser_without_script_gets_pages(ada: Player) -> None:
    table = ada.found("greedy", "greedy")
    decision = {"decision": ada.look(table)["decision"]}
    part = send(ada, table, "hint", decision)
    assert part.status_code == 200
    assert "<html" not in part.text
    assert 'class="suggestion"' in part.text
    origin = {"Origin": ada.served.url, "Accept": "text/html"}
    whole = ada.client.post(f"/table/{table}/hint", data=decision, headers=origin)
    assert part.text.strip().split("\n")[0] in whole.text
    assert "<html" in whole.text
    odds = ada.client.get(f"/table/{table}/odds", headers={"Accept": "text/plain"})
    assert odds.text.count('scope="row"') == 7 + 2
    refused = send(ada, table, "hint", {"decision": "99"})
    assert (refused.status_code, refused.text[:21]) == (409, "The game has moved on")
    page = ada.client.get(f"/table/{table}").text
    assert 'data-hints="1"' in page
    assert "data-may-odds" in page


def test_the_end_says_that_there_were_hints(ada: Player) -> None:
    table = ada.found("greedy", "greedy")
    send(ada, table, "hint", {})
    ada.play_on(table)
    assert "One hint was given in this game." in ada.client.get(f"/table/{table}").text
    assert "One hint was given in this game." in ada.client.get(f"/table/{table}/result").text


def test_percentages_are_whole_and_only_certainty_is_certain() -> None:
    found = [percent(value) for value in (0, 0.0001, 0.254, 0.9999, 1)]
    assert found == ["0%", "1%", "25%", "99%", "100%"]
