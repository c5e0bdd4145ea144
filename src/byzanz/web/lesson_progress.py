"""A visitor's progress in the lessons, kept in a cookie and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.requests import HTTPConnection
from starlette.responses import Response

from byzanz.coach.lessons import Lesson, load_lessons

from .cookies import read_cookie, set_cookie

COOKIE = "lessons"
"""The name of the cookie: ``two-minutes.124_value.1`` lists the solved steps of two lessons."""

_ENTRY = re.compile(r"(?P<name>[a-z-]{1,32})\.(?P<steps>[1-9]{1,9})")

Progress = Mapping[str, frozenset[int]]
"""The numbers of the solved steps, counted from 1, by lesson."""


def read_progress(connection: HTTPConnection) -> Progress:
    """Return the progress in the cookie of a request, without entries that are not valid."""
    lessons = load_lessons()
    solved = {}
    for entry in read_cookie(connection, COOKIE).split("_")[: len(lessons)]:
        found = _ENTRY.fullmatch(entry)
        if found is not None and found["name"] in lessons:
            known = range(1, len(lessons[found["name"]].steps) + 1)
            steps = frozenset(int(digit) for digit in found["steps"])
            solved[found["name"]] = steps & frozenset(known)
    return solved


def write_progress(
    connection: HTTPConnection, response: Response, progress: Progress, lesson: str, step: int
) -> None:
    """Set the cookie to the progress with one more solved step."""
    solved = {**progress, lesson: progress.get(lesson, frozenset()) | {step}}
    entries = [f"{name}.{''.join(map(str, sorted(steps)))}" for name, steps in solved.items()]
    text = "_".join(entry for entry in entries if not entry.endswith("."))
    set_cookie(connection, response, COOKIE, text)


def next_step(lesson: Lesson, progress: Progress) -> int | None:
    """Return the first step that is not solved, or None if all are."""
    solved = progress.get(lesson.name, frozenset())
    return next((step for step in range(1, len(lesson.steps) + 1) if step not in solved), None)
