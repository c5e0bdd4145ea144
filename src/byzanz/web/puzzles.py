"""The pages of the puzzles: the list, a puzzle with its board, and the puzzle of the day."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from gettext import NullTranslations
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.coach.puzzles import Puzzle, load_puzzles, puzzle_of_the_day
from byzanz.coach.puzzles.puzzle import Theme
from byzanz.locale import _
from byzanz.messages import explain
from byzanz.notation import Malformed, parse_action
from byzanz.rules import Phase

from .board import seat_names
from .pages import page, renderer_for
from .puzzle_feedback import Option, judge, options_of, solution_reasons
from .puzzle_progress import PuzzleProgress, read_puzzle_progress, write_puzzle_progress
from .refusals import WebReason, WebRefusal
from .rendering import Renderer
from .solving import LONGEST_ANSWER, answer_text, table_view_of

_QUESTIONS = {
    Phase.AUCTION: (
        _("The auction"),
        _("Do you bid, and with which cards? Or do you pass?"),
    ),
    Phase.GIVE: (
        _("A card for the market"),
        _("You win this offer. Which of its cards do you put into the market?"),
    ),
    Phase.MARKET: (
        _("The choice in the market"),
        _("It is your turn at the market. Which kind do you take?"),
    ),
    Phase.LIMIT: (
        _("Too many cards"),
        _("You hold more than seven cards. What do you sell or discard?"),
    ),
    Phase.FINAL_SALE: (
        _("The final sale"),
        _("The last market is over. Which set do you sell first?"),
    ),
}
"""The title and the question of the puzzles of each phase. They do not give away the answer."""
_OR_SELL = {
    Phase.AUCTION: _("Do you bid, and with which cards? Do you pass? Or do you sell a set first?"),
    Phase.GIVE: _(
        "You win this offer. Which of its cards do you put into the market? Or do you sell a set "
        "first?"
    ),
    Phase.MARKET: _(
        "It is your turn at the market. Which kind do you take? Or do you sell a set first?"
    ),
}
"""The questions of puzzles in which the player can also sell a set, whatever the answer is."""
THEME_NAMES: dict[Theme, str] = {
    "bid": _("Time to bid"),
    "how-high": _("How high to bid"),
    "pass": _("Time to pass"),
    "give": _("What to give"),
    "take": _("What to take"),
    "limit": _("Hand limit"),
    "sale": _("When to sell"),
}
"""The name of each theme, shown after the answer."""


class Told(NamedTuple):
    """What a page says about an answer."""

    right: bool
    legal: bool
    text: str
    reasons: tuple[str, ...]
    behind: int | None
    """How far the answer is behind the best one, in points."""


class Solution(NamedTuple):
    """What a page shows when the puzzle is over for the player."""

    theme: str
    reasons: tuple[str, ...]
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle in the list."""

    name: str
    number: int
    state: str
    """``solved``, ``tried`` or empty."""


class Row(NamedTuple):
    """The puzzles of one difficulty."""

    difficulty: int
    entries: tuple[Entry, ...]


class Group(NamedTuple):
    """The puzzles of one phase."""

    title: str
    rows: tuple[Row, ...]
    solved: int
    total: int


async def listing(request: Request) -> Response:
    """Show all puzzles by question and difficulty, with the visitor's progress."""
    progress = read_puzzle_progress(request)
    gettext = renderer_for(request).translations.gettext
    following = progress.following()
    return page(
        request,
        "puzzles.html",
        groups=[_group(phase, gettext(title), progress) for phase, title in _shown_phases()],
        solved=len(progress.solved),
        total=len(load_puzzles()),
        level=round(progress.level),
        following=following and following.id,
        today=todays_puzzle().id,
        today_solved=todays_puzzle().id in progress.solved,
    )


async def today(request: Request) -> Response:  # noqa: ARG001
    """Go to the puzzle of the day."""
    return RedirectResponse(f"/puzzles/{todays_puzzle().id}", 303)


async def show(request: Request) -> Response:
    """Show a puzzle and, if the query has an answer, the judgement of it."""
    puzzle = find_puzzle(request)
    renderer = renderer_for(request)
    gettext = renderer.translations.gettext
    answer = request.query_params.get("answer")
    seen = table_view_of(puzzle.view(), puzzle.origin.number - 1, gettext(_("You")))
    told = solution = None
    if answer is not None:
        names = seat_names(seen.table, seen.sitters, renderer.translations)
        told = await asyncio.to_thread(_judge, puzzle, answer, names, renderer)
        if told.right or (told.legal and "solution" in request.query_params):
            solution = await asyncio.to_thread(_solution, puzzle, answer, names, renderer)
    title = _QUESTIONS[puzzle.view().phase][0]
    progress = read_puzzle_progress(request)
    following = progress.following(puzzle.id)
    here = f"/puzzles/{puzzle.id}"
    return page(
        request,
        "puzzle.html",
        title=gettext(title),
        task=question_of(puzzle, renderer.translations),
        number=_numbers()[puzzle.id],
        difficulty=puzzle.difficulty,
        of_the_day=puzzle.id == todays_puzzle().id,
        is_solved=puzzle.id in progress.solved,
        told=told,
        solution=solution,
        here=here,
        reveal=f"{here}?{urlencode({'answer': (answer or '')[:LONGEST_ANSWER], 'solution': 1})}",
        following=following and f"/puzzles/{following.id}",
        board=renderer.board(seen, live=told is None, act=here),
    )


async def answer(request: Request) -> Response:
    """Judge an answer, remember it, and redirect to the page that explains it."""
    puzzle = find_puzzle(request)
    text = answer_text(await request.form())
    query = urlencode({"answer": text})
    response = RedirectResponse(f"/puzzles/{puzzle.id}?{query}", 303)
    try:
        action = parse_action(text)
    except Malformed:
        return response
    if action in puzzle.view().options:
        progress = read_puzzle_progress(request)
        progress = progress.answered(puzzle, right=action == puzzle.action())
        write_puzzle_progress(request, response, progress)
    return response


def find_puzzle(request: Request) -> Puzzle:
    """Return the puzzle of the path; raises WebRefusal if there is none."""
    puzzle = load_puzzles().get(request.path_params["puzzle"])
    if puzzle is None:
        raise WebRefusal(WebReason.NOT_FOUND)
    return puzzle


def todays_puzzle() -> Puzzle:
    """Return the puzzle of the day, by the date in UTC."""
    return puzzle_of_the_day(load_puzzles(), datetime.now(UTC).date())


def question_of(puzzle: Puzzle, translations: NullTranslations) -> str:
    """Return what the puzzle asks; it mentions selling whenever a set can be sold."""
    view = puzzle.view()
    question = _QUESTIONS[view.phase][1]
    if view.options.sales:
        question = _OR_SELL.get(view.phase, question)
    return translations.gettext(question)


def _judge(puzzle: Puzzle, text: str, names: tuple[str, ...], renderer: Renderer) -> Told:
    translations = renderer.translations
    try:
        action = parse_action(text[:LONGEST_ANSWER])
    except Malformed as error:
        return Told(False, False, explain(error, translations), (), None)
    found = judge(puzzle, action, names, translations)
    if found.refusal is not None:
        return Told(False, False, explain(found.refusal, translations), (), None)
    behind = None if found.right or found.behind is None else round(found.behind)
    return Told(found.right, True, "", found.reasons, behind)


def _solution(puzzle: Puzzle, answer: str, names: tuple[str, ...], renderer: Renderer) -> Solution:
    translations = renderer.translations
    return Solution(
        translations.gettext(THEME_NAMES[puzzle.theme]),
        solution_reasons(puzzle, names, translations),
        options_of(puzzle, answer, translations),
    )


@cache
def _phases() -> dict[str, Phase]:
    """Return the phase of each puzzle."""
    return {name: puzzle.view().phase for name, puzzle in load_puzzles().items()}


@cache
def _numbers() -> dict[str, int]:
    """Return the number of each puzzle in the list."""
    order = sorted(
        load_puzzles().values(),
        key=lambda one: ([*_QUESTIONS].index(_phases()[one.id]), one.difficulty, one.id),
    )
    return {puzzle.id: number for number, puzzle in enumerate(order, start=1)}


def _shown_phases() -> list[tuple[Phase, str]]:
    present = set(_phases().values())
    return [(phase, title) for phase, (title, _) in _QUESTIONS.items() if phase in present]


def _group(phase: Phase, title: str, progress: PuzzleProgress) -> Group:
    mine = [name for name in _numbers() if _phases()[name] is phase]
    rows: dict[int, list[Entry]] = {}
    for name in mine:
        state = "solved" if name in progress.solved else "tried" if name in progress.tried else ""
        entry = Entry(name, _numbers()[name], state)
        rows.setdefault(load_puzzles()[name].difficulty, []).append(entry)
    return Group(
        title,
        tuple(Row(difficulty, tuple(entries)) for difficulty, entries in rows.items()),
        sum(name in progress.solved for name in mine),
        len(mine),
    )


routes: list[BaseRoute] = [
    Route("/puzzles", listing),
    Route("/puzzles/today", today),
    Route("/puzzles/{puzzle}", show, methods=["GET"]),
    Route("/puzzles/{puzzle}", answer, methods=["POST"]),
]
"""The routes of the puzzles."""
