"""Guests are identified by cookies and tokens that nobody can forge."""

from __future__ import annotations

import dataclasses
import time
from base64 import urlsafe_b64decode
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from byzanz.locale import load_translations
from byzanz.messages.table_refusals import explain_table
from byzanz.tables import SYSTEM, SessionKind
from byzanz.web.identity import COOKIE, LANGUAGE_COOKIE
from byzanz.web.public_address import is_trusted
from byzanz.web.signatures import SessionSigner

from .server import UNHURRIED, Served, served

SAME = {"sec-fetch-site": "same-origin"}


def start_game(client: httpx.Client) -> httpx.Response:
    """Start a game against bots, as a first-time visitor does."""
    return client.post("/play", data={"bot": "random", "name": "Zoe"}, headers=SAME)


def test_the_first_game_creates_a_guest_with_an_http_only_cookie(server: Served) -> None:
    with server.client() as client:
        answer = start_game(client)
        assert answer.status_code == 303
        cookie = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
        assert cookie["httponly"]
        assert cookie["samesite"] == "lax"
        assert cookie["path"] == "/"
        assert int(cookie["max-age"]) >= 365 * 24 * 3600
        assert not cookie["secure"]
        me = {"name": "Zoe", "language": "en", "avatar": None}
        assert client.get("/api/me").json() == me


def test_a_visitor_who_only_looks_gets_no_cookie(server: Served) -> None:
    with server.client() as client:
        for path in ("/", "/rules", "/about", "/api/lobby"):
            assert "set-cookie" not in client.get(path).headers, path


def test_a_secure_server_sets_secure_cookies_for_this_host_only(tmp_path: Path) -> None:
    with served(tmp_path, replace(UNHURRIED, secure=True)) as running, running.client() as client:
        answer = start_game(client)
        assert "strict-transport-security" in answer.headers
        form = {"language": "de", "back": "/"}
        changed = client.post("/language", data=form, headers=SAME)
    for name, given in ((COOKIE, answer), (LANGUAGE_COOKIE, changed)):
        cookie = SimpleCookie(given.headers["set-cookie"])[f"__Host-{name}"]
        assert cookie["secure"]
        assert cookie["httponly"]
        assert cookie["path"] == "/"
        assert not cookie["domain"]


HOSTS = {
    "127.0.0.1:8000": True,
    "[::1]:8000": True,
    "localhost": True,
    "box": True,
    "box.local": True,
    "evil.example": False,
    "evil.example:8000": False,
    "evil.example#.local": False,
    "": False,
    "[": False,
}


@pytest.mark.parametrize("host", HOSTS)
def test_links_name_only_hosts_that_are_trusted(host: str) -> None:
    assert is_trusted(host, "") is HOSTS[host]
    assert not is_trusted(host, "byzanz.example")
    assert is_trusted("Byzanz.example:8000", "other.example, byzanz.example")


def test_a_personal_link_does_not_trust_the_host_of_the_request(
    server: Served, tmp_path: Path
) -> None:
    for running, host, expected in (
        (server, "evil.example", "<code data-link>/pass/"),
        (server, None, f"<code data-link>{server.url}/pass/"),
    ):
        assert expected in _personal_link(running, host)
    address = replace(UNHURRIED, public_address="https://byzanz.example")
    with served(tmp_path, address) as running:
        shown = _personal_link(running, "evil.example")
        assert "<code data-link>https://byzanz.example/pass/" in shown
        assert "evil.example" not in shown


def _personal_link(running: Served, host: str | None) -> str:
    """Return the lobby after a guest asked for a personal link, with this Host header."""
    with running.client() as client:
        start_game(client)
        return client.post("/me/link", headers=SAME | ({} if host is None else {"Host": host})).text


def test_a_qr_code_names_only_a_trusted_host(server: Served) -> None:
    table = server.player().found(open_seats=2)
    with server.client() as client:
        assert client.get(f"/table/{table}/qr.svg").status_code == 200
        answer = client.get(f"/table/{table}/qr.svg", headers={"Host": "evil.example"})
    assert answer.status_code == 400


@pytest.mark.parametrize("change", ["first", "last", "cut", "empty", "id", "token"])
def test_a_forged_cookie_is_invalid(server: Served, change: str) -> None:
    with server.client() as client:
        start_game(client)
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


def test_a_cookie_is_not_a_valid_token(server: Served) -> None:
    with server.client() as client:
        start_game(client)
        cookie = client.cookies[COOKIE]
    answer = httpx.get(f"{server.url}/api/me", headers={"authorization": f"Bearer {cookie}"})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_an_invalid_token_is_refused_even_with_a_valid_cookie(server: Served) -> None:
    with server.client() as client:
        start_game(client)
        answer = client.get("/api/me", headers={"authorization": "Bearer nonsense"})
        assert answer.status_code == 401


@pytest.mark.parametrize("kind", list(SessionKind))
def test_signatures_use_sha_256_and_belong_to_one_server_and_kind(kind: SessionKind) -> None:
    ours, theirs = SessionSigner("ours", lambda: 1e9), SessionSigner("theirs", lambda: 1e9)
    value = ours.sign("secret", kind)
    assert ours.read(value, kind) == "secret"
    assert theirs.read(value, kind) is None
    assert [ours.read(value, other) for other in SessionKind].count("secret") == 1
    assert len(urlsafe_b64decode(value.rpartition(".")[2] + "=")) == 32


def test_a_deleted_guest_is_signed_out(server: Served) -> None:
    player = server.player("Irene")
    assert player.client.delete("/api/me").status_code == 204
    assert player.client.get("/api/me").status_code == 401
    with server.client() as client:
        start_game(client)
        answer = client.request("DELETE", "/api/me", headers=SAME)
        assert answer.status_code == 204
        assert COOKIE not in client.cookies


def test_a_personal_link_moves_the_identity_to_another_device_once(server: Served) -> None:
    with server.client() as first, server.client() as second, server.client() as third:
        start_game(first)
        page = first.post("/me/link", headers=SAME).text
        path = page[page.index("/pass/") :]
        path = path[: min(path.index(end) for end in ('"', "<") if end in path)]
        assert second.get(path).status_code == 200
        assert second.get("/api/me").status_code == 401  # opening the link changes nothing
        assert second.post(path, headers=SAME).status_code == 303
        assert second.get("/api/me").json()["name"] == "Zoe"
        assert third.post(path, headers=SAME).status_code == 404


def test_the_language_is_that_of_the_guest_the_cookie_or_the_browser(server: Served) -> None:
    german = {"accept-language": "de-AT, en;q=0.5"}
    with server.client(headers=german) as client:
        assert 'lang="de"' in client.get("/").text
        client.post("/language", data={"language": "hu", "back": "/"}, headers=SAME)
        assert 'lang="hu"' in client.get("/").text
    dutch = server.player("Basil", language="nl")
    dutch.client.headers["accept-language"] = "it"
    answer = dutch.client.get("/api/tables/nowhere")
    translations = load_translations("nl")
    assert answer.json()["error"]["message"] == explain_table("no-such-table", translations, {})
    assert 'lang="nl"' in dutch.client.get("/").text


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [("/table/nowhere/join", {}, 404), ("/play", {"bot": "nobody"}, 400)],
)
def test_a_refused_form_creates_no_guest(
    server: Served, path: str, form: dict[str, str], status: int
) -> None:
    with server.client() as client:
        answer = client.post(path, data={"name": "Zoe", **form}, headers=SAME)
        assert answer.status_code == status
        assert "set-cookie" not in answer.headers
        assert client.get("/api/me").status_code == 401


def test_files_for_shared_caches_set_no_cookie(tmp_path: Path) -> None:
    now = time.time()
    environment = dataclasses.replace(SYSTEM, clock=lambda: now)
    with served(tmp_path, environment=environment) as running, running.client() as client:
        start_game(client)
        now += 40 * 24 * 3600
        for path in ("/static/style.css", "/art/faces.css"):
            assert "set-cookie" not in client.get(path).headers
        assert "set-cookie" in client.get("/").headers
        assert "set-cookie" not in client.get("/").headers
