"""The command ``byzanz serve``: its error messages, its log and its end."""

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
from byzanz.tables import Store, TableService
from byzanz.web.server import FIRST_PORT, address, listen

from .browser.process import NO_RATES
from .server import PATIENCE, Served, served, simple_action


@pytest.fixture(autouse=True)
def no_settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore the settings file of the user who runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.fixture
def quiet() -> Iterator[None]:
    """Restore the logging configuration that the command changes."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before, level


def error_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["serve", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err
    return said.err


@pytest.mark.usefixtures("quiet")
def test_a_port_in_use_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = error_of(capsys, "--port", port, "--data", str(tmp_path))
    assert port in said


@pytest.mark.usefixtures("quiet")
def test_a_database_that_another_server_uses_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path):
        said = error_of(capsys, "--port", "0", "--data", str(tmp_path))
    assert "another process" in said


@pytest.mark.usefixtures("quiet")
def test_one_process_at_a_time_serves_a_sqlite_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = error_of(capsys, "--workers", "2", "--port", "0", "--data", str(tmp_path))
    assert "--workers 2 needs PostgreSQL" in said


@pytest.mark.usefixtures("quiet")
def test_a_newer_database_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(tmp_path):
        pass
    with sqlite3.connect(tmp_path / "byzanz.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'later'")
    connection.close()
    assert "newer" in error_of(capsys, "--port", "0", "--data", str(tmp_path))


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    "url",
    ["postgresql://nobody@127.0.0.1:1/none", "mysql://somewhere/else", "nonsense", "sqlite://"],
)
def test_an_unusable_database_is_reported(capsys: pytest.CaptureFixture[str], url: str) -> None:
    assert "database" in error_of(capsys, "--port", "0", "--database", url)


def test_without_a_port_the_first_free_one_is_used() -> None:
    with listen("127.0.0.1", None) as first, listen("127.0.0.1", None) as second:
        ports = [listening.getsockname()[1] for listening in (first, second)]
        assert FIRST_PORT <= ports[0] < ports[1] < FIRST_PORT + 100
        assert address(first) == f"http://127.0.0.1:{ports[0]}/"


def test_the_log_of_a_game_contains_no_secrets(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "byzanz", "serve", "--port", "0"]
    with (
        subprocess.Popen(
            [*command, "--data", str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **NO_RATES, "PYTHONUNBUFFERED": "1"},
        ) as process,
        ExitStack() as stack,
    ):
        stack.callback(process.kill)  # otherwise a failed test would wait for it forever
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


def test_a_bot_in_a_plain_file_plays_at_a_table(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from byzanz.bots.passive import PassiveBot\nclass Mine(PassiveBot): pass\n"
    )
    bot = f"py:{tmp_path / 'mine.py'}:Mine"
    command = [sys.executable, "-m", "byzanz", "serve", "--port", "0", "--data", str(tmp_path)]
    with (
        subprocess.Popen(
            [*command, "--bots", bot], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process,
        ExitStack() as stack,
    ):
        stack.callback(process.kill)
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        running = Served(found[0].rstrip("/"), None, None)  # type: ignore[arg-type]
        player = running.player("Xerxes")
        assert player.client.get("/api/bots").json()["bots"][-1]["bot"] == bot
        table = player.found(bot, "random")
        player.act(table, simple_action(seen := player.waits(table)), decision=seen["decision"])
        assert player.waits(table)["decision"] > seen["decision"] + 1
        for other in running.clients:
            other.close()
        process.send_signal(signal.SIGTERM)
        _, logged = process.communicate(timeout=PATIENCE)
    assert "failed" not in logged


def test_a_stopped_server_releases_its_database(tmp_path: Path) -> None:
    for _ in range(2):
        with served(tmp_path) as running, running.client() as client:
            assert client.get("/health").status_code == 200
    assert TableService(Store.open(f"sqlite:///{tmp_path / 'byzanz.db'}")).figures["tables"] == 0
