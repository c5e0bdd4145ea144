"""The pages of a guest's finished games: list, statistics, export, and deleting everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from gettext import NullTranslations
from math import ceil
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from byzanz.arena.intervals import LEVEL
from byzanz.locale import _
from byzanz.messages import bot_name
from byzanz.rules import SETUPS
from byzanz.tables import (
    MIXED,
    PEOPLE,
    GameFilter,
    GameResult,
    Listing,
    Outcome,
    TableService,
    WinShare,
    statistics,
)

from .board import seat_names
from .charts import luck_bar, share_bar
from .form_fields import signed_in
from .pages import number, page, renderer_for
from .portraits import seat_portraits

GAMES_PER_PAGE = 25

_DAY = 24 * 3600
_PERIODS = (7, 30, 365)
"""The periods to choose from, in days."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A finished game in the list."""

    table: str
    date: str
    names: str
    """The names of the opponents."""
    portraits: tuple[int, ...]
    players: int
    place: int
    profit: int
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class ShareRow:
    """The share of games won in one group of games: numbers and a drawing."""

    label: str
    games: int
    share: str
    interval: str
    drawn: str
    """An SVG element that is made only from numbers."""


@dataclass(frozen=True, slots=True)
class Query:
    """The filter for games in the address of the page."""

    players: int | None
    opponents: str | None
    outcome: Outcome | None
    days: int | None
    page: int

    @classmethod
    def of(cls, request: Request) -> Query:
        """Return the filter; invalid values are left out."""
        given = request.query_params
        players, days = number(given.get("players"), 99), number(given.get("days"), 9999)
        outcome, opponents = given.get("result"), given.get("opponents") or None
        return cls(
            players if players in SETUPS else None,
            opponents if opponents and opponents.isprintable() else None,
            Outcome(outcome) if outcome in list(Outcome) else None,
            days if days in _PERIODS else None,
            max(1, number(given.get("page"), 10**6) or 1),
        )

    def filter(self, now: float) -> GameFilter:
        """Return the filter for the service."""
        return GameFilter(
            players=self.players,
            opponents=self.opponents,
            outcome=self.outcome,
            since=None if self.days is None else now - self.days * _DAY,
        )

    def address(self, page: int) -> str:
        """Return the address of another page with the same filter."""
        chosen = {
            "players": self.players,
            "opponents": self.opponents,
            "result": self.outcome and self.outcome.value,
            "days": self.days,
            "page": page if page > 1 else None,
        }
        given = {name: value for name, value in chosen.items() if value is not None}
        return "/games" + (f"?{urlencode(given)}" if given else "")


async def games(request: Request) -> Response:
    """Show the guest's finished games and their statistics."""
    service: TableService = request.app.state.service
    guest, query = request.state.guest, Query.of(request)
    translations = renderer_for(request).translations
    found: tuple[GameResult, ...] = ()
    opponents: tuple[str, ...] = ()
    if guest is not None:
        found = await service.history.games(guest.id, query.filter(service.now))
        opponents = await service.history.opponents(guest.id)
    pages = max(1, ceil(len(found) / GAMES_PER_PAGE))
    at = min(query.page, pages)
    shown = found[(at - 1) * GAMES_PER_PAGE : at * GAMES_PER_PAGE]
    counted = statistics(found)
    return page(
        request,
        "games.html",
        guest=guest,
        query=query,
        any_games=bool(opponents),
        games=await _entries(service, guest and guest.id, shown, translations),
        statistics=counted,
        luck_drawn="" if counted.luck is None else luck_bar(counted.luck.average),
        by_opponents=_share_rows(counted.by_opponents, translations),
        by_players=_share_rows(counted.by_players, None),
        players=[(count, count) for count in SETUPS],
        opponents=[(each, opponents_name(each, translations)) for each in opponents],
        periods=_periods(translations),
        reviewed=any(each.accuracy is not None for each in shown),
        at=at,
        pages=pages,
        level=percent(LEVEL),
    )


async def records(request: Request) -> Response:
    """Send the records of all finished games of the guest as one file."""
    guest = signed_in(request)
    return record_stream(request.app.state.service, guest.id)


def record_stream(service: TableService, guest: str) -> Response:
    """Return a response that sends one record after another."""
    return StreamingResponse(
        service.history.records(guest),
        headers={"Content-Disposition": 'attachment; filename="byzanz-games.jsonl"'},
        media_type="application/x-ndjson",
    )


async def delete(request: Request) -> Response:
    """Show what will be deleted, and ask for confirmation."""
    return page(request, "delete_me.html", guest=request.state.guest)


def opponents_name(opponents: str, translations: NullTranslations) -> str:
    """Return a name for the opponents of a result, in the reader's language."""
    if opponents == PEOPLE:
        return translations.gettext(_("People"))
    if opponents == MIXED:
        return translations.gettext(_("Different bots"))
    return bot_name(opponents, translations)


async def _entries(
    service: TableService,
    guest: str | None,
    found: Sequence[GameResult],
    translations: NullTranslations,
) -> list[Entry]:
    tables = {} if guest is None else await service.history.listings(guest, found)
    return [
        _entry(each, tables[each.table], translations) for each in found if each.table in tables
    ]


def _entry(result: GameResult, listing: Listing, translations: NullTranslations) -> Entry:
    names = seat_names(listing.table, listing.sitters, translations)
    faces = seat_portraits(listing.table, listing.sitters)
    others = [seat for seat in range(result.players) if seat != result.seat]
    return Entry(
        table=result.table,
        date=datetime.fromtimestamp(result.finished, UTC).date().isoformat(),
        names=", ".join(names[seat] for seat in others if names[seat]),
        portraits=tuple(faces[seat] for seat in others),
        players=result.players,
        place=result.place,
        profit=result.profit,
        accuracy=result.accuracy,
    )


def _share_rows(
    shares: Sequence[WinShare], translations: NullTranslations | None
) -> list[ShareRow]:
    """Return a row for each share of games won; without translations the groups are numbers."""
    return [
        ShareRow(
            share.group if translations is None else opponents_name(share.group, translations),
            share.games,
            percent(share.wins.value),
            ""
            if share.wins.low is None or share.wins.high is None
            else f"{percent(share.wins.low)} \N{EN DASH} {percent(share.wins.high)}",
            share_bar(share),
        )
        for share in shares
    ]


def percent(share: float) -> str:
    """Return a share as a percentage, with a narrow space that does not break."""
    return f"{100 * share:.0f}\N{NARROW NO-BREAK SPACE}%"


def _periods(translations: NullTranslations) -> list[tuple[int, str]]:
    names = (_("last week"), _("last month"), _("last year"))
    return [(days, translations.gettext(name)) for days, name in zip(_PERIODS, names, strict=True)]


routes: list[BaseRoute] = [
    Route("/games", games),
    Route("/games/records", records),
    Route("/games/delete", delete),
]
"""The routes of the pages."""
