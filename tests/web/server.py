"""A real server in this process, and players who use it over real connections."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from byzanz.tables import Limits, Store, TableService
from byzanz.web.app import create_app
from byzanz.web.limit_settings import UNLIMITED, Settings
from byzanz.web.server import Server, address, listen, run
from tests.tables.databases import sqlite

UNHURRIED = Settings(guest_rate=UNLIMITED, address_rate=UNLIMITED, new_guest_rate=UNLIMITED)
"""Settings without rate limits."""

PATIENCE = 20.0
"""Seconds to wait for an answer before the test fails."""


@dataclass
class Served:
    """A running server."""

    url: str
    service: TableService
    app: Any
    clients: list[httpx.Client] = field(default_factory=list)

    def client(self, **given: Any) -> httpx.Client:
        """Return a client without an identity, with its own cookies."""
        plain: dict[str, Any] = {"verify": False}  # certificates are slow to load, and not needed
        self.clients.append(httpx.Client(base_url=self.url, timeout=PATIENCE, **plain, **given))
        return self.clients[-1]

    def player(self, name: str | None = None, language: str = "en") -> Player:
        """Create a guest and return a player with the guest's token."""
        with self.client() as client:
            answer = client.post("/api/me", json={"name": name, "language": language})
        assert answer.status_code == 201, answer.text
        token = answer.json()["token"]
        return Player(self, self.client(headers={"authorization": f"Bearer {token}"}), token)

    def socket(self, path: str, **given: Any) -> ClientConnection:
        """Open a WebSocket."""
        return connect(self.url.replace("http", "ws", 1) + path, open_timeout=PATIENCE, **given)


@dataclass
class Player:
    """A person who plays through the API."""

    served: Served
    client: httpx.Client
    token: str
    keys: Iterator[int] = field(default_factory=itertools.count)

    def found(self, *bots: str, open_seats: int = 0, **options: Any) -> str:
        """Create a table with these bots after the host, then open seats; return its id."""
        seats = [{"type": "host"}, *({"type": "bot", "bot": bot} for bot in bots)]
        seats += [{"type": "open"}] * open_seats
        answer = self.client.post("/api/tables", json={"seats": seats, "options": options})
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["table"]
        return table

    def look(self, table: str) -> dict[str, Any]:
        """Return the table as this player may see it."""
        answer = self.client.get(f"/api/tables/{table}")
        while answer.status_code == 429:
            time.sleep(float(answer.headers["retry-after"]))
            answer = self.client.get(f"/api/tables/{table}")
        assert answer.status_code == 200, answer.text
        table_view: dict[str, Any] = answer.json()
        return table_view

    def waits(self, table: str) -> dict[str, Any]:
        """Wait until it is this player's turn or the game is over, and return the table."""
        until, pause = time.monotonic() + PATIENCE, 0.005
        while time.monotonic() < until:
            table_view = self.look(table)
            if table_view["stage"] == "finished" or table_view["seat"] in table_view["waiting_for"]:
                return table_view
            time.sleep(pause)
            pause = min(2 * pause, 0.2)
        raise AssertionError("the table does not continue")

    def act(self, table: str, action: str, **named: Any) -> httpx.Response:
        """Play an action and return the response."""
        body = {"action": action, "key": f"key-{next(self.keys)}", **named}
        return self.client.post(f"/api/tables/{table}/actions", json=body)

    def play_on(self, table: str) -> dict[str, Any]:
        """Play simple actions until the game is over, and return the finished table."""
        while (table_view := self.waits(table))["stage"] == "playing":
            answer = self.act(table, simple_action(table_view), decision=table_view["decision"])
            while answer.status_code == 429:  # the test acts faster than a person would
                time.sleep(float(answer.headers["retry-after"]))
                answer = self.act(table, simple_action(table_view), decision=table_view["decision"])
            assert answer.status_code == 200, answer.text
        return table_view

    def stream(self, table: str) -> ClientConnection:
        """Open the table's stream of table views."""
        headers = {"authorization": f"Bearer {self.token}"}
        return self.served.socket(f"/api/tables/{table}/stream", additional_headers=headers)


def simple_action(table_view: dict[str, Any]) -> str:
    """Return a simple legal action for the current decision."""
    legal = table_view["view"]["legal"]
    for word in ("give", "take", "discard"):
        if legal[word]:
            return f"{word} {legal[word][0]}"
    return "done" if legal["done"] else "pass"


@contextmanager
def served(
    folder: Path,
    settings: Settings = UNHURRIED,
    smtp_password: str = "",
    *,
    proxies: str = "",
    **service: Any,
) -> Iterator[Served]:
    """Run a server on a free port, with a database in the folder, and trust these proxies."""
    given = {"limits": Limits(substitute_bot="random"), **service}  # it needs no compilation
    opened = TableService(Store.open(sqlite(folder)), **given)
    app = create_app(opened, settings, smtp_password=smtp_password)
    listening = listen("127.0.0.1", 0)
    url = address(listening).rstrip("/")
    ready = threading.Event()
    server = Server(app, listening, proxies=proxies, ready=ready.set)
    thread = threading.Thread(target=run, args=[server])
    thread.start()
    running = Served(url, opened, app)
    try:
        assert ready.wait(PATIENCE)
        yield running
    finally:
        for client in running.clients:
            client.close()
        server.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()
