"""Taking back, preparing and automating, by forms and through the API."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from byzanz.tables import TableView
from byzanz.web.api import schema

from .server import PATIENCE, Player, Served
from .shapes import check_shape


@pytest.fixture
def people(server: Served) -> tuple[str, list[Player]]:
    """Return a table of three people, in play; seat 0 is to bid."""
    players = [server.player(name) for name in ("Ada", "Ben", "Eve")]
    table = players[0].found(open_seats=2)
    for player in players[1:]:
        assert player.client.post(f"/api/tables/{table}/join", json={}).status_code == 200
    return table, players


def send(player: Player, table: str, path: str, fields: dict[str, Any]) -> httpx.Response:
    """Send a form as the page's script does."""
    origin = {"Origin": player.served.url, "Accept": "text/plain"}
    return player.client.post(f"/table/{table}/{path}", data=fields, headers=origin)


def auction(view: dict[str, Any]) -> dict[str, Any]:
    return {"round": view["view"]["round"], "offer_card": view["view"]["stack"][-1]}


def test_the_api_takes_back_once_for_each_key(people: tuple[str, list[Player]]) -> None:
    table, (ada, ben, _) = people
    before = ada.look(table)
    assert before["undo"] is None
    assert ada.act(table, "pass", decision=before["decision"]).status_code == 200
    number = ada.look(table)["undo"]
    body = {"undo": number, "key": "back"}
    first = ada.client.post(f"/api/tables/{table}/undo", json=body)
    assert first.status_code == 200
    check_shape(first.json(), schema.Acted)
    again = ada.client.post(f"/api/tables/{table}/undo", json=body)
    assert again.json()["version"] == first.json()["version"]
    after = ada.look(table)
    assert (after["undone"], after["undone_by"], after["undo"]) == (1, 0, None)
    assert after["view"] == before["view"]
    refused = ben.client.post(f"/api/tables/{table}/undo", json={"undo": 0, "key": "back"})
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "nothing-to-undo"
    assert ada.client.post(f"/api/tables/{table}/undo", json={"key": "k"}).status_code == 400


def test_everybody_gets_a_frame_after_an_undo(people: tuple[str, list[Player]]) -> None:
    table, (ada, ben, _) = people
    ada.act(table, "pass", decision=ada.look(table)["decision"])
    bearer = {"authorization": f"Bearer {ben.token}"}
    with ben.served.socket(f"/table/{table}/socket", additional_headers=bearer) as socket:
        first = json.loads(socket.recv(timeout=PATIENCE))
        assert (first["number"], first["undone"]) == (1, "")
        answer = send(ada, table, "undo", {"undo": ada.look(table)["undo"], "key": "k"})
        assert answer.status_code == 200
        frame = json.loads(socket.recv(timeout=PATIENCE))
        while frame["number"]:
            frame = json.loads(socket.recv(timeout=PATIENCE))
        assert frame["version"] == int(answer.text)
        assert frame["undone"] == "Ada took back a move."
        assert frame["moments"] == []


def test_the_page_shows_undo_only_when_it_is_possible(people: tuple[str, list[Player]]) -> None:
    table, (ada, ben, _) = people
    assert 'id="undo"' not in ada.client.get(f"/table/{table}").text
    ada.act(table, "pass", decision=ada.look(table)["decision"])
    assert 'id="undo"' in ada.client.get(f"/table/{table}").text
    assert 'id="undo"' not in ben.client.get(f"/table/{table}").text
    plain = ada.client.post(
        f"/table/{table}/undo",
        data={"undo": str(ada.look(table)["undo"])},
        headers={"Origin": ada.served.url},
    )
    assert plain.status_code == 303  # a browser without the script goes back to the table
    late = send(ada, table, "undo", {"undo": "0", "key": "late"})
    assert (late.status_code, late.text) == (409, "You have nothing to take back.")
    assert send(ada, table, "undo", {"undo": "x", "key": "k"}).status_code == 409


def test_the_api_prepares_and_cancels(people: tuple[str, list[Player]]) -> None:
    table, (ada, ben, _) = people
    path, seen = f"/api/tables/{table}/prepared", auction(ben.look(table))
    hand = [card for card in ben.look(table)["view"]["hand"] if card != "M"]
    answer = {"type": "bid", **seen, "up_to": 4, "cards": hand[:1]}
    worth = sum(int(card[1]) for card in hand)
    prepared = ben.client.put(path, json={"answer": {**answer, "up_to": worth}})
    assert prepared.status_code == 200, prepared.text
    check_shape(prepared.json(), TableView)
    assert prepared.json()["prepared"] == {**answer, "up_to": worth}
    assert ada.look(table)["prepared"] is None
    high = ben.client.put(path, json={"answer": {**answer, "up_to": worth + 1}})
    assert high.status_code == 409
    assert high.json()["error"]["most"] == worth
    for bad in (
        {"type": "bid", **seen},
        {"type": "sell", **seen},
        {**answer, "cards": ["Z9"]},
        {**answer, "up_to": 99},
        {"type": "take", "round": 1, "kind": "Q"},
    ):
        assert ben.client.put(path, json={"answer": bad}).status_code == 400, bad
    assert ben.client.delete(path).json()["prepared"] is None
    passing = {"type": "pass", **seen}
    assert ben.client.put(path, json={"answer": passing}).status_code == 200
    ada.act(table, "pass", decision=ada.look(table)["decision"])
    eve = people[1][2]
    assert eve.waits(table)["waiting_for"] == [2]
    assert ben.look(table)["prepared"] is None


def test_forms_prepare_and_the_page_shows_it_to_its_owner(
    people: tuple[str, list[Player]],
) -> None:
    table, (ada, ben, _) = people
    page = ben.client.get(f"/table/{table}").text
    assert "Prepare: pass" in page
    cards = [card for card in ben.look(table)["view"]["hand"] if card != "M"][:2]
    total = sum(int(card[1]) for card in cards)
    fields = {**auction(ben.look(table)), "own": "0", "card": cards, "do": "prepare-bid"}
    assert send(ben, table, "prepare", fields).status_code == 200
    prepared = ben.look(table)["prepared"]
    assert prepared["up_to"] == total
    assert sorted(prepared["cards"]) == sorted(cards)
    assert f"Prepared: bid up to {total}" in ben.client.get(f"/table/{table}").text
    assert "Prepared: bid" not in ada.client.get(f"/table/{table}").text
    assert send(ben, table, "prepare", {"do": "cancel"}).status_code == 200
    assert ben.look(table)["prepared"] is None
    wrong = send(ben, table, "prepare", {**fields, "card": ["Z9"]})
    assert wrong.status_code == 400
    assert "Z9" in wrong.text
    assert send(ben, table, "prepare", {"do": "prepare-bid"}).status_code == 400
    assert send(ben, table, "prepare", {"do": "prepare-dance"}).status_code == 400
    old = send(ben, table, "prepare", {**fields, "offer_card": "4"})
    assert (old.status_code, "moved on" in old.text) == (409, True)


def test_the_owner_is_told_about_a_dropped_answer_until_it_is_dismissed(
    people: tuple[str, list[Player]],
) -> None:
    table, (ada, ben, _) = people
    goods = sorted(card for card in ada.look(table)["view"]["hand"] if card != "M")
    low = min((card for card in ben.look(table)["view"]["hand"] if card != "M"), key=lambda c: c[1])
    fields = {**auction(ben.look(table)), "own": "0", "card": [low], "do": "prepare-bid"}
    assert send(ben, table, "prepare", fields).status_code == 200
    assert ada.act(table, f"bid {' '.join(goods)}", decision=0).status_code == 200
    assert ben.look(table)["dropped"] == "outbid"
    assert ada.look(table)["dropped"] is None
    assert "somebody bid more than your limit" in ben.client.get(f"/table/{table}").text
    assert send(ben, table, "prepare", {"do": "cancel"}).status_code == 200
    assert ben.look(table)["dropped"] is None


def test_automatic_actions_are_on_for_pages_and_off_for_programs(server: Served) -> None:
    with server.client() as client:
        started = client.post(
            "/play", data={"name": "Ada", "bot": "random"}, headers={"Origin": server.url}
        )
        table = started.headers["location"].rpartition("/")[2]
        automatic = client.get(f"/api/tables/{table}").json()["automatic"]
        assert automatic == {"take_last": True, "pass_beaten": False}
        client.post(
            f"/table/{table}/automatic", data={"pass_beaten": "on"}, headers={"Origin": server.url}
        )
        assert client.get(f"/api/tables/{table}").json()["automatic"] == {
            "take_last": False,
            "pass_beaten": True,
        }
    program = server.player()
    table = program.found("random", "random")
    assert program.look(table)["automatic"] == {"take_last": False, "pass_beaten": False}
    path = f"/api/tables/{table}/automatic"
    changed = program.client.patch(path, json={"take_last": True})
    assert changed.json()["automatic"] == {"take_last": True, "pass_beaten": False}
    assert program.client.patch(path, json={"take_all": True}).status_code == 400
    with server.client() as client:
        assert client.get(f"/api/tables/{table}").json()["automatic"] is None
