"""The JSON API: the same commands and views as on the pages."""

from __future__ import annotations

import io
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from byzanz.notation import judge, read_view
from byzanz.rules import Phase
from byzanz.tables import Limits, TableView
from byzanz.web.api import OPERATIONS, schema
from byzanz.web.app import create_app

from .server import Player, Served, served
from .shapes import check_shape

JSON = {"content-type": "application/json"}


def error(answer: httpx.Response) -> dict[str, Any]:
    told: dict[str, Any] = answer.json()["error"]
    assert set(told) >= {"code", "rule", "message"}
    return told


@pytest.fixture(scope="module")
def finished(server: Served) -> tuple[Player, str]:
    player = server.player("Theodora")
    table = player.found("random", "greedy", memory_aid=False, open_profit=False)
    player.play_on(table)
    return player, table


def test_a_whole_game_is_played_and_its_record_is_legal(finished: tuple[Player, str]) -> None:
    player, table = finished
    table_view = player.look(table)
    check_shape(table_view, TableView)
    assert table_view["stage"] == "finished"
    assert table_view["view"]["phase"] == "over"
    answer = player.client.get(f"/api/tables/{table}/record")
    assert answer.headers["content-type"] == "application/x-ndjson"
    (verdict,) = judge(io.BytesIO(answer.content))
    assert verdict.error is None
    assert verdict.record is not None
    assert verdict.record.names[0] == "Theodora"
    assert list(verdict.record.game.result.profit) == table_view["result"]["profit"]


def test_a_finished_game_is_seen_from_every_seat_at_every_step(
    finished: tuple[Player, str],
) -> None:
    player, table = finished
    with player.served.client() as client:
        last = client.get(f"/api/tables/{table}/replay").json()
        check_shape(last, schema.Replayed)
        assert last["step"] == last["steps"]
        assert read_view(last["view"]).phase is Phase.OVER
        hands = set()
        for seat in range(3):
            first = client.get(f"/api/tables/{table}/replay?seat={seat}&step=0").json()
            check_shape(first, schema.Replayed)
            hands.add(tuple(first["view"]["hand"]))
            assert first["view"]["seat"] == seat
        assert len(hands) == 3
        for query in ("seat=3", "seat=-1", "step=x", "step=1&step=2", "sheep=1", "seat=6"):
            assert client.get(f"/api/tables/{table}/replay?{query}").status_code == 400, query


def test_a_replay_has_nothing_to_press_and_stays_where_it_is(finished: tuple[Player, str]) -> None:
    player, table = finished
    path = f"/table/{table}/replay"
    with player.served.client() as client:
        steps = client.get(f"/api{path.replace('table', 'tables', 1)}").json()["steps"]
        for step in range(0, steps, 3):
            page = client.get(f"{path}?step={step}&seat=1").text
            assert 'type="radio"' not in page
            assert f'name="back" value="{path}?step={step}&amp;seat=1"' in page


def test_an_unfinished_game_is_not_replayed_nor_recorded(server: Served) -> None:
    player = server.player()
    table = player.found("random", "random")
    for path in ("replay", "record"):
        answer = player.client.get(f"/api/tables/{table}/{path}")
        assert answer.status_code == 409
        assert error(answer)["code"] == "not-finished"


def test_a_refusal_says_which_rule_and_shows_the_table(server: Served) -> None:
    player = server.player(language="de")
    table = player.found("random", "random")
    table_view = player.waits(table)
    answer = player.act(table, "give C1", decision=table_view["decision"])
    assert answer.status_code == 409
    told = error(answer)
    assert told["rule"].startswith("R")
    check_shape(answer.json()["sight"], TableView)
    english = server.player()
    other = english.found("random", "random")
    decision = english.waits(other)["decision"]
    same = error(english.act(other, "give C1", decision=decision))
    assert same["code"] == told["code"]
    assert same["message"] != told["message"]


def test_malformed_and_refused_requests_get_different_answers(server: Served) -> None:
    player = server.player()
    table = player.found("random", "random")
    decision = player.waits(table)["decision"]
    answer = player.act(table, "bid Z9", decision=decision)
    assert answer.status_code == 400
    assert error(answer)["code"] == "bad-card"
    assert "Z9" in error(answer)["message"]


def test_the_same_key_gets_the_same_answer_and_acts_once(server: Served) -> None:
    player = server.player()
    table = player.found("greedy", "greedy")
    table_view = player.waits(table)
    body = {"action": "pass", "decision": table_view["decision"], "key": "mine"}
    path = f"/api/tables/{table}/actions"
    first = player.client.post(path, json=body)
    check_shape(first.json(), schema.Acted)
    again = player.client.post(path, json=body)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["version"] == again.json()["version"]
    passes = [event for event in player.look(table)["view"]["course"] if event["type"] == "played"]
    assert [event["seat"] for event in passes].count(0) == 1
    other = player.client.post(path, json={**body, "action": "done"})
    assert other.status_code == 409
    assert error(other)["code"] == "key-reused"


def test_a_decision_that_has_passed_is_stale(server: Served) -> None:
    player = server.player()
    table = player.found("random", "random")
    table_view = player.waits(table)
    assert player.act(table, "pass", decision=table_view["decision"]).status_code == 200
    answer = player.act(table, "pass", decision=table_view["decision"])
    assert answer.status_code == 409
    assert error(answer)["code"] == "stale-decision"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"nonsense", 400),
        (b"null", 400),
        (b"[]", 400),
        (b'{"name":"Zoe","admin":true}', 400),
        (b'{"name":7}', 400),
        (b'{"name":"\\ud800"}', 400),
        (b'{"name":"\xff"}', 400),
        (b'{"name":"\\u0000"}', 400),
        (b'{"name":""}', 400),
        (b'{"name":"' + b"x" * 30 + b'"}', 400),
        (b'{"language":"tlh"}', 400),
        (b'{"name":' + b"[" * 5000, 400),
        (b'{"name":"Zoe"}', 200),
    ],
)
def test_bodies_are_read_strictly(server: Served, body: bytes, status: int) -> None:
    player = server.player("Irene")
    answer = player.client.patch("/api/me", content=body, headers=JSON)
    assert answer.status_code == status, answer.text
    if status != 200:
        assert error(answer)["code"] in ("bad-request", "bad-name")
        assert player.client.get("/api/me").json()["name"] == "Irene"


def test_a_body_must_be_json(server: Served) -> None:
    player = server.player()
    for media in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = player.client.patch("/api/me", content=b"{}", headers={"content-type": media})
        assert answer.status_code == 415


def test_what_the_options_hide_is_null(server: Served) -> None:
    host, guest = server.player("Host"), server.player("Guest")
    table = host.found("random", open_seats=1, memory_aid=False, open_profit=False)
    assert guest.client.post(f"/api/tables/{table}/join", json={}).status_code == 200
    view = host.look(table)["view"]
    check_shape(host.look(table), TableView)
    assert view["position"] is view["pool"] is view["gone"] is None
    assert [seat["profit"] for seat in view["seats"]] == [0, None, None]
    assert all(seat["known"] == [] for seat in view["seats"])
    with server.client() as client:
        seen = client.get(f"/api/tables/{table}").json()
    check_shape(seen, TableView)
    assert seen["view"]["hand"] == []
    assert seen["seat"] is seen["view"]["legal"] is None


def test_a_table_is_joined_started_left_and_rematched(server: Served) -> None:
    host, guest = server.player("Host"), server.player("Guest")
    table = host.found(open_seats=3, listed=True)
    path = f"/api/tables/{table}"
    with server.client() as client:
        listed = client.get("/api/lobby").json()
    check_shape(listed, schema.Listings)
    assert table in [listing["table"] for listing in listed["tables"]]
    assert error(guest.client.post(f"{path}/join", json={"seat": 0}))["code"] == "seat-taken"
    joined = guest.client.post(f"{path}/join", json={"seat": 2})
    check_shape(joined.json(), TableView)
    assert joined.json()["seat"] == 2
    assert guest.client.post(f"{path}/start", json={}).status_code == 403
    assert error(host.client.post(f"{path}/start", json={"bot": "nobody"}))["code"] == "unknown-bot"
    started = host.client.post(f"{path}/start", json={"bot": "random"})
    assert started.json()["stage"] == "playing"
    assert error(host.client.post(f"{path}/rematch", json={}))["code"] == "not-finished"
    assert guest.client.post(f"{path}/leave").status_code == 200
    assert host.look(table)["sitters"][2]["left"]
    host.play_on(table)
    again = host.client.post(f"{path}/rematch", json={"rotated": True})
    assert again.status_code == 201
    assert host.look(again.json()["table"])["seat"] == 1


def test_an_absent_person_is_replaced_and_comes_back(tmp_path: Path) -> None:
    limits = Limits(substitute_bot="random", polling_presence_seconds=1)
    with served(tmp_path, limits=limits) as running:
        host, guest = running.player("Host"), running.player("Guest")
        table = host.found("random", open_seats=1)
        guest.client.post(f"/api/tables/{table}/join", json={})
        body = {"seat": 2, "bot": "random"}
        refused = host.client.post(f"/api/tables/{table}/replace", json=body)
        assert error(refused)["code"] == "not-absent"
        time.sleep(1.1)
        replaced = host.client.post(f"/api/tables/{table}/replace", json=body)
        assert replaced.status_code == 200, replaced.text
        assert replaced.json()["sitters"][2]["standing_in"]
        back = guest.client.post(f"/api/tables/{table}/return")
        assert back.status_code == 200
        assert not back.json()["sitters"][2]["standing_in"]


def test_bots_are_described_in_the_callers_language(server: Served) -> None:
    with server.client(headers={"accept-language": "de"}) as client:
        bots = client.get("/api/bots").json()
    check_shape(bots, schema.Bots)
    assert [bot["bot"] for bot in bots["bots"]] == list(server.service.bots)


def test_the_number_of_tables_of_a_host_is_limited(server: Served) -> None:
    player = server.player()
    for _ in range(Limits().tables_per_guest):
        player.found(open_seats=2)
    seats = [{"type": "host"}, {"type": "open"}, {"type": "open"}]
    answer = player.client.post("/api/tables", json={"seats": seats})
    assert answer.status_code == 429
    assert error(answer)["code"] == "too-many-tables"


def test_the_document_describes_every_route_of_the_api(server: Served) -> None:
    with server.client() as client:
        document = client.get("/api/openapi.json").json()
    described = {
        (method.upper(), path) for path, item in document["paths"].items() for method in item
    }
    routed = {
        (method, route.path)
        for route in server.app.routes
        if route.path.startswith("/api/") and hasattr(route, "methods")
        for method in route.methods
        if method != "HEAD"
    }
    assert described == routed - {("GET", "/api/openapi.json")}
    assert len(described) == len(OPERATIONS)
    assert create_app(server.service).routes  # a new application is created from the same routes


def test_an_unknown_method_is_answered_with_the_allowed_methods(server: Served) -> None:
    with server.client() as client:
        answer = client.put("/api/me")
    assert answer.status_code == 405
    assert set(answer.headers["allow"].replace(" ", "").split(",")) == {
        "POST", "GET", "HEAD", "PATCH", "DELETE",
    }  # fmt: skip
    assert error(answer)["code"] == "method-not-allowed"


def test_the_page_of_the_api_lists_every_operation(server: Served) -> None:
    with server.client() as client:
        page = client.get("/api").text
    for operation in OPERATIONS:
        assert f"{operation.method} {operation.path}" in page
