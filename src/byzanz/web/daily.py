"""The pages of the deal of the day: one try for everybody, then the comparison."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from byzanz.locale import _
from byzanz.tables import Declined, Standing, TableReason, TableService, days_before, is_day

from .charts import histogram
from .form_fields import to_table
from .forms import ON_PAGES
from .identity import ensure_guest
from .leaders import Leader, leaders_of
from .my_games import percent
from .pages import page, renderer_for, viewer

PAST_DAYS = 14
"""The number of past days in the list."""


@dataclass(frozen=True, slots=True)
class PastDay:
    """A past day in the list."""

    day: str
    begun: bool
    profit: int | None
    """The guest's profit; None until they have finished."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The guest's result compared with all others, as the page shows it."""

    rank: int
    count: int
    beaten: str
    """The share of the others with a lower profit; empty if there are no others."""
    drawn: str
    """An SVG element that is made only from numbers."""
    numbers: tuple[tuple[int, int], ...]
    """Each profit, highest first, and how many players had it."""


async def today(request: Request) -> Response:
    """Show today's deal."""
    service: TableService = request.app.state.service
    return await _show(request, service.deals.today)


async def day(request: Request) -> Response:
    """Show the deal of a day."""
    return await _show(request, checked_day(request.path_params["day"]))


async def play(request: Request) -> Response:
    """Begin or continue the deal of a day."""
    service: TableService = request.app.state.service
    deal = checked_day(request.path_params["day"])
    await service.deals.find(deal)  # so that no guest is created for nothing
    guest = await ensure_guest(request)
    return to_table(await service.deals.play(deal, guest.id, ON_PAGES))


def checked_day(day: str) -> str:
    """Return the day; raises Declined if the text is not one."""
    if not is_day(day):
        raise Declined(TableReason.NO_SUCH_DEAL)
    return day


async def _show(request: Request, deal: str) -> Response:
    service: TableService = request.app.state.service
    guest, now = viewer(request), service.deals.today
    standing = await service.deals.standing(deal, guest)
    days = days_before(now, PAST_DAYS)
    tried = {} if guest is None else await service.deals.tried(guest, days)
    compared = compare(standing)
    renderer, better = renderer_for(request), list[Leader]()
    if guest is not None and standing.finished:
        better = await leaders_of(service, standing, guest, renderer)
    return page(
        request,
        "daily.html",
        standing=standing,
        is_today=deal == now,
        compared=compared,
        leaders=better,
        line=_line(request, standing, compared),
        past=[PastDay(each, each in tried, tried.get(each)) for each in days],
    )


def compare(standing: Standing) -> Comparison | None:
    """Return the guest's result compared with all others; None until they have finished."""
    profits, own, rank = standing.profits, standing.profit, standing.rank
    if profits is None or own is None or rank is None:
        return None
    all_profits = profits if standing.ranked else (*profits, own)
    return Comparison(
        rank=rank,
        count=len(all_profits),
        beaten="" if standing.beaten is None else percent(standing.beaten),
        drawn=histogram(all_profits, own),
        numbers=tuple(sorted(Counter(all_profits).items(), reverse=True)),
    )


def _line(request: Request, standing: Standing, compared: Comparison | None) -> str:
    """Return a line to share, which tells nothing about the cards."""
    if compared is None:
        return ""
    gettext = renderer_for(request).translations.gettext
    text = gettext(_("Byzanz, deal of {day}: profit {profit}, rank {rank} of {count}"))
    return text.format(
        day=standing.deal, profit=standing.profit, rank=compared.rank, count=compared.count
    )


routes: list[BaseRoute] = [
    Route("/daily", today),
    Route("/daily/{day}", day),
    Route("/daily/{day}/play", play, methods=["POST"]),
]
"""The routes of the pages."""
