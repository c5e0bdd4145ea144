"""The ``byzanz`` command: help, errors, and broken streams."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from byzanz import __version__
from byzanz.notation import write_state
from byzanz.rules import Deal, begin

from .command import byzanz

COMMANDS = [
    "serve", "worker", "play", "simulate", "arena", "cross", "check", "verify", "show", "review",
    "hint", "odds", "export", "lessons", "puzzles", "data", "train", "imitate", "calibrate",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_usage_and_examples(command: str) -> None:
    done = byzanz(command, "--help")
    assert done.returncode == 0
    assert f"usage: byzanz {command} " in done.stdout
    _, _, examples = done.stdout.partition("\nexamples:")
    assert f"\n  byzanz {command} " in examples
    assert all(len(line) <= 100 for line in done.stdout.splitlines())


def test_help_lists_every_command() -> None:
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
def test_errors_are_at_most_two_lines(arguments: list[str]) -> None:
    done = byzanz(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("byzanz")
    assert len(done.stderr.splitlines()) <= 2


def test_a_closed_pipe_is_not_an_error() -> None:
    pipe = f"{sys.executable} -m byzanz simulate --games 200 --seed 1 --record - | head -n 1"
    done = subprocess.run(
        ["bash", "-c", pipe], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.startswith('{"type":"game"')
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_an_ascii_terminal_is_not_an_error(record: Path) -> None:
    done = byzanz("show", str(record), env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "D?ra" in done.stdout
    text = write_state(begin(Deal.from_seed(4, 1)))
    assert byzanz("show", text, env={"PYTHONIOENCODING": "ascii"}).returncode == 0


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
def test_broken_streams_are_reported_without_a_traceback(command: str, record: Path) -> None:
    line = f"{sys.executable} -m byzanz {command.replace('FILE', str(record))}"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("byzanz ")
    assert len(done.stderr.splitlines()) <= 2


def test_closed_standard_output_is_not_an_error(record: Path) -> None:
    line = f"{sys.executable} -m byzanz check {record} >&-"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
