"""``byzanz arena`` as a person runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.test_cli import byzanz

EXAMPLE = Path(__file__).parents[2] / "examples" / "line_bot.py"
COMMON = ["arena", "--players", "3", "--seed", "5", "--bots", "greedy,random*2"]


def test_the_arena_measures_draws_and_keeps_what_it_played(tmp_path: Path) -> None:
    out, standings, chart, games = (
        str(tmp_path / name) for name in ("r.jsonl", "s.json", "c.svg", "g.jsonl")
    )
    done = byzanz(
        *COMMON, "--deals", "4", "--jobs", "2",
        "--out", out, "--json", standings, "--chart", chart, "--records", games,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == ""
    assert "4 deals, 12 games, 3 players, seed 5" in done.stdout
    assert "Row above column, %" in done.stdout
    assert byzanz("check", games).stdout == "12 games: 12 legal, 0 flawed.\n"
    assert json.loads(Path(standings).read_text())["bots"][0]["bot"] == "greedy"
    assert Path(chart).read_text().startswith("<svg")
    assert len(Path(out).read_text().splitlines()) == 5

    more = byzanz("arena", "--out", out, "--deals", "6", "--json", "-", "--records", games)
    assert more.returncode == 0
    assert "6 deals" in more.stderr
    whole = byzanz(*COMMON, "--deals", "6", "--json", "-")
    assert json.loads(whole.stdout) == json.loads(more.stdout)
    assert byzanz("check", games).stdout == "18 games: 18 legal, 0 flawed.\n"


def test_a_file_of_another_arena_is_refused(tmp_path: Path) -> None:
    out = str(tmp_path / "r.jsonl")
    assert byzanz(*COMMON, "--deals", "1", "--out", out).returncode == 0
    for other, was in (
        (["--players", "4"], "--players 3"),
        (["--seed", "6"], "--seed 5"),
        (["--bots", "random,greedy"], "--bots greedy,random,random"),
    ):
        done = byzanz("arena", "--out", out, *other)
        assert done.returncode == 2
        assert done.stderr == f"byzanz arena: {out} was played with {was}; take another file\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "say who plays"),
        (["--bots", "greedy"], "name two different ones"),
        (["--bots", "greedy,nobody"], "there is no bot 'nobody'; there are random"),
        (["--bots", "greedy@5,random"], "cannot read the bot 'greedy@5'"),
        (["--bots", "greedy,cmd:/no/such/bot"], "there is no program '/no/such/bot'"),
        (["--bots", "greedy*0"], "expected one bot at least"),
        (["--bots", "greedy,random", "--players", "7"], "a whole number from 3 to 6"),
        (["--bots", "greedy,random", "--out", "/"], "'/': Is a directory"),
        (["--bots", "greedy,random", "--out", "/no/folder/file"], "'/no/folder/file': No such"),
        (["--bots", "greedy,random", "--out", str(EXAMPLE)], "is not the file of an arena"),
        (["--bots", "greedy,random", "--records", "/no/folder/file"], "cannot write"),
        (["--bots", "greedy,random", "--chart", "-"], "expected a file"),
        (["--bots", "greedy,random", "--chart", "/no/folder/file"], "cannot write"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line_or_two(arguments: list[str], said: str) -> None:
    done = byzanz("arena", "--deals", "1", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("byzanz arena: ")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) <= 2


@pytest.mark.parametrize("command", ["arena", "cross"])
def test_what_cannot_be_written_is_said_before_anything_is_played(
    tmp_path: Path, command: str
) -> None:
    chart, out = tmp_path / "chart.svg", tmp_path / "out"
    for where in ("--json", "--chart"):
        done = byzanz(
            command, "--bots", "greedy,random", "--deals", "100000",
            "--chart", str(chart), where, "/no/folder/file", "--out", str(out),
        )  # fmt: skip
        assert done.returncode == 2
        assert "cannot write '/no/folder/file'" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["arena", "cross"])
def test_a_table_that_nobody_reads_takes_nothing_from_the_files(
    tmp_path: Path, command: str
) -> None:
    standings, chart = tmp_path / "s.json", tmp_path / "c.svg"
    pipe = (
        f"{sys.executable} -m byzanz {command} --players 3 --deals 1 --bots greedy,random "
        f"--json {standings} --chart {chart} | true; exit ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(
        ["bash", "-c", pipe], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (2, "")
    assert json.loads(standings.read_text())
    assert chart.read_text().startswith("<svg")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_it_can_be_stopped_and_goes_on(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "r.jsonl"
    command = [sys.executable, "-m", "byzanz", *COMMON, "--deals", "100000", "--jobs", jobs]
    running = subprocess.Popen(
        [*command, "--out", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    for _ in range(600):
        if out.exists() and out.read_bytes().count(b"\n") > 2:
            break
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGINT)  # Ctrl-C reaches every process of a terminal
    said, complained = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in said + complained
    assert complained.startswith("Stopped after ")
    assert complained.endswith("; the same command goes on.\n")
    assert " deals, " in said
    lines = out.read_text().splitlines()
    played = {json.loads(line)["deal"] for line in lines[1:]}
    assert len(played) == len(lines) - 1 >= 2
    more = str(max(played) + 2)
    done = byzanz("arena", "--out", str(out), "--deals", more)
    assert f"{more} deals" in done.stdout


def test_bots_that_fail_are_named_in_the_table() -> None:
    program = f"cmd:{sys.executable} -c pass"
    done = byzanz("arena", "--players", "3", "--bots", f"greedy*2,{program}", "--deals", "1")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "died 12" in done.stdout.replace("\n", " ")
    loud = byzanz("simulate", "--players", "3", "--games", "1", "--bots", program, "--log", "debug")
    assert "died: its process ended" in loud.stderr


def test_a_program_plays_wherever_a_bot_is_named(tmp_path: Path) -> None:
    program = f"cmd:{sys.executable} {EXAMPLE}"
    games = str(tmp_path / "g.jsonl")
    done = byzanz(
        "simulate", "--games", "2", "--players", "3", "--bots", f"greedy,{program}",
        "--record", games,
    )  # fmt: skip
    assert done.returncode == 0
    assert byzanz("check", games).stdout == "2 games: 2 legal, 0 flawed.\n"
    played = byzanz("play", "--players", "3", "--seed", "1", "--bots", program, stdin="pass\n" * 3)
    assert played.returncode == 0
    assert played.stderr == ""
    assert "Theodora" in played.stdout


def test_no_bot_is_called_as_the_player_is() -> None:
    played = byzanz("play", "--seed", "1", "--name", "Niketas", stdin="quit\n")
    assert "Theodora" in played.stdout
    panel = played.stdout.split("╰")[0]
    assert panel.split("╭")[1].count("Niketas") == 1


def test_without_ray_it_says_what_brings_it() -> None:
    try:
        import ray  # noqa: F401, PLC0415
    except ImportError:
        done = byzanz(*COMMON, "--deals", "1", "--ray", "local")
        assert done.returncode == 2
        assert done.stderr == (
            "byzanz arena: Ray is not installed; the extra 'byzanz[ray]' brings it\n"
        )
    else:
        pytest.skip("Ray is installed")
