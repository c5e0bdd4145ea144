"""``byzanz lessons``: list the lessons, or check that their answers are the best."""

from __future__ import annotations

import argparse
from gettext import NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING

from byzanz.coach.lessons import BadLesson, Lesson, load_lessons, parse_lesson, positions
from byzanz.coach.lessons.lesson import lesson_name
from byzanz.locale import load_translations
from byzanz.terminal.progress import with_progress

from .arguments import add_command, add_language, integer
from .exit_codes import INVALID, OK, CommandError

if TYPE_CHECKING:
    from .arguments import Commands

_WORLDS = 2000


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "lessons",
        "list the lessons, or check them",
        "List the lessons on the page /learn, or check lessons. Exit status: 0 if all is well, 1 "
        "if a lesson has a fault, 2 if a lesson cannot be read.",
        """
        byzanz lessons list --language it
        byzanz lessons check
        byzanz lessons check two-minutes my-lesson.toml --worlds 200
        """,
    )
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK")
    listing = tasks.add_parser(
        "list",
        help="print the lessons",
        description="Print the name, the number of steps and the title of each lesson.",
    )
    add_language(listing)
    check = tasks.add_parser(
        "check",
        help="check lessons",
        description="Check that every position can be reached, that every accepted answer is legal "
        "and better than every other action by the stated margin, and that every text exists in "
        "five languages. docs/lessons.md describes the format of lessons.",
    )
    check.add_argument(
        "lessons", nargs="*", metavar="LESSON", help="names or files of lessons (default: all)"
    )
    check.add_argument(
        "--worlds",
        type=integer(0),
        default=_WORLDS,
        metavar="N",
        help="maximum number of random deals of the hidden cards (worlds) for each action; 0 for "
        f"no search (default: {_WORLDS})",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    if options.task == "list":
        return _list(load_translations(options.language))
    return _check([_read(name) for name in options.lessons or load_lessons()], options.worlds)


def _list(translations: NullTranslations) -> int:
    for lesson in load_lessons().values():
        title, steps = translations.gettext(lesson.title), len(lesson.steps)
        print(f"{lesson.name:<12} {steps}  {title}")
    return OK


def _read(name: str) -> Lesson:
    """Return the lesson with this name or in this file."""
    if name in load_lessons():
        return load_lessons()[name]
    if not name.endswith(".toml"):
        known = ", ".join(load_lessons())
        raise CommandError(f"expected a file NAME.toml or a lesson, not '{name}': {known}")
    try:
        text = Path(name).read_text(encoding="utf-8")
        return parse_lesson(lesson_name(Path(name).name), text)
    except (BadLesson, UnicodeDecodeError) as error:
        raise CommandError(str(error)) from None


def _check(lessons: list[Lesson], worlds: int) -> int:
    # Imported here so that other commands start quickly.
    from byzanz.coach.lessons.check import faults, prove  # noqa: PLC0415

    found = 0
    for lesson in lessons:
        for fault in faults(lesson):
            print(fault)
            found += 1
    steps = [
        (lesson, number)
        for lesson in lessons
        if worlds and _can_be_played(lesson)
        for number in range(1, len(lesson.steps) + 1)
    ]
    for lesson, number in with_progress(steps, "Searching", "positions", len(steps)):
        position = positions(lesson)[number - 1]
        proof = prove(position, worlds)
        what = ", ".join(f"{action} {value:.1f}" for action, value in proof.candidates[:4])
        print(f"{lesson.name}, step {number}: lead {proof.lead:.1f} ({what})", flush=True)
        if not proof.preferred:
            accepted = ", ".join(position.step.accept)
            print(f"  fault: expected {accepted} to lead by {position.step.margin} points")
            found += 1
    checked = f"{len(lessons)} {'lesson' if len(lessons) == 1 else 'lessons'}"
    print(f"{checked}, {len(steps)} positions searched: {found or 'no'} faults.")
    return INVALID if found else OK


def _can_be_played(lesson: Lesson) -> bool:
    try:
        return bool(positions(lesson))
    except BadLesson:
        return False
