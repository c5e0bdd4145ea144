"""Passwords, watchers and votes, by page and by API."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection

from byzanz.tables import Limits

from .server import PATIENCE, Player, Served, served


def locked_table(player: Player, password: str = "blue card", **options: Any) -> str:
    seats = [{"type": "host"}, {"type": "open"}, {"type": "open"}]
    body = {"seats": seats, "password": password, "options": options}
    answer = player.client.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["table"]
    return table


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_the_api_needs_the_password_for_everything_at_the_table(server: Served) -> None:
    ann, ben, eve = [server.player(name) for name in ("Ann", "Ben", "Eve")]
    table = locked_table(ann)
    api = f"/api/tables/{table}"
    assert ann.look(table)["locked"]
    for path in ("", "/proof", "/record", "/replay", "/branches", "/review"):
        assert code_of(eve.client.get(f"{api}{path}")) == (403, "password-needed"), path
        with server.client() as stranger:
            assert code_of(stranger.get(f"{api}{path}")) == (403, "password-needed"), path
    assert code_of(eve.client.post(f"{api}/join", json={})) == (403, "password-needed")
    wrong = {"password": "red card"}
    assert code_of(eve.client.post(f"{api}/join", json=wrong)) == (403, "wrong-password")
    assert code_of(eve.client.post(f"{api}/admission", json=wrong)) == (403, "wrong-password")
    right = {"password": "blue card"}
    assert ben.client.post(f"{api}/join", json=right).json()["seat"] == 1
    assert eve.client.post(f"{api}/admission", json=right).json()["seat"] is None
    assert eve.look(table)["sitters"][1]["name"] == "Ben"
    short = ann.client.post("/api/tables", json={"seats": [{"type": "host"}], "password": "abc"})
    assert short.status_code == 400


def test_the_page_asks_for_the_password_and_lets_people_in_who_know_it(server: Served) -> None:
    ann = server.player("Ann")
    form = {"seat": ["open", "open"], "password": "grüne Karte", "name": "Ann", "listed": "yes"}
    opened = ann.client.post("/tables", data=form)
    path = opened.headers["location"]
    assert 'data-locked="host"' in ann.client.get(path).text
    own = {"accept-language": "de", "sec-fetch-site": "same-origin"}
    with server.client(headers=own) as zoe:
        for page in (path, f"{path}/story", f"{path}/qr.svg", f"{path}/result"):
            asked = zoe.get(page)
            assert (asked.status_code, 'name="password"' in asked.text) == (403, True), page
            assert "Ann" not in asked.text
        assert "mit Passwort" in zoe.get("/").text
        wrong = zoe.post(f"{path}/password", data={"password": "rote Karte"})
        assert wrong.status_code == 403
        assert "Das ist nicht das Passwort dieses Tisches." in wrong.text
        assert "set-cookie" not in wrong.headers  # a wrong password makes no guest
        right = zoe.post(f"{path}/password", data={"password": "grüne Karte"})
        assert (right.status_code, right.headers["location"]) == (303, path)
        assert "Ann" in zoe.get(path).text
        assert zoe.post(f"{path}/join", data={"name": "Zoe"}).status_code == 303


def test_guessing_passwords_is_throttled_even_with_a_new_guest_for_each_try(
    tmp_path: Path,
) -> None:
    few = Limits(substitute_bot="random", password_tries_per_hour_per_address=5)
    with served(tmp_path, limits=few) as server:
        table = locked_table(server.player("Ann"))
        answers = []
        for _ in range(7):
            with server.client() as stranger:
                form = {"password": "guess"}
                answers.append(stranger.post(f"/table/{table}/password", data=form).status_code)
        assert answers == [403] * 5 + [429] * 2


def next_view(stream: ClientConnection) -> dict[str, Any]:
    view: dict[str, Any] = json.loads(stream.recv(PATIENCE))
    return view


def test_everybody_sees_who_watches(server: Served) -> None:
    ann, ben = server.player("Ann"), server.player("Ben")
    table = ann.found(open_seats=2)
    with ann.stream(table) as stream:
        assert next_view(stream)["watching"] == 0
        with ben.stream(table) as other:
            assert next_view(other)["watchers"] == []  # the first view is that of the others
            for each in (stream, other):
                view = next_view(each)
                assert (view["watching"], view["watchers"]) == (1, ["Ben"])
            assert "One person is watching: Ben" in ann.client.get(f"/table/{table}").text
            with server.socket(f"/api/tables/{table}/stream") as stranger:
                next_view(stranger)
                view = next_view(stream)
                assert (view["watching"], view["watchers"]) == (2, ["Ben", None])
            ben.client.post(f"/api/tables/{table}/join", json={})
            while view["watching"] > 1 or not view["sitters"][1]["name"]:
                view = next_view(stream)
            assert "Ben" not in view["watchers"]


def test_opening_and_closing_sockets_does_not_send_views_to_everybody_each_time(
    server: Served,
) -> None:
    ann = server.player("Ann")
    table = ann.found(open_seats=2)
    with ann.stream(table) as stream:
        next_view(stream)
        began = time.monotonic()
        for _ in range(40):
            with server.socket(f"/api/tables/{table}/stream") as stranger:
                next_view(stranger)
        seen = 0
        with suppress(TimeoutError):
            while True:
                stream.recv(2.5)
                seen += 1
        assert seen <= 2 + time.monotonic() - began


def test_people_end_an_abandoned_game_by_page_and_by_api(tmp_path: Path) -> None:
    hasty = Limits(
        substitute_bot="random",
        polling_presence_seconds=0.2,
        disconnect_grace_seconds=0,
        abandoned_game_seconds=0.5,
    )
    with served(tmp_path, limits=hasty) as server:
        ann, ben, carl = people = [server.player(name) for name in ("Ann", "Ben", "Carl")]
        table = ann.found(open_seats=2)
        for guest in (ben, carl):
            guest.client.post(f"/api/tables/{table}/join", json={})
        (seat,) = ann.look(table)["waiting_for"]
        people.pop(seat)
        one, other = people
        with one.stream(table) as here, other.stream(table):
            while not (view := next_view(here))["abandoned"]:
                pass  # the view comes as soon as somebody is away for too long
            assert view["abandoned"] == [seat]
            page = one.client.get(f"/table/{table}").text
            assert "Vote to end the game" in page
            plain = {"accept": "text/plain"}
            voted = one.client.post(f"/table/{table}/vote", data={"wants": "yes"}, headers=plain)
            assert (voted.status_code, int(voted.text) > view["version"]) == (200, True)
            assert "Withdraw my vote" in one.client.get(f"/table/{table}").text
            ended = other.client.post(f"/api/tables/{table}/vote", json={"wants": True})
            assert ended.json()["stage"] == "ended"
            assert ended.json()["result"] is None
        for path in (f"/table/{table}", f"/table/{table}/story"):
            assert "ended the game by vote" in one.client.get(path).text
        record = one.client.get(f"/api/tables/{table}/record")
        assert '"ended":{"votes":' in record.text.splitlines()[0]
        assert one.client.get("/api/me/games").json()["count"] == 0
        again = one.client.post(f"/api/tables/{table}/vote", json={})
        assert code_of(again) == (409, "ended")


def test_a_vote_needs_a_seat_and_somebody_who_is_away(server: Served) -> None:
    ann, ben, eve = [server.player(name) for name in ("Ann", "Ben", "Eve")]
    table = ann.found("greedy", open_seats=1)
    ben.client.post(f"/api/tables/{table}/join", json={})
    vote = f"/api/tables/{table}/vote"
    assert code_of(ann.client.post(vote, json={})) == (409, "not-abandoned")
    assert code_of(eve.client.post(vote, json={})) == (403, "not-your-seat")
    with server.client() as stranger:
        assert code_of(stranger.post(vote, json={})) == (401, "no-identity")
