"""``byzanz check``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .command import RECORD, byzanz


def test_files_and_standard_input_are_read(record: Path) -> None:
    assert byzanz("check", str(record)).stdout == "1 game: 1 legal, 0 with errors.\n"
    assert byzanz("check", stdin=RECORD).stdout == "1 game: 1 legal, 0 with errors.\n"
    assert byzanz("check", "-", stdin=RECORD * 2).stdout == "2 games: 2 legal, 0 with errors.\n"


def test_a_file_without_games_is_named(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    done = byzanz("check", str(empty))
    assert (done.returncode, done.stdout) == (0, "0 games: 0 legal, 0 with errors.\n")
    assert done.stderr == f"byzanz check: '{empty}' has no games\n"
    assert byzanz("check", stdin="").stderr == "byzanz check: standard input has no games\n"


def test_a_damaged_file_of_games_is_named(tmp_path: Path) -> None:
    damaged = tmp_path / "games.byz"
    damaged.write_bytes(b"\x89BYZANZ\n\x01\x00\x00\x00GAME")
    for command in ("check", "show"):
        done = byzanz(command, str(damaged))
        assert done.returncode == 2
        expected = "the file ends after game 0, in the middle of a block"
        assert done.stderr == f"byzanz {command}: cannot read '{damaged}': {expected}\n"


def test_the_line_of_an_illegal_action_is_reported(record: Path) -> None:
    lines = RECORD.splitlines()
    lines[1] = '{"type":"action","seat":0,"action":"bid M"}'
    broken = "\n".join([*lines, ""])
    done = byzanz("check", stdin=RECORD + broken)
    assert done.returncode == 1
    assert done.stdout == (
        f"game 2, line {len(lines) + 2}: Merchants cannot be bid. [merchant-bid, R3.7]\n"
        "2 games: 1 legal, 1 with errors.\n"
    )
    other = record.with_name("other.jsonl")
    other.write_text(broken)
    done = byzanz("check", str(record), str(other))
    assert f"{other}, game 2, line 2: Merchants cannot be bid." in done.stdout


def test_json_has_one_object_per_game_in_order(record: Path) -> None:
    done = byzanz("check", "--json", stdin=RECORD + "junk\n" + RECORD)
    lines = len(RECORD.splitlines())
    assert done.returncode == 1
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"game": 1, "ok": True},
        {
            "game": 2,
            "ok": False,
            "line": lines + 1,
            "reason": "not-json",
            "rule": None,
            "message": "The line is not a complete JSON object. "
            "Expected: one JSON object. Found: 'junk'",
        },
        {"game": 3, "ok": True},
    ]
    done = byzanz("check", "--json", str(record), str(record))
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"game": 1, "ok": True, "file": str(record)},
        {"game": 2, "ok": True, "file": str(record)},
    ]


def test_other_files_are_checked_after_an_unreadable_one(record: Path) -> None:
    done = byzanz("check", "/no/such/file", str(record))
    assert done.returncode == 2
    assert done.stdout == "1 game: 1 legal, 0 with errors.\n"
    assert "cannot read '/no/such/file'" in done.stderr


@pytest.mark.parametrize(
    "junk",
    [b"\x00" * 5000, b"\xff" * 100, b"[" * 2_000_000, b"{}\n" * 50],
    ids=["zeros", "no-text", "nested", "empty-objects"],
)
def test_junk_is_an_invalid_game(junk: bytes) -> None:
    done = byzanz("check", stdin=junk + b"\n" + RECORD.encode())
    assert done.returncode == 1
    assert "2 games: 1 legal, 1 with errors." in done.stdout
