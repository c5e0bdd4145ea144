"""The puzzle of the day, which is the same for everybody and depends on the date in UTC."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from hashlib import sha256

from .puzzle import Puzzle


def puzzle_of_the_day(puzzles: Mapping[str, Puzzle], day: date) -> Puzzle:
    """Return the puzzle of a day. A puzzle is used again only after all others.

    New puzzles change the order. Raises LookupError if there are no puzzles.
    """
    if not puzzles:
        raise LookupError("there are no puzzles")
    order = sorted(puzzles, key=lambda name: sha256(f"day {name}".encode()).digest())
    return puzzles[order[day.toordinal() % len(order)]]
