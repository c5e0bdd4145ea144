"""The operator finds and bans guests and addresses while the server runs."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from byzanz.cli import main
from byzanz.tables import Limits

from .server import PATIENCE, Player, Served, served

EAGER = Limits(substitute_bot="random", ban_check_seconds=0.05)


def data(folder: Path, *arguments: str) -> int:
    return main(["data", *arguments, "--data", str(folder)])


def listed(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict]:  # type: ignore[type-arg]
    capsys.readouterr()
    assert data(folder, *arguments, "--json") == 0
    found: list[dict] = json.loads(capsys.readouterr().out)  # type: ignore[type-arg]
    return found


def status_becomes(player: Player, status: int, path: str = "/api/me") -> None:
    until = time.monotonic() + PATIENCE
    while player.client.get(path).status_code != status:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_banned_guest_is_refused_in_their_language_and_loses_the_sockets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path, limits=EAGER) as server:
        ann, eve = server.player("Ann"), server.player("Eve", "de")
        table = ann.found(open_seats=2)
        (row,) = listed(tmp_path, capsys, "guests", "--name", "EV")
        bearer = {"authorization": f"Bearer {eve.token}"}
        page_path = f"/table/{table}/socket?language=de"
        with (
            eve.stream(table) as stream,
            server.socket(page_path, additional_headers=bearer) as page,
        ):
            stream.recv(PATIENCE)
            page.recv(PATIENCE)
            assert data(tmp_path, "ban", row["guest"], "--reason", "Spam", "--days", "2") == 0
            error = json.loads(stream.recv(PATIENCE))["error"]
            assert (error["code"], error["ban_reason"]) == ("banned", "Spam")
            with pytest.raises(ConnectionClosed) as closed:
                stream.recv(PATIENCE)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1008
            shown = json.loads(page.recv(PATIENCE))["content"]
            assert "Du bist auf diesem Server bis 20" in shown
            assert "Begründung des Betreibers: Spam" in shown
        refused = eve.client.get("/api/me")
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "banned")
        assert "gesperrt" in eve.client.get("/").text
        assert eve.client.post("/me/forget").status_code == 403
        with pytest.raises(InvalidStatus):
            eve.stream(table).recv(PATIENCE)
        assert ann.client.get("/api/me").status_code == 200
        assert eve.client.get("/health").status_code == 200
        (banned,) = listed(tmp_path, capsys, "bans")
        assert (banned["guest"], banned["reason"]) == (row["guest"], "Spam")
        assert data(tmp_path, "unban", row["guest"]) == 0
        status_becomes(eve, 200)
        assert data(tmp_path, "unban", row["guest"]) == 2


@pytest.mark.parametrize("who", ["127.0.0.1", "127.0.0.0/16", "pseudonym"])
def test_an_address_is_banned_by_range_or_by_its_pseudonym(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], who: str
) -> None:
    with served(tmp_path, limits=EAGER) as server:
        ann = server.player("Ann")
        if who == "pseudonym":
            who = address_of(tmp_path, capsys, "Ann")
        assert data(tmp_path, "ban", who) == 0
        status_becomes(ann, 403)
        with server.client() as stranger:
            answer = stranger.get("/")
            assert answer.status_code == 403
            assert "You are banned from this server." in answer.text
            assert stranger.get("/static/style.css").status_code == 200
        assert data(tmp_path, "unban", who) == 0
        status_becomes(ann, 200)


def address_of(folder: Path, capsys: pytest.CaptureFixture[str], name: str) -> str:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        (row,) = listed(folder, capsys, "guests", "--name", name)
        if row["address"]:
            return str(row["address"])
        time.sleep(0.02)
    raise AssertionError("the pseudonym is not stored")


def test_bans_survive_restarts_and_backups_and_only_ranges_survive_forgetting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    with served(first, limits=EAGER) as server:
        eve = server.player("Eve")
        (row,) = listed(first, capsys, "guests")
    for who in (row["guest"], "203.0.113.9/24", "2001:db8::/32"):
        assert data(first, "ban", who) == 0
    assert data(first, "backup", str(tmp_path / "backup.jsonl")) == 0
    assert data(second, "restore", str(tmp_path / "backup.jsonl")) == 0
    with served(second, limits=EAGER) as server:
        bearer = {"authorization": f"Bearer {eve.token}"}
        assert server.client(headers=bearer).get("/api/me").status_code == 403
    assert data(second, "forget", row["guest"]) == 0
    networks = {ban["network"] for ban in listed(second, capsys, "bans")}
    assert networks == {"203.0.113.0/24", "2001:db8::/32"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ban", "nobody"], "no guest 'nobody'"),
        (["ban", "0.0.0.0/0"], "too wide"),
        (["ban", "::/0"], "too wide"),
        (["unban", "192.0.2.1"], "no ban of '192.0.2.1'"),
    ],
)
def test_what_cannot_be_banned_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    with served(tmp_path):
        pass
    capsys.readouterr()
    assert data(tmp_path, *arguments) == 2
    assert said in capsys.readouterr().err
    assert data(tmp_path / "none", *arguments) == 2


def test_guests_and_tables_are_found_by_name_age_number_and_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path, limits=EAGER) as server:
        ann, ben = server.player("Ann"), server.player("Ben")
        table = ann.found(open_seats=2, listed=True)
        ben.client.post(f"/api/tables/{table}/join", json={})
        ann.found("greedy", open_seats=1)
        address = address_of(tmp_path, capsys, "Ann")
        found = {
            "--name": listed(tmp_path, capsys, "guests", "--name", "an"),
            "--min-tables": listed(tmp_path, capsys, "guests", "--min-tables", "2"),
        }
        assert [[row["name"] for row in rows] for rows in found.values()] == [["Ann"], ["Ann"]]
        assert found["--name"][0]["tables"] == 2
        both = listed(tmp_path, capsys, "guests", "--address", address)
        assert {row["name"] for row in both} == {"Ann", "Ben"}
        assert listed(tmp_path, capsys, "guests", "--address", "0" * 12) == []
        assert listed(tmp_path, capsys, "guests", "--older-than", "1") == []
        assert len(listed(tmp_path, capsys, "guests", "--created-since", "2020-01-01")) == 2
        assert len(listed(tmp_path, capsys, "guests", "--most", "1")) == 1
        (row,) = listed(tmp_path, capsys, "tables", "--name", "ben", "--min-people", "2")
        assert (row["table"], row["listed"], row["names"]) == (table, True, ["Ann", "Ben"])
        mine = listed(tmp_path, capsys, "tables", "--guest", found["--name"][0]["guest"])
        assert len(mine) == 2
        assert listed(tmp_path, capsys, "tables", "--stage", "finished") == []
        for task in ("guests", "tables", "bans"):
            assert data(tmp_path, task) == 0
        shown = capsys.readouterr().out
        assert "Ann" in shown
        assert "Last visit" in shown or "Last" in shown


def test_a_server_without_bans_lets_everybody_in(server: Served) -> None:
    assert server.player("Ann").client.get("/api/me").status_code == 200
