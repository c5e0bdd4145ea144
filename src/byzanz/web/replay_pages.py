"""The replay of a finished game: its page, and its steps for the page's script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from byzanz.rules import Game
from byzanz.tables import TableView

from .board import board, seat_names
from .game_log import lines
from .moments import moments
from .pages import look, number, page, renderer_for, viewer
from .rendering import Renderer
from .replay import Eyes, round_starts, steps_of, table_view_at, table_views

STEPS_PER_REQUEST = 16
"""The number of steps that one request returns. A game has about 100 to 200."""

SPEEDS = ("0.5", "1", "2", "4")


@dataclass(frozen=True)
class Mark:
    """The beginning of a round on the slider."""

    round: int
    step: int
    percent: float


async def replay(request: Request) -> Response:
    """Show the replay of a finished game, by default from the viewer's own seat."""
    table_view, game, eyes = await _asked(request)
    renderer, steps = renderer_for(request), len(game.plays)
    step = number(request.query_params.get("step"), steps) or 0
    then = table_view_at(table_view, game, step, eyes)
    names = seat_names(table_view.table, table_view.sitters, renderer.translations)

    def address(step: int) -> str:
        query = {"step": step, "seat": "" if eyes.seat is None else eyes.seat}
        return f"{request.url.path}?{urlencode(query | ({'open': 1} if eyes.open_hands else {}))}"

    starts = round_starts(game.course)
    portraits = board(then, renderer.translations).avatars
    log = renderer.page(
        "replay_log.html",
        lines=lines(game.view(None), names, renderer.translations, None, portraits),
        step_of=steps_of(game.course),
        address=address,
    )
    return page(
        request,
        "replay.html",
        table_view=then,
        step=step,
        steps=steps,
        per_request=STEPS_PER_REQUEST,
        round=max((at for at, start in starts.items() if start <= step), default=1),
        marks=[Mark(at, start, 100 * start / max(1, steps)) for at, start in starts.items()],
        eyes=eyes,
        speeds=SPEEDS,
        names=names,
        board=renderer.board(then, live=False, log=log),
        address=address,
        path=address(step),
    )


async def replay_steps(request: Request) -> Response:
    """Return some steps as JSON: the boards, and what the page's script animates."""
    table_view, game, eyes = await _asked(request)
    renderer, last = renderer_for(request), len(game.plays)
    first = number(request.query_params.get("from"), last) or 0
    steps = range(first, min(first + STEPS_PER_REQUEST, last + 1))
    shown = [_frame(then, renderer) for then in table_views(table_view, game, steps, eyes)]
    return Response(msgspec.json.encode(shown), media_type="application/json")


async def _asked(request: Request) -> tuple[TableView, Game, Eyes]:
    """Return the table, its game, and whose view the request asks for."""
    table_view = await look(request)
    game = await request.app.state.service.replay(request.path_params["table"], viewer(request))
    asked = request.query_params
    last = len(game.state.players) - 1
    seat = number(asked["seat"], last) if "seat" in asked else table_view.seat
    return table_view, game, Eyes(seat, open_hands=asked.get("open") == "1")


def _frame(then: TableView, renderer: Renderer) -> dict[str, Any]:
    return {
        "step": then.number,
        "round": then.view.round if then.view is not None else 1,
        "content": renderer.board(then, live=False, log=""),
        "moments": moments(then),
    }


routes: list[BaseRoute] = [
    Route("/table/{table}/replay", replay),
    Route("/table/{table}/replay/steps", replay_steps),
]
"""The routes of the replay."""
