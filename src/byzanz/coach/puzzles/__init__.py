"""Puzzles: positions from games in which one action is clearly better than all others.

Puzzles are lines of JSON in ``data/puzzles.jsonl``; ``docs/puzzles.md`` describes them. These
modules load the search, so import them by name: :mod:`~byzanz.coach.puzzles.proof` compares the
actions of a position, and :mod:`~byzanz.coach.puzzles.mining` finds puzzles in games.
"""

from .daily import puzzle_of_the_day
from .puzzle import (
    THEMES,
    BadPuzzle,
    Fares,
    Origin,
    Puzzle,
    load_puzzles,
    parse_puzzle,
    puzzle_id,
    read_puzzles,
    write_puzzle,
)
from .selection import select

__all__ = [
    "THEMES",
    "BadPuzzle",
    "Fares",
    "Origin",
    "Puzzle",
    "load_puzzles",
    "parse_puzzle",
    "puzzle_id",
    "puzzle_of_the_day",
    "read_puzzles",
    "select",
    "write_puzzle",
]
