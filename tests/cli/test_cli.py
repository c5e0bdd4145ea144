"""The commands as a person runs them: real processes, real files and pipes."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.playing import finished

from byzanz import __version__
from byzanz.notation import write_record, write_state, write_view
from byzanz.rules import Deal, begin, view

RECORD = write_record(finished(4, 1), ["Anne", "Ben", "Carla", "Dóra"])
COMMANDS = [
    "serve", "play", "simulate", "arena", "cross", "check", "show", "data", "train", "imitate",
    "calibrate",
]  # fmt: skip


def byzanz(
    *arguments: str, stdin: str | bytes = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "byzanz", *arguments],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        timeout=120,
        check=False,
        env=os.environ | {"LC_ALL": "C.UTF-8"} | (env or {}),
    )
    out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in out + err
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(RECORD, encoding="utf-8")
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches(command: str) -> None:
    done = byzanz(command, "--help")
    assert done.returncode == 0
    assert f"usage: byzanz {command} " in done.stdout
    _, _, examples = done.stdout.partition("\nexamples:")
    assert f"\n  byzanz {command} " in examples
    assert all(len(line) <= 100 for line in done.stdout.splitlines())


def test_help_names_every_command() -> None:
    done = byzanz("--help")
    assert done.returncode == 0
    named = re.findall(r"^    (\w+)", done.stdout, re.MULTILINE)
    assert named == COMMANDS
    assert all(len(line) <= 100 for line in done.stdout.splitlines())


def test_version() -> None:
    assert byzanz("--version").stdout == f"byzanz {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["simulate", "--players", "2"],
        ["simulate", "--players", "7"],
        ["simulate", "--players", "four"],
        ["simulate", "--games", "0"],
        ["simulate", "--games", "-3"],
        ["simulate", "--seed", "-1"],
        ["simulate", "--seed", str(2**64)],
        ["simulate", "--seed", "9" * 5000],
        ["simulate", "--bots", "random,nobody"],
        ["simulate", "--bots", ""],
        ["simulate", "--jobs", "0"],
        ["simulate", "--games", "1", "--record", "/no/such/folder/file"],
        ["show"],
        ["show", "/no/such/file"],
        ["show", "state/1 nonsense"],
        ["show", "-", "--game", "0"],
        ["play", "--seat", "4"],
        ["play", "--bots", "nobody"],
        ["check", "/no/such/file"],
        ["check", "/"],
    ],
)
def test_what_cannot_be_done_is_said_in_a_line_or_two(arguments: list[str]) -> None:
    done = byzanz(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("byzanz")
    assert len(done.stderr.splitlines()) <= 2


def test_simulate_gives_the_same_bytes_whatever_the_jobs(tmp_path: Path) -> None:
    common = ["simulate", "--players", "5", "--games", "20", "--seed", "11"]
    file = tmp_path / "games.jsonl"
    one = byzanz(*common, "--record", str(file), "--jobs", "2")
    assert one.returncode == 0
    assert "20 games, 5 players, seed 11" in one.stdout
    other = byzanz(*common, "--record", "-")
    assert other.stdout == file.read_text(encoding="utf-8")
    assert "20 games, 5 players, seed 11" in other.stderr
    checked = byzanz("check", str(file))
    assert checked.stdout == "20 games: 20 legal, 0 flawed.\n"
    header = json.loads(other.stdout.splitlines()[0])
    assert header["seed"] == 11
    assert header["bots"] == ["random"] * 5


def test_the_seed_in_a_header_recreates_that_game_alone() -> None:
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
        assert byzanz("check", str(file)).stdout == "25 games: 25 legal, 0 flawed.\n"
        header = json.loads(file.read_text().splitlines()[0])
        assert header["engine"] == "fast"
        assert header["bots"][:2] == ["sensible", "random"]
    done = byzanz("simulate", "--engine", "fast", "--bots", "greedy")
    assert (done.returncode, done.stderr) == (
        2,
        "byzanz simulate: there is no bot 'greedy'; there are random, sensible\n",
    )


def test_without_a_seed_the_one_drawn_is_shown() -> None:
    done = byzanz("simulate", "--games", "1", "--players", "3")
    assert ", seed " in done.stdout


def test_check_reads_files_and_standard_input(record: Path) -> None:
    assert byzanz("check", str(record)).stdout == "1 game: 1 legal, 0 flawed.\n"
    assert byzanz("check", stdin=RECORD).stdout == "1 game: 1 legal, 0 flawed.\n"
    assert byzanz("check", "-", stdin=RECORD * 2).stdout == "2 games: 2 legal, 0 flawed.\n"
    assert byzanz("check", stdin="").stdout == "0 games: 0 legal, 0 flawed.\n"


def test_check_says_where_a_game_breaks_a_rule(record: Path) -> None:
    lines = RECORD.splitlines()
    lines[1] = '{"type":"action","seat":0,"action":"bid M"}'
    broken = "\n".join([*lines, ""])
    done = byzanz("check", stdin=RECORD + broken)
    assert done.returncode == 1
    assert done.stdout == (
        f"game 2, line {len(lines) + 2}: Merchants cannot be bid. [merchant-bid, R3.7]\n"
        "2 games: 1 legal, 1 flawed.\n"
    )
    other = record.with_name("other.jsonl")
    other.write_text(broken)
    done = byzanz("check", str(record), str(other))
    assert f"{other}, game 2, line 2: Merchants cannot be bid." in done.stdout


def test_check_json_has_one_object_a_game_in_order(record: Path) -> None:
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
            "message": "The line is not JSON, or not one whole object of it. "
            "Expected: one JSON object. Found: 'junk'",
        },
        {"game": 3, "ok": True},
    ]
    done = byzanz("check", "--json", str(record), str(record))
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"game": 1, "ok": True, "file": str(record)},
        {"game": 2, "ok": True, "file": str(record)},
    ]


def test_check_goes_on_with_the_other_files(record: Path) -> None:
    done = byzanz("check", "/no/such/file", str(record))
    assert done.returncode == 2
    assert done.stdout == "1 game: 1 legal, 0 flawed.\n"
    assert "cannot read '/no/such/file'" in done.stderr


@pytest.mark.parametrize(
    "junk",
    [b"\x00" * 5000, b"\xff" * 100, b"[" * 2_000_000, b"{}\n" * 50],
    ids=["zeros", "no-text", "nested", "empty-objects"],
)
def test_check_never_stumbles_over_junk(junk: bytes) -> None:
    done = byzanz("check", stdin=junk + b"\n" + RECORD.encode())
    assert done.returncode == 1
    assert "2 games: 1 legal, 1 flawed." in done.stdout


def test_show_tells_the_game_asked_for(record: Path) -> None:
    done = byzanz("show", str(record))
    assert done.returncode == 0
    assert "Seat 3, Dóra: " in done.stdout
    assert done.stdout.splitlines()[-1].endswith(" wins.")
    record.write_text(RECORD + write_record(finished(3, 2), ["x", "y", "z"]))
    assert "Seat 2, z: " in byzanz("show", str(record), "--game", "2").stdout
    assert byzanz("show", "-", "--game", "2", stdin=record.read_bytes()).stdout
    missing = byzanz("show", str(record), "--game", "3")
    assert (missing.returncode, missing.stderr) == (2, f"byzanz show: {record} holds no game 3\n")


def test_show_tells_a_flawed_game_up_to_its_flaw(record: Path) -> None:
    lines = RECORD.splitlines()
    lines[3] = '{"type":"action","seat":0,"action":"done"}'
    done = byzanz("show", "-", stdin="\n".join(lines))
    assert done.returncode == 1
    assert "Round 1" in done.stdout
    assert "byzanz show: line 4: That cannot be done now" in done.stderr
    done = byzanz("show", "-", "--language", "de", stdin="\n".join(lines))
    assert "byzanz show: line 4: Das geht jetzt nicht" in done.stderr


def test_show_draws_positions(tmp_path: Path) -> None:
    state = begin(Deal.from_seed(4, 1))
    whole, own = write_state(state), write_view(view(state, 1))
    for text in (whole, own, write_view(view(state, None))):
        drawn = byzanz("show", text).stdout
        assert "Round 1 of 6" in drawn
        file = tmp_path / "position.txt"
        file.write_text(text + "\n")
        assert byzanz("show", str(file)).stdout == drawn
        assert byzanz("show", "-", stdin=text).stdout == drawn
        assert ("Your hand" in drawn) == (text == own)
        assert ("Deck, next first" in drawn) == (text == whole)


def test_output_that_nobody_reads_is_no_error() -> None:
    pipe = f"{sys.executable} -m byzanz simulate --games 200 --seed 1 --record - | head -n 1"
    done = subprocess.run(
        ["bash", "-c", pipe], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.startswith('{"type":"game"')
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_a_terminal_that_knows_only_ascii_is_no_error(record: Path) -> None:
    done = byzanz("show", str(record), env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "D?ra" in done.stdout
    text = write_state(begin(Deal.from_seed(4, 1)))
    assert byzanz("show", text, env={"PYTHONIOENCODING": "ascii"}).returncode == 0


def test_play_writes_a_record_that_show_tells(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    done = byzanz("play", "--seed", "5", "--record", str(file), stdin="pass\npass\nquit\n")
    assert done.returncode == 0
    assert "You leave the table." in done.stdout
    told = byzanz("show", str(file))
    assert told.returncode == 1
    assert "Guest passes." in told.stdout
    assert "without a result" in told.stderr


def test_play_at_a_real_terminal() -> None:
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "byzanz", "play", "--seed", "5"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    ) as process:
        os.close(follower)
        os.write(leader, b"help\nbid 1\nquit\n")
        seen = b""
        while b"You leave the table." not in seen:
            seen += os.read(leader, 4096)
        assert process.wait(timeout=60) == 0
    os.close(leader)
    assert b"Guest bids 1: grain 1." in seen
    assert b"\x1b[" in seen


def test_ctrl_c_leaves_without_a_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "byzanz", "play"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(2)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"You leave the table." in out
    assert b"Traceback" not in out + err


@pytest.mark.parametrize(
    "command",
    [
        "check FILE > /dev/full",
        "check --json FILE > /dev/full",
        "show FILE > /dev/full",
        "simulate --games 2 --record - > /dev/full",
        "simulate --games 2 --record /dev/full",
        "check <&-",
        "show - <&-",
        "play <&-",
        "play --record -",
        "play --record /no/such/folder/file < /dev/null",
    ],
)
def test_broken_streams_are_said_and_no_traceback(command: str, record: Path) -> None:
    line = f"{sys.executable} -m byzanz {command.replace('FILE', str(record))}"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("byzanz ")
    assert len(done.stderr.splitlines()) <= 2


def test_a_closed_output_is_no_error(record: Path) -> None:
    line = f"{sys.executable} -m byzanz check {record} >&-"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_records_for_a_closed_output_are_refused() -> None:
    line = f"{sys.executable} -m byzanz simulate --games 1 --record - >&-"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (2, "byzanz simulate: standard output is closed\n")


def test_a_bot_is_named_as_it_was_asked_for() -> None:
    program = f"cmd:{sys.executable} -c pass [/x]"
    done = byzanz("simulate", "--games", "1", "--players", "3", "--bots", program)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "[/x]" in done.stdout.replace("\n", "")


def test_a_name_that_is_no_text_is_made_printable(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    done = byzanz("play", "--name", "a\x1b\udcff", "--record", str(file), stdin="quit\n")
    assert done.returncode == 0
    assert json.loads(file.read_text().splitlines()[0])["names"][0] == "a\ufffd\ufffd"
