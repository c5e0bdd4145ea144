"""``byzanz cross``."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from byzanz.bots import check_bots, split_bots
from byzanz.cli.cross import DEFAULT_BOTS

from .command import byzanz, interrupted

EXAMPLE = Path(__file__).parents[2] / "examples" / "line_bot.py"
COMMON = ["cross", "--players", "3", "--seed", "5", "--bots", "random,novice,greedy"]


def test_the_default_bots_exist() -> None:
    check_bots(split_bots(DEFAULT_BOTS))


def test_the_matrix_is_written_and_finished_deals_are_continued(tmp_path: Path) -> None:
    out, figures, chart = tmp_path / "deep" / "crossed", tmp_path / "m.json", tmp_path / "c.svg"
    done = byzanz(
        *COMMON, "--deals", "2", "--jobs", "2",
        "--out", str(out), "--json", str(figures), "--chart", str(chart),
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == ""
    said = " ".join(done.stdout.split())
    assert "3 players, 2 deals a pair in duplicate, 36 games, seed 5" in said
    assert "a fair share is 33.3%" in said
    cells = json.loads(figures.read_text())["cells"]
    assert len(cells) == 6
    for cell in cells:
        assert f"{100 * cell['wins']['value']:.1f}" in done.stdout
        interval = f"{100 * cell['wins']['low']:.1f} to {100 * cell['wins']['high']:.1f}"
        assert interval in done.stdout
    ET.fromstring(chart.read_text())
    files = sorted(out.iterdir())
    assert [file.name for file in files][:2] == [
        "00-01-random-among-novice.jsonl", "00-02-random-among-greedy.jsonl",
    ]  # fmt: skip
    assert [len(file.read_text().splitlines()) for file in files] == [3] * 6

    before = files[0].read_text()
    more = byzanz("cross", "--out", str(out), "--deals", "3", "--json", "-")
    assert more.returncode == 0
    assert "3 deals" in more.stderr
    assert files[0].read_text().startswith(before)
    whole = byzanz(*COMMON, "--deals", "3", "--json", "-")
    assert json.loads(whole.stdout) == json.loads(more.stdout)
    fewer = byzanz("cross", "--out", str(out), "--deals", "1", "--json", "-")
    assert json.loads(fewer.stdout) == json.loads(more.stdout)


def test_a_folder_with_other_settings_is_refused(tmp_path: Path) -> None:
    out = str(tmp_path)
    assert byzanz(*COMMON, "--deals", "1", "--out", out).returncode == 0
    for other, was in (
        (["--players", "4"], "--players 3"),
        (["--seed", "6"], "--seed 5"),
        (["--bots", "random,greedy"], "--bots random,novice,greedy"),
        (["--on-failure", "fallback"], "--on-failure forfeit"),
    ):
        done = byzanz("cross", "--out", out, *other)
        assert done.returncode == 2
        assert done.stderr == f"byzanz cross: {out} was played with {was}; use another folder\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bots", "greedy"], "name two different ones"),
        (["--bots", "greedy*2,random"], "name 'greedy' once"),
        (["--bots", "greedy,nobody"], "there is no bot 'nobody'; there are random"),
        (["--bots", "greedy@5,random"], "cannot read the bot 'greedy@5'"),
        (["--bots", "greedy,cmd:/no/such/bot"], "there is no program '/no/such/bot'"),
        (["--bots", "greedy*0"], "expected at least one bot"),
        (["--bots", "greedy,random", "--players", "7"], "a whole number from 3 to 6"),
        (["--bots", "greedy,random", "--deals", "0"], "a whole number from 1"),
        (["--bots", "greedy,random", "--out", str(EXAMPLE)], "is not a folder"),
        (["--bots", "greedy,random", "--json", "/no/folder/file"], "cannot write"),
        (["--bots", "greedy,random", "--chart", "-"], "expected a file"),
    ],
)
def test_errors_are_at_most_two_lines(arguments: list[str], said: str) -> None:
    done = byzanz("cross", "--deals", "1", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("byzanz cross: ")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) <= 2


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    diary = tmp_path / "diary.jsonl"
    diary.write_text("Dear diary\n")
    done = byzanz(*COMMON, "--deals", "1", "--out", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr == f"byzanz cross: {diary} is not the file of an arena\n"
    assert list(tmp_path.iterdir()) == [diary]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_it_can_be_interrupted_and_continued(tmp_path: Path, jobs: str) -> None:
    last = tmp_path / "02-01-greedy-among-novice.jsonl"
    done = interrupted(
        *COMMON, "--deals", "100000", "--jobs", jobs, "--out", str(tmp_path),
        when=lambda: last.exists() and last.read_bytes().count(b"\n") > 1,
    )  # fmt: skip
    assert done.returncode == 130
    stopped = re.fullmatch(
        r"Stopped after (\d+) of 600000 deals; run the same command to continue.\n", done.stderr
    )
    assert stopped is not None, done.stderr
    kept = sum(file.read_bytes().count(b"\n") - 1 for file in tmp_path.iterdir())
    assert kept - int(stopped[1]) in {0, 1}  # one deal may be stored but not counted yet
    assert "greedy" in done.stdout
    most = max(file.read_bytes().count(b"\n") for file in tmp_path.iterdir())
    done = byzanz("cross", "--out", str(tmp_path), "--deals", str(most + 1))
    assert done.returncode == 0
    assert f"{most + 1} deals a pair" in " ".join(done.stdout.split())


def test_programs_can_play_and_their_failures_are_reported(tmp_path: Path) -> None:
    program, broken = f"cmd:{sys.executable} '{EXAMPLE}'", f"cmd:{sys.executable} -c pass"
    common = ["cross", "--players", "3", "--out", str(tmp_path), "--deals", "1"]
    done = byzanz(*common, "--bots", f"{program},{broken}")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "-c pass failed: died 9. It scores nothing" in " ".join(done.stdout.split())
    assert len(list(tmp_path.glob("*.jsonl"))) == 2
    assert byzanz(*common).stdout == done.stdout
