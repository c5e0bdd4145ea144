"""Devices and tokens: listed, logged out at once, and those of earlier versions still work."""

from __future__ import annotations

import dataclasses
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from itsdangerous import TimestampSigner
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from byzanz.tables import SYSTEM, Limits
from byzanz.web.identity import COOKIE
from byzanz.web.push import SIGNED_OUT
from byzanz.web.signatures import OLD_UNTIL
from byzanz.web.user_agents import describe

from .server import PATIENCE, UNHURRIED, Served, served

SAME = {"sec-fetch-site": "same-origin"}
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
DAY = 24 * 3600

AGENTS = {
    FIREFOX: ("Firefox", "Linux"),
    SAFARI: ("Safari", "iPhone"),
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0": ("Edge", "Windows"),
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/138.0.0.0 Mobile Safari/537.36": ("Chrome", "Android"),
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Safari/605.1.15": ("Safari", "macOS"),
    "curl/8.5.0": ("", ""),
    "<script>": ("", ""),
}


@pytest.mark.parametrize("agent", AGENTS)
def test_a_device_is_described_by_its_browser_and_system(agent: str) -> None:
    label = describe(agent)
    assert (label.browser, label.system) == AGENTS[agent]


def visitor(running: Served, agent: str = FIREFOX) -> httpx.Client:
    """Return a browser whose guest has a game against bots."""
    client = running.client(headers={"user-agent": agent, **SAME})
    assert client.post("/play", data={"bot": "random", "name": "Zoe"}).status_code == 303
    return client


def second_device(running: Served, client: httpx.Client, agent: str = SAFARI) -> httpx.Client:
    """Return another browser of the same guest, signed in with a personal link."""
    page = client.post("/me/link").text
    path = re.search(r"/pass/[\w-]+", page)
    assert path is not None
    other = running.client(headers={"user-agent": agent, **SAME})
    assert other.post(path[0]).status_code == 303
    return other


def sessions(client: httpx.Client) -> list[dict[str, object]]:
    found: list[dict[str, object]] = client.get("/api/me/sessions").json()["sessions"]
    return found


@contextmanager
def stream(running: Served, client: httpx.Client) -> Iterator[ClientConnection]:
    """Open the stream of the guest's first table with the client's cookie."""
    table = client.get("/api/me/tables").json()["tables"][0]["table"]
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    headers = {"cookie": cookies, "origin": running.url}
    with running.socket(f"/api/tables/{table}/stream", additional_headers=headers) as socket:
        assert table in str(socket.recv(PATIENCE))
        yield socket


def close_code(socket: ClientConnection) -> int:
    """Read until the server closes the socket, and return its code."""
    with suppress(ConnectionClosed):
        while True:
            socket.recv(PATIENCE)
    assert socket.close_code is not None
    return socket.close_code


def test_the_page_lists_the_devices_and_logs_one_out(server: Served) -> None:
    first = visitor(server)
    second = second_device(server, first)
    page = first.get("/me/devices").text
    assert "Firefox on Linux <strong>(this device)</strong>" in page
    assert "Safari on iPhone<br>" in page
    assert page.count("last used") == 2
    (other,) = [each for each in sessions(first) if not each["current"]]
    assert (other["browser"], other["system"], other["kind"]) == ("Safari", "iPhone", "device")
    with stream(server, second) as socket:
        assert first.post(f"/me/devices/{other['session']}/end").status_code == 303
        assert close_code(socket) == SIGNED_OUT
    assert second.get("/api/me").status_code == 401
    assert first.get("/api/me").json()["name"] == "Zoe"
    assert first.post(f"/me/devices/{other['session']}/end").status_code == 404
    (own,) = sessions(first)
    answer = first.post(f"/me/devices/{own['session']}/end")
    assert answer.headers["location"] == "/"
    assert COOKIE not in first.cookies
    assert first.get("/api/me").status_code == 401
    assert first.get("/me/devices").status_code == 401


def test_logging_out_everywhere_closes_all_other_sockets_at_once(server: Served) -> None:
    first = visitor(server)
    others = [second_device(server, first) for _ in range(2)]
    token = first.post("/api/me/tokens", json={}).json()["token"]
    table = first.get("/api/me/tables").json()["tables"][0]["table"]
    bearer = {"authorization": f"Bearer {token}"}
    with ExitStack() as opened:
        mine = opened.enter_context(stream(server, first))
        sockets = [opened.enter_context(stream(server, other)) for other in others]
        program = server.socket(f"/api/tables/{table}/stream", additional_headers=bearer)
        sockets.append(opened.enter_context(program))
        assert first.post("/me/devices/end").status_code == 303
        assert [close_code(socket) for socket in sockets] == [SIGNED_OUT] * 3
        assert mine.ping().wait(PATIENCE)
    assert [other.get("/api/me").status_code for other in others] == [401] * 2
    assert httpx.get(f"{server.url}/api/me", headers=bearer).status_code == 401
    assert [each["current"] for each in sessions(first)] == [True]


def test_nobody_ends_the_session_of_another_guest(server: Served) -> None:
    mine, theirs = visitor(server), visitor(server)
    (session,) = sessions(theirs)
    assert mine.post(f"/me/devices/{session['session']}/end").status_code == 404
    assert mine.delete(f"/api/me/sessions/{session['session']}").status_code == 404
    assert mine.delete("/api/me/sessions").status_code == 204
    assert theirs.get("/api/me").status_code == 200


def test_another_guest_on_the_same_device_ends_the_first_session(server: Served) -> None:
    first, second = visitor(server), visitor(server)
    before = second.cookies[COOKIE]
    page = first.post("/me/link").text
    path = re.search(r"/pass/[\w-]+", page)
    assert path is not None
    assert second.post(path[0]).status_code == 303
    assert second.cookies[COOKIE] != before
    assert len(sessions(first)) == 2
    with server.client(cookies={COOKIE: before}) as stolen:
        assert stolen.get("/api/me").status_code == 401


class Clock:
    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(tmp_path: Path, clock: Clock) -> Iterator[Served]:
    environment = dataclasses.replace(SYSTEM, clock=clock)
    limits = Limits(substitute_bot="random", sessions_per_guest=4)
    with served(tmp_path, environment=environment, limits=limits, automatic=False) as running:
        running.app.state.signer.clock = clock
        yield running


def test_tokens_have_a_name_and_expire(timed: Served, clock: Clock) -> None:
    client = visitor(timed)
    page = client.post("/me/tokens", data={"name": "My bot", "days": "7"}).text
    found = re.search(r'<code class="line">([^<]+)</code>', page)
    assert found is not None
    assert "My bot" in page
    assert found[1] not in client.get("/me/devices").text  # shown once
    short = {"authorization": f"Bearer {found[1]}"}
    made = client.post("/api/me/tokens", json={"name": "Other"}).json()
    assert made["expires"] == pytest.approx(clock.now + 90 * DAY)
    usual = {"authorization": f"Bearer {made['token']}"}
    with timed.client() as program:
        assert program.get("/api/me", headers=short).json()["name"] == "Zoe"
        clock.now += 7 * DAY
        assert program.get("/api/me", headers=short).status_code == 401
        assert program.get("/api/me", headers=usual).status_code == 200
        revoked = program.delete(f"/api/me/sessions/{made['session']}", headers=usual)
        assert revoked.status_code == 204
        assert program.get("/api/me", headers=usual).status_code == 401
    assert [each["kind"] for each in sessions(client)] == ["device"]


@pytest.mark.parametrize("days", ["0", "366", "x", "-1", "1e3"])
def test_a_token_is_valid_for_at_most_a_year(timed: Served, days: str) -> None:
    client = visitor(timed)
    assert client.post("/me/tokens", data={"days": days}).status_code == 400
    assert client.post("/me/tokens", data={"name": "x" * 41}).status_code == 400
    assert client.post("/api/me/tokens", json={"days": 366}).status_code == 400
    assert client.post("/api/me", json={"days": 0}).status_code == 400
    assert len(sessions(client)) == 1


def test_a_new_guests_token_expires_after_ninety_days_or_as_chosen(
    timed: Served, clock: Clock
) -> None:
    for body, days in (({}, 90), ({"days": 365}, 365)):
        answer = httpx.post(f"{timed.url}/api/me", json=body).json()
        assert answer["expires"] == pytest.approx(clock.now + days * DAY)


def test_a_guest_has_few_tokens_and_the_least_used_devices_are_logged_out(timed: Served) -> None:
    client = visitor(timed)
    statuses = [client.post("/api/me/tokens", json={}).status_code for _ in range(5)]
    assert statuses == [201] * 4 + [429]
    devices = [second_device(timed, client) for _ in range(5)]
    working = [device.get("/api/me").status_code for device in (client, *devices)]
    assert working.count(200) == 4
    assert devices[-1].get("/api/me").status_code == 200


def test_a_device_stays_signed_in_for_a_year_after_its_last_use(
    timed: Served, clock: Clock
) -> None:
    client = visitor(timed)
    for _ in range(5):
        clock.now += 300 * DAY
        assert "set-cookie" in client.get("/").headers
        assert "set-cookie" not in client.get("/").headers
    assert sessions(client)[0]["seen"] == pytest.approx(clock.now, abs=600)
    clock.now += 366 * DAY
    assert client.get("/api/me").status_code == 401


def test_no_secret_is_stored_and_forgetting_deletes_all(timed: Served, tmp_path: Path) -> None:
    client = visitor(timed)
    token = client.post("/api/me/tokens", json={"name": "bot"}).json()["token"]
    secrets = [token.partition(".")[0], client.cookies[COOKIE].partition(".")[0]]
    with closing(sqlite3.connect(tmp_path / "byzanz.db")) as database:
        dumped = "\n".join(database.iterdump())
    assert "bot" in dumped
    assert not [secret for secret in secrets if secret in dumped]
    assert len(_rows(tmp_path, "SELECT * FROM sessions")) == 2
    with stream(timed, client) as socket:
        assert client.post("/me/forget").status_code == 303
        assert close_code(socket) == SIGNED_OUT
    assert _rows(tmp_path, "SELECT * FROM sessions") == []


# ---- what earlier versions gave out


def _old(running: Served, clock: Clock, salt: str, guest: str, days: float = 0) -> str:
    """Return what an earlier version signed this many days ago."""
    signer = TimestampSigner(running.app.state.signer._key, salt=salt)
    signer.get_timestamp = lambda: int(clock.now - days * DAY)  # type: ignore[method-assign]
    return signer.sign(guest).decode()


def _old_guest(running: Served, folder: Path) -> str:
    """Create a guest as if an earlier version had done so."""
    client = visitor(running)
    client.close()
    guest: str = _rows(folder, "SELECT id FROM guests")[-1][0]
    with closing(sqlite3.connect(folder / "byzanz.db")) as database:
        database.execute("UPDATE guests SET old_sign_ins = 1")
        database.execute("DELETE FROM sessions")
        database.commit()
    return guest


def test_an_old_cookie_is_replaced_and_makes_one_session(
    timed: Served, clock: Clock, tmp_path: Path
) -> None:
    cookie = _old(timed, clock, "byzanz cookie", _old_guest(timed, tmp_path), days=200)
    with timed.client(headers={"cookie": f"{COOKIE}={cookie}"}) as client:
        new = [client.get("/").cookies[COOKIE] for _ in range(2)]
        assert new[0] == new[1] != cookie
        assert client.get("/api/me").json()["name"] == "Zoe"
    with timed.client(cookies={COOKIE: new[0]}, headers=SAME) as client:
        assert "set-cookie" not in client.get("/").headers
        (session,) = sessions(client)
        assert client.delete(f"/api/me/sessions/{session['session']}").status_code == 204
        assert client.get("/api/me").status_code == 401
    with timed.client(headers={"cookie": f"{COOKIE}={cookie}"}) as client:
        assert client.get("/api/me").status_code == 401  # the old cookie is logged out too


def test_an_old_token_works_until_the_stated_date(
    timed: Served, clock: Clock, tmp_path: Path
) -> None:
    guest = _old_guest(timed, tmp_path)
    bearer = {"authorization": f"Bearer {_old(timed, clock, 'byzanz token', guest, days=500)}"}
    with timed.client(headers=bearer) as program:
        assert program.get("/api/me").json()["name"] == "Zoe"
        (session,) = sessions(program)
        assert session["expires"] == OLD_UNTIL
        clock.now = OLD_UNTIL - 1
        assert program.get("/api/me").status_code == 200
        clock.now = OLD_UNTIL
        assert program.get("/api/me").status_code == 401


def test_an_old_cookie_expires_a_year_after_it_was_signed(
    timed: Served, clock: Clock, tmp_path: Path
) -> None:
    guest = _old_guest(timed, tmp_path)
    for days, status in ((364, 200), (366, 401)):
        cookie = _old(timed, clock, "byzanz cookie", guest, days)
        with timed.client(headers={"cookie": f"{COOKIE}={cookie}"}) as client:
            assert client.get("/api/me").status_code == status


def test_logging_out_everywhere_ends_old_cookies_that_were_never_used_again(
    timed: Served, clock: Clock, tmp_path: Path
) -> None:
    guest = _old_guest(timed, tmp_path)
    unused = _old(timed, clock, "byzanz token", guest, days=3)
    used = _old(timed, clock, "byzanz token", guest, days=2)
    with timed.client(headers={"authorization": f"Bearer {used}"}) as program:
        assert program.delete("/api/me/sessions").status_code == 204
        assert program.get("/api/me").status_code == 200
        stale = {"authorization": f"Bearer {unused}"}
        assert program.get("/api/me", headers=stale).status_code == 401


def test_the_signing_key_does_not_sign_in_as_a_new_guest(
    timed: Served, clock: Clock, tmp_path: Path
) -> None:
    visitor(timed)
    guest = _rows(tmp_path, "SELECT id FROM guests")[-1][0]
    forged = _old(timed, clock, "byzanz token", guest, days=1)
    with timed.client(headers={"authorization": f"Bearer {forged}"}) as program:
        assert program.get("/api/me").status_code == 401


def test_a_plain_cookie_name_is_upgraded_over_https(tmp_path: Path) -> None:
    with served(tmp_path, replace(UNHURRIED, secure=True)) as running:
        client = visitor(running)
        value = client.cookies[f"__Host-{COOKIE}"]
        for name in (COOKIE, "lessons", "language"):
            assert name not in client.cookies
        with running.client(headers={"cookie": f"{COOKIE}={value}"}) as old:
            assert old.get("/api/me").json()["name"] == "Zoe"
            set_ = old.get("/").headers.get_list("set-cookie")
            assert any(each.startswith(f"__Host-{COOKIE}={value};") for each in set_)
            assert any(each.startswith(f'{COOKIE}="";') for each in set_)
        both = f"{COOKIE}=nonsense; __Host-{COOKIE}={value}"
        with running.client(headers={"cookie": both}) as planted:
            assert planted.get("/api/me").json()["name"] == "Zoe"
            assert planted.post("/me", data={"name": "X"}).status_code == 403  # another site


def _rows(folder: Path, query: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(folder / "byzanz.db")) as database:
        return database.execute(query).fetchall()
