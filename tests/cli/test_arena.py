"""``byzanz arena``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .command import byzanz, interrupted

EXAMPLE = Path(__file__).parents[2] / "examples" / "line_bot.py"
COMMON = ["arena", "--players", "3", "--seed", "5", "--bots", "greedy,random*2"]


def test_standings_chart_records_and_finished_deals_are_written(tmp_path: Path) -> None:
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
    assert byzanz("check", games).stdout == "12 games: 12 legal, 0 with errors.\n"
    assert json.loads(Path(standings).read_text())["bots"][0]["bot"] == "greedy"
    assert Path(chart).read_text().startswith("<svg")
    assert len(Path(out).read_text().splitlines()) == 5

    more = byzanz("arena", "--out", out, "--deals", "6", "--json", "-", "--records", games)
    assert more.returncode == 0
    assert "6 deals" in more.stderr
    whole = byzanz(*COMMON, "--deals", "6", "--json", "-")
    assert json.loads(whole.stdout) == json.loads(more.stdout)
    assert byzanz("check", games).stdout == "18 games: 18 legal, 0 with errors.\n"


def test_a_file_with_other_settings_is_refused(tmp_path: Path) -> None:
    out = str(tmp_path / "r.jsonl")
    assert byzanz(*COMMON, "--deals", "1", "--out", out).returncode == 0
    for other, was in (
        (["--players", "4"], "--players 3"),
        (["--seed", "6"], "--seed 5"),
        (["--bots", "random,greedy"], "--bots greedy,random,random"),
        (["--on-failure", "fallback"], "--on-failure forfeit"),
    ):
        done = byzanz("arena", "--out", out, *other)
        assert done.returncode == 2
        assert done.stderr == f"byzanz arena: {out} was played with {was}; use another file\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name the bots"),
        (["--bots", "greedy"], "name two different ones"),
        (["--bots", "greedy,nobody"], "there is no bot 'nobody'; there are random"),
        (["--bots", "greedy@5,random"], "cannot read the bot 'greedy@5'"),
        (["--bots", "greedy,cmd:/no/such/bot"], "there is no program '/no/such/bot'"),
        (["--bots", "greedy*0"], "expected at least one bot"),
        (["--bots", "greedy,py:/no/bot.py:Mine"], "there is no file '/no/bot.py'"),
        (["--bots", "greedy,py:mine.py"], "expected py:FILE.py:CLASS"),
        (["--bots", "greedy,random", "--on-failure", "win"], "invalid"),
        (["--bots", "greedy,random", "--until", "decided"], "needs --deals 10 or more"),
        (["--bots", "greedy,random", "--players", "7"], "a whole number from 3 to 6"),
        (["--bots", "greedy,random", "--out", "/"], "'/': Is a directory"),
        (["--bots", "greedy,random", "--out", "/no/folder/file"], "'/no/folder/file': No such"),
        (["--bots", "greedy,random", "--out", str(EXAMPLE)], "is not the file of an arena"),
        (["--bots", "greedy,random", "--records", "/no/folder/file"], "cannot write"),
        (["--bots", "greedy,random", "--chart", "-"], "expected a file"),
        (["--bots", "greedy,random", "--chart", "/no/folder/file"], "cannot write"),
    ],
)
def test_errors_are_at_most_two_lines(arguments: list[str], said: str) -> None:
    done = byzanz("arena", "--deals", "1", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("byzanz arena: ")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) <= 2


@pytest.mark.parametrize("command", ["arena", "cross"])
def test_unwritable_files_are_reported_before_anything_is_played(
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
def test_files_are_written_even_if_the_output_is_a_closed_pipe(
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


def test_until_decided_stops_at_the_same_look_with_any_number_of_jobs(tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    decided = [*COMMON, "--until", "decided", "--out", str(out)]
    done = byzanz(*decided, "--jobs", "2")
    assert done.returncode == 0
    last = "Decided after 10 deals: greedy is better than every other bot"
    assert done.stdout.splitlines()[-1] == f"{last} (error probability at most 5 %)."
    assert len(out.read_text().splitlines()) == 11
    assert byzanz(*decided).stdout == done.stdout  # nothing more is played
    assert byzanz(*COMMON, "--until", "decided", "--json", "-").stderr.endswith("5 %).\n")


def test_until_decided_says_that_nothing_is_decided(tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    done = byzanz(
        "arena", "--players", "3", "--seed", "5", "--bots", "greedy,novice",
        "--until", "decided", "--deals", "19", "--out", str(out),
    )  # fmt: skip
    assert done.stdout.endswith("Not decided after 10 deals; the next look is at 20 deals.\n")
    assert len(out.read_text().splitlines()) == 11


def test_a_class_in_a_plain_file_plays(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from byzanz.bots.greedy import GreedyBot\nclass Mine(GreedyBot): pass\n"
    )
    mine = f"py:{tmp_path / 'mine.py'}:Mine"
    common = ["arena", "--players", "3", "--seed", "5", "--deals", "2", "--json", "-"]
    done = byzanz(*common, "--bots", f"{mine},random*2", "--jobs", "2")
    assert done.returncode == 0
    data = json.loads(done.stdout)
    assert data["bots"][0]["bot"] == mine
    assert data["bots"][0]["faults"] == {}
    same = json.loads(byzanz(*common, "--bots", "greedy,random*2").stdout)
    assert data["bots"][0]["wins"] == same["bots"][0]["wins"]
    played = byzanz("play", "--players", "3", "--seed", "1", "--bots", mine, stdin="quit\n")
    assert (played.returncode, played.stderr) == (0, "")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_it_can_be_interrupted_and_continued(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "r.jsonl"
    done = interrupted(
        *COMMON, "--deals", "100000", "--jobs", jobs, "--out", str(out),
        when=lambda: out.exists() and out.read_bytes().count(b"\n") > 2,
    )  # fmt: skip
    assert done.returncode == 130
    assert done.stderr.startswith("Stopped after ")
    assert done.stderr.endswith("; run the same command to continue.\n")
    assert re.search(r" deals?, ", done.stdout)
    lines = out.read_text().splitlines()
    played = {json.loads(line)["deal"] for line in lines[1:]}
    assert len(played) == len(lines) - 1 >= 2
    more = str(max(played) + 2)
    done = byzanz("arena", "--out", str(out), "--deals", more)
    assert f"{more} deals" in done.stdout


def test_failures_of_bots_are_reported() -> None:
    program = f"cmd:{sys.executable} -c pass"
    done = byzanz("arena", "--players", "3", "--bots", f"greedy*2,{program}", "--deals", "1")
    assert done.returncode == 0
    assert done.stderr == ""
    said = " ".join(done.stdout.split())
    assert "failed: died 3. It scores nothing in games in which it failed." in said
    assert "not rated" in said
    kept = ["arena", "--players", "3", "--bots", f"greedy*2,{program}", "--deals", "1"]
    done = byzanz(*kept, "--on-failure", "fallback")
    assert "died 12" in done.stdout.replace("\n", " ")
    assert "Safe actions were played for it" in " ".join(done.stdout.split())
    loud = byzanz("simulate", "--players", "3", "--games", "1", "--bots", program, "--log", "debug")
    assert "died: its process ended" in loud.stderr


def test_programs_can_play_in_every_command(tmp_path: Path) -> None:
    program = f"cmd:{sys.executable} {EXAMPLE}"
    games = str(tmp_path / "g.jsonl")
    done = byzanz(
        "simulate", "--games", "2", "--players", "3", "--bots", f"greedy,{program}",
        "--record", games,
    )  # fmt: skip
    assert done.returncode == 0
    assert byzanz("check", games).stdout == "2 games: 2 legal, 0 with errors.\n"
    played = byzanz("play", "--players", "3", "--seed", "1", "--bots", program, stdin="pass\n" * 3)
    assert played.returncode == 0
    assert played.stderr == ""
    assert "Theodora" in played.stdout


def test_no_bot_has_the_name_of_the_player() -> None:
    played = byzanz("play", "--seed", "1", "--name", "Niketas", stdin="quit\n")
    assert "Theodora" in played.stdout
    panel = played.stdout.split("╰")[0]
    assert panel.split("╭")[1].count("Niketas") == 1


def test_without_ray_the_error_says_how_to_install_it(tmp_path: Path) -> None:
    (tmp_path / "ray.py").write_text("raise ImportError")  # hides Ray, if it is installed
    done = byzanz(*COMMON, "--deals", "1", "--ray", "local", env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 2
    assert done.stderr.startswith("byzanz arena: Ray is not installed; ")
    assert done.stderr.endswith("pip install -c constraints.txt -e '.[ray]'\n")
