"""``byzanz puzzles``."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from .command import byzanz

LINES = (files("byzanz.coach.puzzles") / "data" / "puzzles.jsonl").read_text().splitlines()


def test_puzzles_are_listed_and_selected(tmp_path: Path) -> None:
    done = byzanz("puzzles", "list")
    assert done.returncode == 0
    assert f"\n{len(LINES)} puzzles: bid " in done.stdout
    out = tmp_path / "some.jsonl"
    source = tmp_path / "all.jsonl"
    source.write_text("\n".join(LINES[:6]))
    done = byzanz("puzzles", "select", str(source), str(source), "--count", "1", "--out", str(out))
    assert done.stdout.startswith("1 puzzle: ")
    assert out.read_text().strip() in LINES


def test_faults_are_named(tmp_path: Path) -> None:
    puzzle = json.loads(LINES[0])
    first, second = puzzle["candidates"][:2]
    puzzle |= {"answer": second["action"], "candidates": [second, first]}
    file = tmp_path / "wrong.jsonl"
    file.write_text(json.dumps(puzzle))
    done = byzanz("puzzles", "check", str(file), "--worlds", "16")
    assert done.returncode == 1
    assert f"{puzzle['id']}: expected {second['action']} to lead by 8 points" in done.stdout
    assert done.stdout.endswith("1 puzzle searched: 1 faults.\n")
    file.write_text("{}")
    done = byzanz("puzzles", "check", str(file))
    assert done.returncode == 2
    assert "wrong.jsonl, line 1: " in done.stderr


def test_mining_ends_in_time_and_refuses_what_is_no_record(tmp_path: Path) -> None:
    out = tmp_path / "mined.jsonl"
    done = byzanz("puzzles", "mine", "--minutes", "0", "--seed", "4", "--out", str(out))
    assert done.returncode == 0
    assert done.stdout.startswith("0 puzzles: ")
    assert "Seed 4." in done.stderr
    assert out.read_text() == ""
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}\n")
    done = byzanz("puzzles", "mine", str(bad), "--games", "0", "--out", str(out))
    assert done.returncode == 2
    assert "bad.jsonl, line 1" in done.stderr
