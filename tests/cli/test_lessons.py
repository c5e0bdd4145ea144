"""``byzanz lessons``."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from .command import byzanz

ORDER = (files("byzanz.coach.lessons") / "data" / "04-order.toml").read_text(encoding="utf-8")


def test_lessons_are_listed_in_a_language() -> None:
    done = byzanz("lessons", "list", "--language", "de")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "two-minutes  4  In zwei Minuten lernen"
    assert len(done.stdout.splitlines()) == 11


def test_lessons_are_checked_and_faults_are_named(tmp_path: Path) -> None:
    done = byzanz("lessons", "check", "--worlds", "0")
    assert (done.returncode, done.stdout) == (0, "11 lessons, 0 positions searched: no faults.\n")
    file = tmp_path / "04-mine.toml"
    file.write_text(ORDER.replace("margin = ", "margin = 9"), encoding="utf-8")
    done = byzanz("lessons", "check", str(file), "--worlds", "8")
    assert done.returncode == 1
    assert "mine, step 1: lead " in done.stdout
    assert "fault: expected pass to lead by 9" in done.stdout
    assert done.stdout.endswith("1 lesson, 4 positions searched: 4 faults.\n")


def test_what_is_no_lesson_is_refused(tmp_path: Path) -> None:
    done = byzanz("lessons", "check", "chess")
    assert done.returncode == 2
    assert "expected a file NAME.toml or a lesson, not 'chess': two-minutes, " in done.stderr
    file = tmp_path / "mine.toml"
    file.write_text("title = 1")
    done = byzanz("lessons", "check", str(file))
    assert done.returncode == 2
    assert "mine: " in done.stderr
    assert byzanz("lessons", "check", str(tmp_path / "none.toml")).returncode == 2
