"""The coach on the page of a table: hints on request, and the odds in the drawer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from gettext import NullTranslations
from typing import TYPE_CHECKING, NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.coach.odds import Odds, OpponentOdds
from byzanz.coach.report import sureness_text
from byzanz.messages import decimal, kind_name, move_of, reason_text
from byzanz.rules import Kind, View

from .board import seat_names
from .form_fields import number_of, signed_in, text_of
from .pages import look, page, renderer_for
from .refusals import is_plain

if TYPE_CHECKING:
    from byzanz.coach.advice import Advice
    from byzanz.coach.reasons import Reason

_COLUMNS = 5
"""The maximum number of totals that the odds show for each opponent."""


class Told(NamedTuple):
    """A hint in words."""

    suggestion: str
    sure: str
    """``sure``, ``likely`` or ``close``."""
    sureness: str
    win: str
    reasons: list[str]
    other: str
    """The second best move; empty if there is no other."""
    other_win: str
    against: list[str]


class Row(NamedTuple):
    """A row of the odds: what an opponent can bid."""

    name: str
    average: str
    beats: list[str]
    """How likely it is that they beat each total; empty if only others are in the auction."""


class KindRow(NamedTuple):
    """The unseen cards of a kind, and the number of them expected in the next offer."""

    letter: str
    name: str
    values: list[int]
    total: int
    average: str
    at_least_one: str


async def hint(request: Request) -> Response:
    """Show the player a hint for the decision that the form names."""
    guest, form = signed_in(request), await request.form()
    table: str = request.path_params["table"]
    asked = number_of(text_of(form, "decision"))
    found = await request.app.state.service.aids.hint(table, guest.id, asked)
    view = found.hint.evaluation.view()
    translations = renderer_for(request).translations
    names = seat_names(table, (await look(request)).sitters, translations)
    return _answer(request, "hint.html", hint=_told(found, view, names, translations))


async def odds(request: Request) -> Response:
    """Show what the player can work out about the unseen cards."""
    guest = signed_in(request)
    table: str = request.path_params["table"]
    found: Odds = await request.app.state.service.aids.odds(table, guest.id)
    table_view = await look(request)
    renderer = renderer_for(request)
    language, translations = renderer.language, renderer.translations
    names = seat_names(table, table_view.sitters, translations)
    highest = 0 if table_view.view is None else table_view.view.highest
    rivals = [each for each in found.opponents if each.in_auction] or found.opponents
    totals = _totals(rivals, highest)
    return _answer(
        request,
        "odds.html",
        unseen=found.unseen,
        kinds=_kinds(found, language, translations),
        totals=totals,
        opponents=[
            _row(each, names, totals if each in rivals else (), language)
            for each in found.opponents
        ],
        offer=found.next_offer,
        offer_worth=""
        if found.next_offer is None
        else decimal(found.next_offer.expected_worth, language),
    )


def _answer(request: Request, template: str, **values: object) -> Response:
    """Return a part of a page for the page's script, or a whole page for a browser without it."""
    if is_plain(request):
        return HTMLResponse(renderer_for(request).page(template, **values))
    back = f"/table/{request.path_params['table']}"
    return page(request, "coach_page.html", part=template, path=back, **values)


def percent(probability: float) -> str:
    """Return a probability in per cent; 0 and 100 stand only for exactly 0 and 1."""
    if probability in (0, 1):
        return f"{probability:.0%}"
    return f"{min(max(round(100 * probability), 1), 99)}%"


def _told(found: Advice, view: View, names: Sequence[str], translations: NullTranslations) -> Told:
    def sentences(reasons: Iterable[Reason]) -> list[str]:
        return [reason_text(each.code, each.parameters, names, translations) for each in reasons]

    best, *others = found.hint.evaluation.candidates
    second = others[0].parsed() if others else None
    return Told(
        suggestion=move_of(found.action, view, translations).text,
        sure=found.hint.sure,
        sureness=sureness_text(found.hint.sure, translations),
        win=percent(best.win_probability),
        reasons=sentences(found.reasons),
        other="" if second is None else move_of(second, view, translations).text,
        other_win=percent(others[0].win_probability) if others else "",
        against=sentences(found.against) if second is not None else [],
    )


def _kinds(found: Odds, language: str, translations: NullTranslations) -> list[KindRow]:
    offered = () if found.next_offer is None else found.next_offer.kinds
    coming = {each.kind: each for each in offered}
    rows = []
    for kind, each in zip(Kind, found.kinds, strict=True):
        offer = coming.get(each.kind)
        rows.append(
            KindRow(
                letter=each.kind,
                name=kind_name(kind, translations),
                values=list(each.values.values()) if kind is not Kind.MERCHANT else [],
                total=each.count,
                average="" if offer is None else decimal(offer.expected, language),
                at_least_one="" if offer is None else percent(offer.at_least_one),
            )
        )
    return rows


def _totals(rivals: Sequence[OpponentOdds], highest: int) -> list[int]:
    """Return the totals to show, from the highest bid or from the first uncertain total on."""
    least = min(each.least for each in rivals)
    most = max(each.most for each in rivals)
    first = max(highest, least, 1)
    return [total for total in range(first, first + _COLUMNS) if total <= max(most, first)]


def _row(opponent: OpponentOdds, names: Sequence[str], totals: Sequence[int], language: str) -> Row:
    return Row(
        names[opponent.seat],
        decimal(opponent.expected, language),
        [percent(_beats(opponent, total)) for total in totals],
    )


def _beats(opponent: OpponentOdds, total: int) -> float:
    """Return the probability that the opponent's bid and hand are worth more than this total."""
    if total < opponent.least:
        return 1.0
    return next((each.probability for each in opponent.totals if each.total == total + 1), 0.0)


routes: list[BaseRoute] = [
    Route("/table/{table}/hint", hint, methods=["POST"]),
    Route("/table/{table}/odds", odds, methods=["GET"]),
]
"""The routes of the coach at a table."""
