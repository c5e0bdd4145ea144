"""Who somebody is: nobody can be somebody else."""

from __future__ import annotations

import time
from dataclasses import replace
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from byzanz.locale import translations
from byzanz.messages.table_refusals import explain_table
from byzanz.web.identity import COOKIE, Seals

from .server import UNHURRIED, Served, served

SAME = {"sec-fetch-site": "same-origin"}


def come(client: httpx.Client) -> httpx.Response:
    """A first visitor's click: a game against bots."""
    return client.post("/play", data={"bot": "random", "name": "Zoe"}, headers=SAME)


def test_a_first_click_makes_a_guest_with_a_cookie_that_scripts_cannot_read(server: Served) -> None:
    with server.client() as client:
        answer = come(client)
        assert answer.status_code == 303
        cookie = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
        assert cookie["httponly"]
        assert cookie["samesite"] == "lax"
        assert cookie["path"] == "/"
        assert int(cookie["max-age"]) >= 365 * 24 * 3600
        assert not cookie["secure"]
        assert client.get("/api/me").json() == {"name": "Zoe", "language": "en"}


def test_a_looking_visitor_gets_no_cookie(server: Served) -> None:
    with server.client() as client:
        for path in ("/", "/rules", "/about", "/api/lobby"):
            assert "set-cookie" not in client.get(path).headers, path


def test_behind_https_cookies_never_leave_without_it(tmp_path: Path) -> None:
    with served(tmp_path, replace(UNHURRIED, secure=True)) as running, running.client() as client:
        answer = come(client)
        assert SimpleCookie(answer.headers["set-cookie"])[COOKIE]["secure"]
        assert "strict-transport-security" in answer.headers


@pytest.mark.parametrize("change", ["first", "last", "cut", "empty", "id", "token"])
def test_a_cookie_tampered_with_is_nobodys(server: Served, change: str) -> None:
    with server.client() as client:
        come(client)
        cookie = client.cookies[COOKIE]
        other = server.player().token
    forged = {
        "first": ("A" if cookie[0] != "A" else "B") + cookie[1:],
        "last": cookie[:-2] + ("A" if cookie[-2] != "A" else "B") + cookie[-1],
        "cut": cookie[:-5],
        "empty": "",
        "id": cookie.split(".")[0],
        "token": other,
    }[change]
    with server.client(cookies={COOKIE: forged}) as client:
        assert client.get("/api/me").status_code == 401


def test_a_cookie_is_no_token(server: Served) -> None:
    with server.client() as client:
        come(client)
        cookie = client.cookies[COOKIE]
    answer = httpx.get(f"{server.url}/api/me", headers={"authorization": f"Bearer {cookie}"})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_bad_token_is_not_saved_by_a_good_cookie(server: Served) -> None:
    with server.client() as client:
        come(client)
        answer = client.get("/api/me", headers={"authorization": "Bearer nonsense"})
        assert answer.status_code == 401


def test_what_another_server_signed_is_not_believed() -> None:
    ours, theirs = Seals("ours", lambda: 1e9), Seals("theirs", lambda: 1e9)
    assert ours.read_cookie(theirs.cookie("guest")) is None
    assert ours.read_token(theirs.token("guest")) is None
    assert ours.read_token(ours.token("guest")) == "guest"


def test_a_cookie_is_renewed_after_a_month_and_void_after_a_year() -> None:
    now = 1e9
    seals = Seals("secret", lambda: now)
    cookie = seals.cookie("guest")
    assert seals.read_cookie(cookie) == ("guest", False)
    now += 31 * 24 * 3600
    assert seals.read_cookie(cookie) == ("guest", True)
    now += 365 * 24 * 3600
    assert seals.read_cookie(cookie) is None
    now = 1e9 - 300  # the server's clock was set back
    assert seals.read_cookie(cookie) == ("guest", False)


def test_a_guest_who_was_forgotten_is_nobody(server: Served) -> None:
    player = server.player("Irene")
    assert player.client.delete("/api/me").status_code == 204
    assert player.client.get("/api/me").status_code == 401
    with server.client() as client:
        come(client)
        answer = client.request("DELETE", "/api/me", headers=SAME)
        assert answer.status_code == 204
        assert COOKIE not in client.cookies


def test_a_personal_link_moves_the_identity_to_another_device_once(server: Served) -> None:
    with server.client() as first, server.client() as second, server.client() as third:
        come(first)
        page = first.post("/me/link", headers=SAME).text
        path = page[page.index("/pass/") :]
        path = path[: min(path.index(end) for end in ('"', "<") if end in path)]
        assert second.get(path).status_code == 200
        assert second.get("/api/me").status_code == 401  # to look at the link changes nothing
        assert second.post(path, headers=SAME).status_code == 303
        assert second.get("/api/me").json()["name"] == "Zoe"
        assert third.post(path, headers=SAME).status_code == 404


def test_the_language_is_the_guests_then_the_cookies_then_the_browsers(server: Served) -> None:
    german = {"accept-language": "de-AT, en;q=0.5"}
    with server.client(headers=german) as client:
        assert 'lang="de"' in client.get("/").text
        client.post("/language", data={"language": "hu", "back": "/"}, headers=SAME)
        assert 'lang="hu"' in client.get("/").text
    dutch = server.player("Basil", language="nl")
    dutch.client.headers["accept-language"] = "it"
    answer = dutch.client.get("/api/tables/nowhere")
    words = translations("nl")
    assert answer.json()["error"]["message"] == explain_table("no-such-table", words, {})
    assert 'lang="nl"' in dutch.client.get("/").text


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [("/table/nowhere/join", {}, 404), ("/play", {"bot": "nobody"}, 400)],
)
def test_a_refused_click_makes_nobody(
    server: Served, path: str, form: dict[str, str], status: int
) -> None:
    with server.client() as client:
        answer = client.post(path, data={"name": "Zoe", **form}, headers=SAME)
        assert answer.status_code == status
        assert "set-cookie" not in answer.headers
        assert client.get("/api/me").status_code == 401


def test_a_file_that_anybody_may_keep_carries_no_identity(tmp_path: Path) -> None:
    with served(tmp_path) as running, running.client() as client:
        come(client)
        running.app.state.seals._cookies.clock = lambda: time.time() + 40 * 24 * 3600
        for path in ("/static/style.css", "/art/faces.css"):
            assert "set-cookie" not in client.get(path).headers
        assert "set-cookie" in client.get("/").headers
