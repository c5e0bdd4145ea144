"""``kill -9`` under load; ``tests/web/killing.py`` does it more often."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.tables.databases import Postgres

from .browser.process import ServerProcess
from .killing import Outcome, run
from .server import PATIENCE


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[Postgres]:
    with Postgres(tmp_path / "postgresql") as server:
        yield server


def test_a_killed_server_loses_no_acknowledged_action_and_doubles_none(tmp_path: Path) -> None:
    _was_under_load(run(2, seed=7, folder=tmp_path), kills=2)


@pytest.mark.slow  # test_several kills processes that share a PostgreSQL database
def test_a_server_killed_on_postgresql_loses_nothing(tmp_path: Path, postgres: Postgres) -> None:
    _was_under_load(run(2, seed=8, folder=tmp_path, database=postgres.fresh()), kills=2)


def _was_under_load(outcome: Outcome, kills: int) -> None:
    """Check that the server was under load; otherwise the test would prove nothing."""
    assert outcome.kills == kills
    assert outcome.found["unanswered"] >= kills
    assert outcome.found["accepted"] >= 5 * kills


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path) as running:
        yield running


class Friend:
    """A person who talks to a server that can be killed."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server
        token = httpx.post(f"{server.url}/api/me", json={}).json()["token"]
        self._headers = {"authorization": f"Bearer {token}"}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request and return the JSON of its answer."""
        answer = httpx.request(
            method,
            f"{self._server.url}/api/tables{path}",
            json=body,
            headers=self._headers,
            timeout=PATIENCE,
        )
        assert answer.is_success, answer.text
        return answer.json()

    def passes(self, table: str) -> None:
        decision = self.ask("GET", f"/{table}")["decision"]
        body = {"action": "pass", "key": f"pass-{decision}", "decision": decision}
        self.ask("POST", f"/{table}/actions", body)


def _found_for_three(server: ServerProcess) -> tuple[list[Friend], str]:
    """Return three people and the table at which they have begun to play."""
    friends = [Friend(server) for _ in range(3)]
    seats = [{"type": "host"}, {"type": "open"}, {"type": "open"}]
    table: str = friends[0].ask("POST", "", {"seats": seats})["table"]
    for friend in friends[1:]:
        friend.ask("POST", f"/{table}/join", {})
    return friends, table


def test_a_prepared_answer_survives_a_killed_server_and_is_played(server: ServerProcess) -> None:
    (ada, ben, cleo), table = _found_for_three(server)
    view = ben.ask("GET", f"/{table}")["view"]
    answer = {"type": "pass", "round": view["round"], "offer_card": view["stack"][-1]}
    ben.ask("PUT", f"/{table}/prepared", {"answer": answer})
    server.kill()
    server.start()
    assert ben.ask("GET", f"/{table}")["prepared"] == answer
    assert ada.ask("GET", f"/{table}")["prepared"] is None
    ada.passes(table)
    until = time.monotonic() + PATIENCE
    while cleo.ask("GET", f"/{table}")["waiting_for"] != [2]:
        assert time.monotonic() < until, "the prepared answer is not played"
        time.sleep(0.05)
    after = ben.ask("GET", f"/{table}")
    assert (after["prepared"], after["number"]) == (None, 2)
    assert [player["passed"] for player in after["view"]["seats"]] == [True, True, False]


def test_an_undo_survives_a_killed_server(server: ServerProcess) -> None:
    (ada, ben, _), table = _found_for_three(server)
    before = ada.ask("GET", f"/{table}")
    ada.passes(table)
    body = {"undo": ada.ask("GET", f"/{table}")["undo"], "key": "back"}
    undone = ada.ask("POST", f"/{table}/undo", body)
    server.kill()
    server.start()
    after = ada.ask("GET", f"/{table}")
    assert (after["view"], after["number"]) == (before["view"], 0)
    assert (after["undone"], after["undone_by"], after["undo"]) == (1, 0, None)
    again = ada.ask("POST", f"/{table}/undo", body)  # as if the first answer was lost
    assert again["version"] == undone["version"]
    assert ben.ask("GET", f"/{table}")["undone"] == 1
    ada.passes(table)
    server.kill()
    server.start()
    assert ada.ask("GET", f"/{table}")["number"] == 1
