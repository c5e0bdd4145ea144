"""A visitor's progress with puzzles, kept in a cookie and nowhere else."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from starlette.requests import HTTPConnection
from starlette.responses import Response

from byzanz.coach.puzzles import Puzzle, load_puzzles

from .cookies import read_cookie, set_cookie

COOKIE = "puzzles"
"""The name of the cookie: ``24.x6z5wGN76V`` means level 2.4, one puzzle solved, one tried."""

_FIRST_LEVEL, _LOWEST, _HIGHEST = 2.0, 1.0, 10.0
_STEP = 0.4
"""How far the first answer to a puzzle moves the level."""
_MOST = 700
"""The maximum number of puzzles in the cookie; browsers keep 4,096 characters."""
_COOKIE = re.compile(r"(?P<level>[1-9][0-9]{1,2})\.(?P<names>[0-9A-Za-z]{0,3500})")


@dataclass(frozen=True, slots=True)
class PuzzleProgress:
    """What a visitor has solved and tried, and their level."""

    level: float = _FIRST_LEVEL
    solved: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    """Puzzles that were answered, but not yet solved."""

    def answered(self, puzzle: Puzzle, *, right: bool) -> PuzzleProgress:
        """Return the progress after an answer.

        Only the first answer to a puzzle moves the level: up if it is right and the puzzle is not
        far below the level, down if it is wrong and the puzzle is not far above.
        """
        level = self.level
        if puzzle.id not in (*self.solved, *self.tried):
            if right and puzzle.difficulty > level - 1:
                level = min(level + _STEP, _HIGHEST)
            elif not right and puzzle.difficulty < level + 1:
                level = max(level - _STEP, _LOWEST)
        if right:
            solved = tuple(dict.fromkeys((*self.solved, puzzle.id)))
            tried = tuple(name for name in self.tried if name != puzzle.id)
            return replace(self, level=level, solved=solved, tried=tried)
        tried = self.tried if puzzle.id in self.solved else (*self.tried, puzzle.id)
        return replace(self, level=level, tried=tuple(dict.fromkeys(tried)))

    def following(self, after: str | None = None) -> Puzzle | None:
        """Return an unsolved puzzle near the level, other than ``after``; None if there is none."""
        left = [one for one in load_puzzles().values() if one.id not in self.solved]
        others = [one for one in left if one.id != after]

        def distance(puzzle: Puzzle) -> tuple[bool, float, str]:
            return puzzle.id in self.tried, abs(puzzle.difficulty - self.level), puzzle.id

        return min(others, key=distance, default=None)


def read_puzzle_progress(connection: HTTPConnection) -> PuzzleProgress:
    """Return the progress in the cookie of a request, without invalid entries."""
    found = _COOKIE.fullmatch(read_cookie(connection, COOKIE))
    if found is None:
        return PuzzleProgress()
    known, text = load_puzzles(), found["names"]
    names = [text[at : at + 5] for at in range(0, len(text), 5)]
    level = min(max(int(found["level"]) / 10, _LOWEST), _HIGHEST)
    return PuzzleProgress(
        level=level,
        solved=tuple(dict.fromkeys(name for name in names if name in known)),
        tried=tuple(
            dict.fromkeys(
                name.lower() for name in names if name not in known and name.lower() in known
            )
        ),
    )


def write_puzzle_progress(
    connection: HTTPConnection, response: Response, progress: PuzzleProgress
) -> None:
    """Set the cookie. Ids in capital letters are of puzzles that were tried but not solved."""
    names = [*map(str.upper, progress.tried), *progress.solved][-_MOST:]
    text = f"{round(progress.level * 10)}.{''.join(names)}"
    set_cookie(connection, response, COOKIE, text)
