"""Puzzles as data: the structure of a line of JSON, and functions that read and write it.

This module imports no compiled code.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Literal, get_args

import msgspec

from byzanz.coach.results import Candidate
from byzanz.notation import Malformed, parse_action, parse_view
from byzanz.rules import Action, Illegal, View

VERSION = 1
"""The version of the stored form. It changes if a field changes its meaning."""

Theme = Literal["bid", "how-high", "pass", "give", "take", "limit", "sale"]
"""What a puzzle asks: see :func:`byzanz.coach.puzzles.themes.theme_of`."""
THEMES: tuple[Theme, ...] = get_args(Theme)
"""All themes, in the order of the pages."""
Tag = Literal["merchants", "last-round"]
"""What else a puzzle is about."""
Fares = tuple[float, ...]
"""The share of its tries in which each level from 1 to 9 chose the answer."""

_LETTERS = "23456789bcdfghjkmnpqrstvwxz"
"""The characters of ids. Without vowels, ids form no words; no two characters look alike."""
_ID_LENGTH = 5


class BadPuzzle(ValueError):
    """Raised for a text that is not a puzzle."""


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a puzzle comes from."""

    players: int
    number: int
    """The number of the action in the game, from 1."""
    seed: int | None = None
    """The seed of a game between bots; None for a game from a record."""
    bots: tuple[str, ...] = ()
    """The bots of that game, by seat."""


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position with one answer that is clearly better than all other actions."""

    version: int
    id: str
    """The name in addresses; it follows from the position."""
    position: str
    """The view of the seat that is to act, in the notation of views."""
    answer: str
    candidates: tuple[Candidate, ...]
    """The actions that were compared, best first. The first one is the answer."""
    theme: Theme
    difficulty: int
    """The lowest level, from 1 to 10, from which on all levels choose the answer in at least half
    of their tries."""
    fares: Fares
    """The share of its tries in which each level from 1 to 9 chose the answer."""
    origin: Origin
    network: str
    """A checksum of the weights that made the estimates."""
    exact: bool = False
    """Whether the win probabilities are exact, because no other player has a decision left."""
    tags: tuple[Tag, ...] = ()

    def view(self) -> View:
        """Return what the player sees."""
        return parse_view(self.position)

    def action(self) -> Action:
        """Return the answer as an action."""
        return parse_action(self.answer)

    @property
    def lead(self) -> float:
        """The lead of the answer over the second best action, in points of win probability."""
        return min(candidate.behind for candidate in self.candidates[1:])

    def candidate(self, action: str) -> Candidate | None:
        """Return the candidate of an action; None if the action was not compared."""
        return next((one for one in self.candidates if one.action == action), None)


def puzzle_id(position: str) -> str:
    """Return the id of the puzzle with this position."""
    number = int.from_bytes(sha256(position.encode()).digest()[:8], "big")
    letters = []
    for _ in range(_ID_LENGTH):
        number, place = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[place])
    return "".join(letters)


def write_puzzle(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of JSON, without the end of the line."""
    return msgspec.json.encode(puzzle).decode()


def parse_puzzle(line: str | bytes) -> Puzzle:
    """Read a line of JSON; raises BadPuzzle, which says what is wrong."""
    try:
        puzzle = msgspec.json.decode(line, type=Puzzle)
        if puzzle.version != VERSION:
            raise BadPuzzle(f"expected a puzzle of version {VERSION}, not {puzzle.version}")
        refusal = puzzle.view().options.refusal(puzzle.action())
    except (msgspec.DecodeError, Malformed, Illegal) as error:
        raise BadPuzzle(str(error)) from None
    if refusal is not None:
        raise BadPuzzle(f"the answer '{puzzle.answer}' is not legal: {refusal.reason.value}")
    if puzzle.id != puzzle_id(puzzle.position):
        raise BadPuzzle(f"expected the id {puzzle_id(puzzle.position)}, not {puzzle.id}")
    if len(puzzle.candidates) < 2 or puzzle.candidates[0].action != puzzle.answer:
        raise BadPuzzle("expected at least two candidates, and the answer as the first")
    return puzzle


def read_puzzles(lines: Iterable[str | bytes]) -> list[Puzzle]:
    """Read the lines of a file; raises BadPuzzle, which names the line."""
    found = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                found.append(parse_puzzle(line))
            except BadPuzzle as error:
                raise BadPuzzle(f"line {number}: {error}") from None
    return found


@cache
def load_puzzles() -> dict[str, Puzzle]:
    """Return all puzzles of the package by id, in the order of the file."""
    data = (files(__package__) / "data" / "puzzles.jsonl").read_bytes()
    # The tests read the file with all checks.
    return {puzzle.id: puzzle for puzzle in msgspec.json.Decoder(Puzzle).decode_lines(data)}
