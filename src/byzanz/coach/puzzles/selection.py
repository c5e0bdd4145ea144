"""Selection of puzzles: no near duplicates, and a balance of themes and difficulties."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle

from byzanz.rules import in_order

from .puzzle import THEMES, Puzzle

LARGEST_SHARE = 0.3
"""The largest share of a selection that a theme may have."""


def select(puzzles: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """Return at most this many puzzles, sorted by theme and difficulty.

    The themes take turns, and so do the difficulties of a theme. No theme gets more than 30 % of
    ``count``, except that every theme may get one puzzle.
    """
    waiting = {theme: _by_difficulty(theme, puzzles) for theme in THEMES}
    most = max(int(count * LARGEST_SHARE), 1)
    chosen: list[Puzzle] = []
    for theme in cycle(THEMES):
        if len(chosen) == count or not any(waiting.values()):
            break
        if waiting[theme]:
            chosen.append(waiting[theme].pop(0))
            if sum(one.theme == theme for one in chosen) == most:
                waiting[theme] = []
    return sorted(chosen, key=lambda one: (THEMES.index(one.theme), one.difficulty, one.id))


def without_duplicates(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """Return the puzzles without those that repeat an earlier answer, hand, offer and market."""
    found = {}
    names = set()
    for puzzle in puzzles:
        view = puzzle.view()
        key = puzzle.answer, view.hand, in_order(view.offer), in_order(view.market)
        if key not in found and puzzle.id not in names:
            found[key] = puzzle
            names.add(puzzle.id)
    return list(found.values())


def _by_difficulty(theme: str, puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """Return the puzzles of a theme, in an order in which the difficulties take turns."""
    mine = sorted((one for one in puzzles if one.theme == theme), key=lambda one: one.id)
    ranks: dict[int, int] = {}
    ordered = []
    for one in mine:
        ranks[one.difficulty] = ranks.get(one.difficulty, 0) + 1
        ordered.append((ranks[one.difficulty], one.difficulty, one))
    return [one for *_, one in sorted(ordered, key=lambda each: each[:2])]
