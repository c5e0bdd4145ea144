"""The pages of the lessons: the list, the steps with their boards, and the end of a lesson."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.coach.lessons import (
    Lesson,
    Position,
    Verdict,
    judge_answer,
    load_lessons,
    positions,
)
from byzanz.locale import _
from byzanz.messages import explain
from byzanz.notation import Malformed, parse_action
from byzanz.rules import Action, Game

from .lesson_progress import next_step, read_progress, write_progress
from .pages import page, renderer_for
from .refusals import WebReason, WebRefusal
from .rendering import Renderer
from .solving import LONGEST_ANSWER, answer_text, table_view_of


@dataclass(frozen=True, slots=True)
class Entry:
    """A lesson in the list."""

    name: str
    title: str
    idea: str
    steps: int
    solved: int

    @property
    def done(self) -> bool:
        """Whether every step is solved."""
        return self.solved == self.steps


class Told(NamedTuple):
    """What a page says about an answer."""

    right: bool
    text: str


async def learn(request: Request) -> Response:
    """Show the list of lessons with the visitor's progress."""
    progress = read_progress(request)
    gettext = renderer_for(request).translations.gettext
    entries = [
        Entry(
            name=lesson.name,
            title=gettext(lesson.title),
            idea=gettext(lesson.idea),
            steps=len(lesson.steps),
            solved=len(progress.get(lesson.name, ())),
        )
        for lesson in load_lessons().values()
    ]
    return page(request, "learn.html", first=entries[0], entries=entries[1:])


async def begin(request: Request) -> Response:
    """Go to the lesson's first unsolved step; if all are solved, to its first step."""
    lesson = _lesson(request)
    step = next_step(lesson, read_progress(request)) or 1
    return RedirectResponse(f"/learn/{lesson.name}/{step}", 303)


async def step(request: Request) -> Response:
    """Show a position to solve. If the query has an answer, show the judgement of it."""
    lesson, number, position = _step(request)
    renderer = renderer_for(request)
    answer = request.query_params.get("answer")
    here = f"/learn/{lesson.name}/{number}"
    game, told = position.game, None
    if answer is not None:
        told, game = _judge(position, answer, renderer)
    last = number == len(lesson.steps)
    gettext = renderer.translations.gettext
    view = table_view_of(game.view(position.step.seat), len(game.plays), gettext(_("You")))
    return page(
        request,
        "lesson.html",
        title=gettext(lesson.title),
        task=gettext(position.step.task),
        number=number,
        steps=len(lesson.steps),
        solved=read_progress(request).get(lesson.name, frozenset()),
        told=told,
        here=here,
        first=lesson.name == next(iter(load_lessons())),
        following=f"/learn/{lesson.name}/{'end' if last else number + 1}",
        board=renderer.board(view, live=told is None, act=here),
    )


async def answer(request: Request) -> Response:
    """Judge an answer, remember a right one, and redirect to the page that explains it."""
    lesson, number, position = _step(request)
    text = answer_text(await request.form())[:LONGEST_ANSWER]
    query = urlencode({"answer": text})
    response = RedirectResponse(f"/learn/{lesson.name}/{number}?{query}", 303)
    told, _game = _judge(position, text, renderer_for(request))
    if told.right:
        write_progress(request, response, read_progress(request), lesson.name, number)
    return response


async def end(request: Request) -> Response:
    """Show the end of a lesson, and what comes next."""
    lesson = _lesson(request)
    names = list(load_lessons())
    after = names[names.index(lesson.name) + 1 :]
    gettext = renderer_for(request).translations.gettext
    following = load_lessons()[after[0]] if after else None
    return page(
        request,
        "lesson_end.html",
        title=gettext(lesson.title),
        text=gettext(lesson.end),
        first=lesson.name == next(iter(load_lessons())),
        following=following and (following.name, gettext(following.title)),
    )


def _lesson(request: Request) -> Lesson:
    lesson = load_lessons().get(request.path_params["lesson"])
    if lesson is None:
        raise WebRefusal(WebReason.NOT_FOUND)
    return lesson


def _step(request: Request) -> tuple[Lesson, int, Position]:
    lesson, number = _lesson(request), request.path_params["step"]
    if not 1 <= number <= len(lesson.steps):
        raise WebRefusal(WebReason.NOT_FOUND)
    return lesson, number, positions(lesson)[number - 1]


def _judge(position: Position, text: str, renderer: Renderer) -> tuple[Told, Game]:
    """Return what the page says about an answer, and the game that it then shows."""
    translations = renderer.translations
    try:
        action: Action = parse_action(text[:LONGEST_ANSWER])
    except Malformed as error:
        return Told(right=False, text=explain(error, translations)), position.game
    verdict: Verdict = judge_answer(position, action)
    if verdict.refusal is not None:
        return Told(right=False, text=explain(verdict.refusal, translations)), position.game
    return Told(verdict.right, translations.gettext(verdict.text)), position.after(action)


routes: list[BaseRoute] = [
    Route("/learn", learn),
    Route("/learn/{lesson}", begin),
    Route("/learn/{lesson}/end", end),
    Route("/learn/{lesson}/{step:int}", step, methods=["GET"]),
    Route("/learn/{lesson}/{step:int}", answer, methods=["POST"]),
]
"""The routes of the lessons."""
