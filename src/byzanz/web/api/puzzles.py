"""Operations on puzzles: the puzzle of the day, a puzzle, and an answer to it."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta, Struct, field
from starlette.responses import Response

from byzanz.coach.puzzles import Puzzle
from byzanz.locale import load_translations
from byzanz.notation import parse_action
from byzanz.tables import VisibleGame
from byzanz.web.board import seat_names
from byzanz.web.puzzle_feedback import judge
from byzanz.web.puzzles import find_puzzle, question_of, todays_puzzle
from byzanz.web.solving import table_view_of

from .operation import Call, Operation
from .responses import refusal_answer


class PuzzleToSolve(Struct):
    """A puzzle without its answer. `view` is the position as the seat to act sees it."""

    id: str
    question: str
    difficulty: Annotated[
        int, Meta(description="The lowest level, 1 to 10, that usually finds the answer.")
    ]
    position: str
    game: VisibleGame = field(name="view")


class PuzzleAnswer(Struct, forbid_unknown_fields=True):
    """An answer to a puzzle: an action as text. With `reveal`, you get the solution in any case."""

    action: Annotated[str, Meta(min_length=1, max_length=200)]
    reveal: bool = False


class PuzzleCandidate(Struct):
    """An action that was compared, with its estimated win probability and the standard error."""

    action: str
    win_probability: float
    behind: Annotated[float, Meta(description="Points behind the best action.")]
    standard_error: float


class PuzzleSolution(Struct):
    """The solution of a puzzle. The candidates come best first."""

    answer: str
    theme: str
    candidates: list[PuzzleCandidate]


class PuzzleVerdict(Struct):
    """The judgement of an answer. The reasons are sentences in your language."""

    right: bool
    behind: Annotated[float | None, Meta(description="Null if the action was not compared.")]
    reasons: list[str]
    solution: PuzzleSolution | None
    """The solution, if the answer is right or was asked for."""


async def today(call: Call) -> PuzzleToSolve:
    """Return the puzzle of the day."""
    return _shown(call, todays_puzzle())


async def show(call: Call) -> PuzzleToSolve:
    """Return a puzzle."""
    return _shown(call, find_puzzle(call.request))


async def answer(call: Call) -> PuzzleVerdict | Response:
    """Judge an answer. Nothing is stored."""
    puzzle, body = find_puzzle(call.request), call.body
    translations = load_translations(call.request.state.language)
    action = parse_action(body.action)
    seen = table_view_of(puzzle.view(), 0, "")
    names = seat_names(seen.table, seen.sitters, translations)
    found = await asyncio.to_thread(judge, puzzle, action, names, translations)
    if found.refusal is not None:
        return refusal_answer(call.request, found.refusal)
    solution = _solution(puzzle) if found.right or body.reveal else None
    return PuzzleVerdict(found.right, found.behind, list(found.reasons), solution)


def _shown(call: Call, puzzle: Puzzle) -> PuzzleToSolve:
    question = question_of(puzzle, load_translations(call.request.state.language))
    game = VisibleGame.of(puzzle.view())
    return PuzzleToSolve(puzzle.id, question, puzzle.difficulty, puzzle.position, game)


def _solution(puzzle: Puzzle) -> PuzzleSolution:
    candidates = [
        PuzzleCandidate(one.action or "", one.win_probability, one.behind, one.standard_error)
        for one in puzzle.candidates
    ]
    return PuzzleSolution(puzzle.answer, puzzle.theme, candidates)


OPERATIONS = (
    Operation(
        "GET",
        "/api/puzzles/today",
        "puzzle_of_the_day",
        "Return the puzzle of the day, which is the same for everybody; days begin at 0:00 UTC.",
        today,
        response=PuzzleToSolve,
        signed_in=False,
    ),
    Operation(
        "GET",
        "/api/puzzles/{puzzle}",
        "puzzle",
        "Return a puzzle without its answer.",
        show,
        response=PuzzleToSolve,
        signed_in=False,
        refuses=(404,),
    ),
    Operation(
        "POST",
        "/api/puzzles/{puzzle}/answer",
        "answer_puzzle",
        "Answer a puzzle, and learn whether the answer is right, and why. Nothing is stored.",
        answer,
        body=PuzzleAnswer,
        response=PuzzleVerdict,
        signed_in=False,
        refuses=(404, 409),
    ),
)
"""The operations on puzzles."""
