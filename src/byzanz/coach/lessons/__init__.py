"""Lessons: positions to solve, one idea at a time.

A lesson is a TOML file in the folder ``data``; ``docs/lessons.md`` describes the format. The first
lesson is for newcomers: its steps are one continuous game. :mod:`byzanz.coach.lessons.check` checks
that the positions can be reached and that the accepted answers are the best ones. Import it by
name, because it loads the search.
"""

from .answers import Verdict, judge_answer
from .lesson import BadLesson, DealPlan, Lesson, Step, load_lessons, parse_lesson
from .positions import Position, positions

__all__ = [
    "BadLesson",
    "DealPlan",
    "Lesson",
    "Position",
    "Step",
    "Verdict",
    "judge_answer",
    "load_lessons",
    "parse_lesson",
    "positions",
]
