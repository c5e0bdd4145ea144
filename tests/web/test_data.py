"""The command ``byzanz data``: backup, restore and forgetting a guest."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from errno import ENOSPC
from pathlib import Path

import pytest

from byzanz.cli import main

from .server import served


def test_a_backup_made_while_serving_is_restored_whole(tmp_path: Path) -> None:
    file = tmp_path / "backup.jsonl"
    first, second = tmp_path / "first", tmp_path / "second"
    with served(first) as running:
        player = running.player("Theodora")
        table = player.found("greedy", open_seats=1)
        before = player.look(table)
        assert main(["data", "backup", str(file), "--data", str(first)]) == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert main(["data", "restore", str(file), "--data", str(second)]) == 0
    with served(second) as running:
        client = running.client(headers={"authorization": f"Bearer {player.token}"})
        assert client.get(f"/api/tables/{table}").json() == before


def test_a_file_that_cannot_be_restored_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "backup.jsonl"
    file.write_text("nonsense\n")
    assert main(["data", "restore", str(file), "--data", str(tmp_path / "new")]) == 2
    assert main(["data", "restore", str(tmp_path / "none"), "--data", str(tmp_path / "new")]) == 2
    assert main(["data", "backup", str(file), "--database", "nonsense"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 3
    assert all(line.startswith("byzanz data: ") for line in said)


def test_an_empty_backup_never_replaces_a_good_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "backup.jsonl"
    file.write_text("good")
    nowhere = tmp_path / "nowhere"
    assert main(["data", "backup", str(file), "--data", str(nowhere)]) == 2
    assert "No such file" in capsys.readouterr().err
    assert not nowhere.exists()
    nowhere.mkdir()
    (nowhere / "byzanz.db").touch()
    assert main(["data", "backup", str(file), "--data", str(nowhere)]) == 2
    assert "has no Byzanz data" in capsys.readouterr().err
    assert file.read_text() == "good"
    assert main(["data", "forget", "somebody", "--data", str(tmp_path / "none")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_a_backup_that_fails_leaves_nothing_of_what_it_wrote(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, folder = ["--data", str(tmp_path / "data")], tmp_path / "folder"
    with served(tmp_path / "data"):
        folder.mkdir()
        assert main(["data", "backup", str(folder), *data]) == 2
        assert f"cannot use '{folder}': Is a directory" in capsys.readouterr().err

        def full(handle: int) -> None:
            raise OSError(ENOSPC, os.strerror(ENOSPC))

        monkeypatch.setattr(os, "fsync", full)
        assert main(["data", "backup", str(tmp_path / "backup.jsonl"), *data]) == 2
    assert {file.name for file in tmp_path.iterdir()} == {"data", "folder"}


def test_the_operator_can_forget_a_guest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path) as running:
        player = running.player("Xerxes")
        with closing(sqlite3.connect(tmp_path / "byzanz.db")) as database:
            ((guest,),) = database.execute("SELECT id FROM guests").fetchall()
        table = player.found("greedy", "greedy")
        assert main(["data", "forget", guest, "--data", str(tmp_path)]) == 2
        assert "another process" in capsys.readouterr().err
    assert main(["data", "forget", guest, "--data", str(tmp_path)]) == 0
    assert main(["data", "forget", guest, "--data", str(tmp_path)]) == 2
    assert f"the database has no guest '{guest}'" in capsys.readouterr().err
    with served(tmp_path) as running:
        client = running.client(headers={"authorization": f"Bearer {player.token}"})
        assert client.get("/api/me").status_code == 401
        assert "Xerxes" not in client.get(f"/api/tables/{table}").text
    assert b"Xerxes" not in (tmp_path / "byzanz.db").read_bytes()
