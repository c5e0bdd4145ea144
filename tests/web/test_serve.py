"""The command that serves: what it says when it cannot, and how it ends."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from byzanz.cli import main
from byzanz.tables import House, Store
from byzanz.web.server import FIRST_PORT, address, listen

from .server import PATIENCE, Served, served


@pytest.fixture
def quiet() -> Iterator[None]:
    """Logging is set up by the command, and as it was afterwards."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before, level


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["serve", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err
    return said.err


@pytest.mark.usefixtures("quiet")
def test_a_port_that_is_taken_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused(capsys, "--port", port, "--data", str(tmp_path))
    assert port in said


@pytest.mark.usefixtures("quiet")
def test_a_database_that_is_served_already_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path):
        said = refused(capsys, "--port", "0", "--data", str(tmp_path))
    assert "another process" in said


@pytest.mark.usefixtures("quiet")
def test_a_newer_database_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(tmp_path):
        pass
    with sqlite3.connect(tmp_path / "byzanz.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'later'")
    connection.close()
    assert "newer" in refused(capsys, "--port", "0", "--data", str(tmp_path))


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    "url",
    ["postgresql://nobody@127.0.0.1:1/none", "mysql://somewhere/else", "nonsense", "sqlite://"],
)
def test_a_database_that_cannot_be_used_is_told(
    capsys: pytest.CaptureFixture[str], url: str
) -> None:
    assert "database" in refused(capsys, "--port", "0", "--database", url)


def test_without_a_port_the_first_free_one_is_taken() -> None:
    with listen("127.0.0.1", None) as first, listen("127.0.0.1", None) as second:
        ports = [listening.getsockname()[1] for listening in (first, second)]
        assert FIRST_PORT <= ports[0] < ports[1] < FIRST_PORT + 100
        assert address(first) == f"http://127.0.0.1:{ports[0]}/"


def test_a_game_served_by_the_command_leaves_no_secret_in_its_log(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "byzanz", "serve", "--port", "0"]
    with (
        subprocess.Popen(
            [*command, "--data", str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        ) as process,
        ExitStack() as stack,
    ):
        stack.callback(process.kill)  # or a failure would wait for it for ever
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        running = Served(found[0].rstrip("/"), None, None)  # type: ignore[arg-type]
        player = running.player("Xerxes")
        table = player.found("random", "random")
        headers = {"authorization": f"Bearer {player.token}"}
        with player.stream(table) as stream:
            stream.recv()
            with running.socket(f"/table/{table}/socket", additional_headers=headers) as page:
                page.recv()
                page.send("x" * 5000)
            with pytest.raises(InvalidStatus):
                running.socket("/table/nowhere/socket", additional_headers=headers)
            player.play_on(table)
        same = {"sec-fetch-site": "same-origin"}
        with running.client() as client:
            client.post("/play", data={"bot": "random", "name": "Artaxerxes"}, headers=same)
            cookie = client.cookies["byzanz"]
            link = re.search(r"/pass/([\w-]+)", client.post("/me/link", headers=same).text)
            assert link is not None
            client.post(link[0], headers=same)
            client.get(f"/table/{table}?Artaxerxes")
            client.get(f"/table/{table}/nowhere")
            client.post(f"/api/tables/{table}/actions", content=b"\xff")
            client.get(f"/api/tables/{table}/record")
        for other in running.clients:
            other.close()
        process.send_signal(signal.SIGTERM)
        _, logged = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    lines = [json.loads(line) for line in logged.splitlines()]
    assert len(lines) > 100
    assert not [line for line in lines if line["level"] not in ("info", "debug")]
    connection = sqlite3.connect(tmp_path / "byzanz.db")
    guests = [row[0] for row in connection.execute("SELECT id FROM guests")]
    connection.close()
    assert len(guests) == 2
    for secret in (table, player.token, cookie, link[1], "Xerxes", "Artaxerxes", *guests):
        assert secret not in logged


def test_a_stopped_server_lets_go_of_its_database(tmp_path: Path) -> None:
    for _ in range(2):
        with served(tmp_path) as running, running.client() as client:
            assert client.get("/health").status_code == 200
    assert House(Store.open(f"sqlite:///{tmp_path / 'byzanz.db'}")).figures["tables"] == 0
