"""The pages of a review: the review itself, its progress, and continuing from a move."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any, get_args
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.coach.explanation import mark_name, played_move
from byzanz.coach.results import STAR, SYMBOLS, Mark, Review, SeatReview
from byzanz.messages import decimal, signed
from byzanz.rules import Game
from byzanz.tables import Declined, TableReason, TableService, TableView

from .board import board, seat_names
from .form_fields import number_of, signed_in, text_of, to_table
from .forms import ON_PAGES
from .pages import look, number, page, renderer_for, viewer
from .replay import Eyes, round_starts, table_view_at
from .review import chosen_decision, moment, summary
from .review_curve import draw_curve
from .review_requests import request_review


async def review(request: Request) -> Response:
    """Show the review of a finished game, its progress, or how to ask for it."""
    table_view = await look(request)
    service: TableService = request.app.state.service
    game = await service.replay(table_view.table, viewer(request))
    found = await service.reviews.status(table_view.table, viewer(request))
    if found.review is None:
        return page(
            request,
            "review_wait.html",
            table_view=table_view,
            found=found,
            enabled=service.reviews.enabled,
        )
    seat = _asked_seat(request, table_view, found.review)
    shown = await asyncio.to_thread(_shown, request, table_view, game, found.review, seat)
    branches = await service.branches_of(table_view.table, viewer(request))
    return page(request, "review.html", **shown, branches=branches[:8])


async def ask(request: Request) -> Response:
    """Ask for the review and go to its page, which shows the progress."""
    table: str = request.path_params["table"]
    await request_review(request, table, signed_in(request))
    return RedirectResponse(f"/table/{table}/review", 303)


async def branch(request: Request) -> Response:
    """Take over a seat of a finished game and play on against bots."""
    guest, form = signed_in(request), await request.form()
    service: TableService = request.app.state.service
    seat, step = number_of(text_of(form, "seat")), number_of(text_of(form, "step"))
    if seat is None:
        raise Declined(TableReason.NOT_A_SEAT)
    if step is None:
        game = await service.replay(request.path_params["table"], viewer(request))
        raise Declined(TableReason.BAD_STEP, last=len(game.plays) - 1)
    table = await service.branch(
        request.path_params["table"],
        guest.id,
        seat=seat,
        step=step,
        anew="anew" in form,
        automatic=ON_PAGES,
    )
    return to_table(table)


def _asked_seat(request: Request, table_view: TableView, review: Review) -> SeatReview:
    """Return the review of the requested seat; by default, of the viewer's or the first one."""
    asked = number(request.query_params.get("seat"), review.players - 1)
    seat = asked if asked is not None else table_view.seat or 0
    return next((one for one in review.seats if one.seat == seat), review.seats[0])


def _shown(
    request: Request, table_view: TableView, game: Game, review: Review, seat: SeatReview
) -> dict[str, Any]:
    """Return the values of the page. The reasons take a while to find."""
    renderer = renderer_for(request)
    translations, language = renderer.translations, renderer.language
    names = seat_names(table_view.table, table_view.sitters, translations)
    decision = chosen_decision(seat, number(request.query_params.get("step"), 10**6))

    def address(seat: int, step: int | None = None) -> str:
        query = {"seat": seat} | ({} if step is None else {"step": step})
        return f"/table/{table_view.table}/review?{urlencode(query)}"

    def neighbour(numbers: list[int], way: int) -> str | None:
        at = 0 if decision is None else decision.number
        beyond = [each for each in numbers if (each - at) * way > 0]
        return address(seat.seat, min(beyond, key=lambda each: abs(each - at))) if beyond else None

    end = board(
        table_view_at(table_view, game, len(game.plays), Eyes(table_view.seat)), translations
    ).ending
    if end is None:
        raise Declined(TableReason.NOT_FINISHED)
    marked = [one.number for one in seat.noted]
    every = [one.number for one in seat.decisions]
    return {
        "table_view": table_view,
        "seat": seat,
        "names": names,
        "own": table_view.seat == seat.seat,
        "date": datetime.fromtimestamp(table_view.created, UTC).date().isoformat(),
        "curve": draw_curve(review, seat, round_starts(game.course), decision),
        "moment": None if decision is None else moment(decision, names, translations, language),
        "decision": decision,
        "noted": seat.noted,
        "mark_name": lambda one: mark_name(one, translations),
        "move_text": lambda one: played_move(one, translations).text,
        "share": lambda share: decimal(100 * share, language),
        "points": lambda points: signed(points, language),
        "accuracy": round(seat.accuracy),
        "symbols": SYMBOLS,
        "star": STAR,
        "counts": {mark: seat.count(mark) for mark in get_args(Mark)},
        "standings": end.standings,
        "reviews": {one.seat: one for one in review.seats},
        "summary": summary(seat, names[seat.seat], translations, language),
        "address": address,
        "previous": neighbour(marked, -1),
        "following": neighbour(marked, 1),
        "before": neighbour(every, -1),
        "after": neighbour(every, 1),
        "path": address(seat.seat, None if decision is None else decision.number),
    }


routes: list[BaseRoute] = [
    Route("/table/{table}/review", review, methods=["GET"]),
    Route("/table/{table}/review", ask, methods=["POST"]),
    Route("/table/{table}/branch", branch, methods=["POST"]),
]
"""The routes of the review."""
