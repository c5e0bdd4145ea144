"""``byzanz play``."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

from .command import byzanz


def test_the_record_can_be_shown(tmp_path: Path) -> None:
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


def test_names_are_made_printable(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    done = byzanz("play", "--name", "a\x1b\udcff", "--record", str(file), stdin="quit\n")
    assert done.returncode == 0
    assert json.loads(file.read_text().splitlines()[0])["names"][0] == "a\ufffd\ufffd"
