"""Lessons as data: the structure of a lesson's file, and functions that read it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct, field


class BadLesson(ValueError):
    """Raised for a file that is not a lesson, or whose actions break the rules."""


class DealPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A deal: the cards that matter are named, and the seed decides all others."""

    players: int
    seed: int = 0
    hands: tuple[str, ...] = ()
    """The hand of each seat, such as ``C1 C2 G3 M``; empty if the seed decides the hands, too."""
    deck: str = ""
    """The first cards of the deck, in drawing order."""


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """A position to solve."""

    position: str
    """The position as the player sees it, in the notation of views."""
    task: str
    accept: tuple[str, ...]
    """The right answers. The next step of the same game continues after the first of them."""
    right: str
    """What the player reads after a right answer."""
    wrong: str
    """What the player reads after any other answer, unless it has a reply of its own."""
    deal: DealPlan | None = None
    """The deal of the game; None if the step continues the game of the step before."""
    seat: int = 0
    """The player's seat."""
    actions: str = ""
    """The actions that lead to the position, separated by commas."""
    replies: dict[str, str] = field(default_factory=dict)
    """Replies to particular wrong answers."""
    margin: float = 0.0
    """The lead of the accepted answers over all others, in points of win probability."""

    def texts(self) -> Iterator[str]:
        """Yield the texts that the player reads."""
        yield from (self.task, self.right, self.wrong, *self.replies.values())


class Lesson(Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """A lesson: one idea, and positions to solve."""

    title: str
    idea: str
    """The idea, in a sentence or two; the list of lessons shows it."""
    end: str
    """What the player reads after the last step."""
    steps: tuple[Step, ...]
    name: str = ""
    """The name in addresses; it comes from the name of the file."""

    def texts(self) -> Iterator[str]:
        """Yield the texts that the player reads, in the order of the file."""
        yield from (self.title, self.idea, self.end)
        for step in self.steps:
            yield from step.texts()


def parse_lesson(name: str, text: str) -> Lesson:
    """Return the lesson in the text of a file; raises BadLesson, which says what is wrong."""
    try:
        lesson = msgspec.convert(tomllib.loads(text), Lesson)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadLesson(f"{name}: {error}") from None
    return msgspec.structs.replace(lesson, name=name)


@cache
def load_lessons() -> dict[str, Lesson]:
    """Return all lessons by name, sorted by the number in the file name."""
    folder = files(__package__) / "data"
    found = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".toml")),
        key=lambda file: file.name,
    )
    lessons = [
        parse_lesson(lesson_name(file.name), file.read_text(encoding="utf-8")) for file in found
    ]
    return {lesson.name: lesson for lesson in lessons}


def lesson_name(file: str) -> str:
    """Return the name of the lesson in a file: the file's name without its number and extension."""
    stem = file.removesuffix(".toml")
    number, _, name = stem.partition("-")
    return name if number.isdecimal() and name else stem
