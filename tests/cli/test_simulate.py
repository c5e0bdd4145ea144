"""``byzanz simulate``."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .command import byzanz


def test_records_do_not_depend_on_the_number_of_jobs(tmp_path: Path) -> None:
    common = ["simulate", "--players", "5", "--games", "20", "--seed", "11"]
    file = tmp_path / "games.jsonl"
    one = byzanz(*common, "--record", str(file), "--jobs", "2")
    assert one.returncode == 0
    assert "20 games, 5 players, seed 11" in one.stdout
    other = byzanz(*common, "--record", "-")
    assert other.stdout == file.read_text(encoding="utf-8")
    assert "20 games, 5 players, seed 11" in other.stderr
    checked = byzanz("check", str(file))
    assert checked.stdout == "20 games: 20 legal, 0 with errors.\n"
    header = json.loads(other.stdout.splitlines()[0])
    assert header["seed"] == 11
    assert header["bots"] == ["random"] * 5


def test_the_seed_in_a_header_reproduces_that_game() -> None:
    games = byzanz("simulate", "--games", "3", "--seed", "5", "--record", "-").stdout
    third = games[games.rindex('{"type":"game"') :]
    seed = str(json.loads(third.splitlines()[0])["seed"])
    assert byzanz("simulate", "--games", "1", "--seed", seed, "--record", "-").stdout == third


def test_games_of_the_fast_engine_are_legal(tmp_path: Path) -> None:
    for players in ("3", "4", "5", "6"):
        file = tmp_path / f"{players}.jsonl"
        common = ["simulate", "--engine", "fast", "--players", players, "--games", "25"]
        bots = ["--bots", "sensible,random", "--seed", "9"]
        assert byzanz(*common, *bots, "--record", str(file)).returncode == 0
        assert byzanz("check", str(file)).stdout == "25 games: 25 legal, 0 with errors.\n"
        header = json.loads(file.read_text().splitlines()[0])
        assert header["engine"] == "fast"
        assert header["bots"][:2] == ["sensible", "random"]
    done = byzanz("simulate", "--engine", "fast", "--bots", "greedy")
    assert (done.returncode, done.stderr) == (
        2,
        "byzanz simulate: there is no bot 'greedy'; there are random, sensible, trader, emperor\n",
    )


def test_a_random_seed_is_shown() -> None:
    done = byzanz("simulate", "--games", "1", "--players", "3")
    assert ", seed " in done.stdout


def test_records_cannot_be_written_to_closed_output() -> None:
    line = f"{sys.executable} -m byzanz simulate --games 1 --record - >&-"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (2, "byzanz simulate: standard output is closed\n")


def test_the_table_shows_bots_as_they_were_given() -> None:
    program = f"cmd:{sys.executable} -c pass [/x]"
    done = byzanz("simulate", "--games", "1", "--players", "3", "--bots", program)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "[/x]" in done.stdout.replace("\n", "")


def test_records_are_written_in_the_form_that_the_name_says(tmp_path: Path) -> None:
    common = ["simulate", "--engine", "fast", "--games", "30", "--seed", "3", "--record"]
    plain = tmp_path / "games.jsonl"
    assert byzanz(*common, str(plain)).returncode == 0
    for name in ("games.byz", "games.jsonl.gz"):
        file = tmp_path / name
        assert byzanz(*common, str(file)).returncode == 0
        assert file.stat().st_size < plain.stat().st_size / 8
        assert byzanz("check", str(file)).stdout == "30 games: 30 legal, 0 with errors.\n"
        shown = byzanz("show", str(file), "--game", "30")
        assert shown.stdout == byzanz("show", str(plain), "--game", "30").stdout
    readable = tmp_path / "readable.byz"
    done = byzanz("simulate", "--games", "2", "--seed", "3", "--record", str(readable))
    assert done.returncode == 0
    assert byzanz("check", str(readable)).stdout == "2 games: 2 legal, 0 with errors.\n"


@pytest.mark.parametrize("engine", ["fast", "readable"])
def test_an_interrupted_simulation_shows_the_results_so_far(tmp_path: Path, engine: str) -> None:
    file = tmp_path / "games.byz"
    command = [sys.executable, "-m", "byzanz", "simulate", "--engine", engine, "--seed", "1"]
    process = subprocess.Popen(
        [*command, "--games", "100000000", "--record", str(file)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    enough = 100_000 if engine == "fast" else 0
    while not (file.exists() and file.stat().st_size >= enough):
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(1)  # the readable engine has played games by then, but has not written them
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "games, 4 players, seed 1" in out
    assert "Traceback" not in err
    checked = byzanz("check", str(file))
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout.endswith("legal, 0 with errors.\n")
