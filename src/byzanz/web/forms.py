"""The handlers of the pages' forms. Each runs a command and redirects to a page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.locale import LANGUAGES
from byzanz.rules import SETUPS
from byzanz.tables import (
    Aid,
    Automatic,
    BotSeat,
    Declined,
    GuestService,
    Host,
    NewTable,
    Open,
    Pace,
    SeatPlan,
    TableOptions,
    TableReason,
    TableService,
)

from .cookies import delete_cookie, set_cookie
from .form_fields import number_of as _number
from .form_fields import signed_in as _signed_in
from .form_fields import text_of as _text
from .form_fields import to_table as _to_table
from .identity import LANGUAGE_COOKIE, ensure_guest, sign_in, sign_out, undo_sign_in
from .lesson_progress import COOKIE as PROGRESS_COOKIE
from .lobby import show_lobby
from .opponents import chosen_bots
from .pages import renderer_for
from .public_address import public_url
from .puzzle_progress import COOKIE as PUZZLE_COOKIE
from .refusals import WebReason, WebRefusal

_T = TypeVar("_T")

ON_PAGES = Automatic(take_last=True)
"""The automatic actions of a player who took their seat on a page, until they change them."""

_RATED_SECONDS = 24 * 3600
"""The time limit of a rated game if none is chosen: without one, a game can be stalled."""
_SEATS_AGAINST = 3
"""The number of bots in a game started from the lobby."""


async def play(request: Request) -> Response:
    """Start a game against three bots: a chosen one, a mixed table, or the guest's level."""
    form = await request.form()
    guest = request.state.guest and request.state.guest.id
    service = request.app.state.service
    bots = await chosen_bots(service, guest, _text(form, "bot"), _SEATS_AGAINST)
    plan = NewTable((Host(), *[BotSeat(bot) for bot in bots]))
    return await _open_table(request, form, plan)


async def create(request: Request) -> Response:
    """Open a table with the chosen seats and options."""
    form = await request.form()
    chosen = [text for text in _seats(form) if text not in ("", "none")]
    seats: list[SeatPlan] = [Open() if text == "open" else BotSeat(text) for text in chosen]
    think = _text(form, "think")
    rated = "rated" in form
    options = TableOptions(
        listed="listed" in form,
        rated=rated,
        talk="talk" in form,
        pace=_pace(form),
        memory_aid="memory" in form,
        open_profit="profit" in form,
        think_seconds=_number(think) if think else _RATED_SECONDS if rated else None,
        hints=_aid(form, "hints"),
        odds=_aid(form, "odds"),
        host_starts=True,
    )
    plan = NewTable((Host(), *seats), options)
    return await _open_table(request, form, plan)


async def join(request: Request) -> Response:
    """Give the guest a seat at the table."""
    form = await request.form()
    table: str = request.path_params["table"]
    seat = _number(_text(form, "seat"))
    await run_named(
        request,
        form,
        lambda service, guest: service.join(table, guest, seat, ON_PAGES, _text(form, "nonce")),
    )
    return _to_table(table)


async def start(request: Request) -> Response:
    """Start the game, with bots in the free seats."""
    guest = _signed_in(request)
    return await _run_command(request, lambda service, table: service.start(table, guest.id))


async def leave(request: Request) -> Response:
    """Leave the table for good; a bot takes over the seat."""
    guest = _signed_in(request)
    await request.app.state.service.leave(request.path_params["table"], guest.id)
    return RedirectResponse("/", 303)


async def remove(request: Request) -> Response:
    """Free the seat of another person before the game begins."""
    guest, form = _signed_in(request), await request.form()
    seat = _number(_text(form, "seat"))
    if seat is None:
        raise Declined(TableReason.NOT_A_SEAT)
    return await _run_command(request, lambda service, table: service.remove(table, guest.id, seat))


async def replace(request: Request) -> Response:
    """Let a bot play for an absent player."""
    guest, form = _signed_in(request), await request.form()
    seat = _number(_text(form, "seat"))
    if seat is None:
        raise Declined(TableReason.NOT_A_SEAT)
    return await _run_command(
        request, lambda service, table: service.replace(table, guest.id, seat)
    )


async def rematch(request: Request) -> Response:
    """Invite the others to a rematch, or accept their invitation.

    The rematch has a new deal, or the same deal with rotated seats.
    """
    guest, form = _signed_in(request), await request.form()
    table = await request.app.state.service.rematch(
        request.path_params["table"],
        guest.id,
        rotated="rotated" in form,
        invite=True,
        nonce=_text(form, "nonce"),
    )
    return _to_table(table)


async def accept(request: Request) -> Response:
    """Accept the invitation to this rematch."""
    guest, form = _signed_in(request), await request.form()
    nonce = _text(form, "nonce")
    return await _run_command(
        request, lambda service, table: service.join(table, guest.id, nonce=nonce)
    )


async def decline(request: Request) -> Response:
    """Decline the invitation to this rematch."""
    guest = _signed_in(request)
    await request.app.state.service.decline(request.path_params["table"], guest.id)
    return RedirectResponse("/", 303)


async def language(request: Request) -> Response:
    """Change the reader's language."""
    form = await request.form()
    chosen, guest = _text(form, "language"), request.state.guest
    if chosen not in LANGUAGES:
        raise WebRefusal(WebReason.BAD_REQUEST)
    if guest is not None:
        await request.app.state.service.guests.update(guest.id, guest.name, chosen)
    response = RedirectResponse(_back(_text(form, "back")), 303)
    set_cookie(request, response, LANGUAGE_COOKIE, chosen)
    return response


async def rename(request: Request) -> Response:
    """Change the guest's name and portrait."""
    guest, form = _signed_in(request), await request.form()
    guests: GuestService = request.app.state.service.guests
    if "name" in form:
        await guests.update(guest.id, _text(form, "name"), guest.language)
    if "avatar" in form:
        await guests.choose_avatar(guest.id, _number(_text(form, "avatar")))
    return RedirectResponse(_back(_text(form, "back")), 303)


async def personal_link(request: Request) -> Response:
    """Create a personal link and show it in the lobby, once."""
    guest = _signed_in(request)
    token = await request.app.state.service.guests.pass_token(guest.id)
    return await show_lobby(request, public_url(request, f"/pass/{token}"))


async def arrive(request: Request) -> Response:
    """Ask for confirmation before a personal link is used; a preview of the link has no effect."""
    renderer = renderer_for(request)
    text = renderer.page("pass.html", path="/", token=request.path_params["token"])
    return Response(text, media_type="text/html")


async def redeem(request: Request) -> Response:
    """Sign this device in as the personal link's guest."""
    guest = await request.app.state.service.guests.redeem(request.path_params["token"])
    await sign_in(request, guest)
    return RedirectResponse("/", 303)


async def forget(request: Request) -> Response:
    """Delete the guest's data."""
    guest = _signed_in(request)
    await request.app.state.service.guests.forget(guest.id)
    sign_out(request)
    response = RedirectResponse("/", 303)
    for name in (PROGRESS_COOKIE, PUZZLE_COOKIE):
        delete_cookie(request, response, name)
    return response


def _aid(form: FormData, name: str) -> Aid:
    """Return when an aid is allowed; the default if the form does not say."""
    text = _text(form, name)
    return Aid(text) if text in set(Aid) else Aid.BOTS


def _seats(form: FormData) -> list[str]:
    """Return the choices for the seats after the host's, from one list or a field per seat."""
    if "seat" in form:
        return [text for text in form.getlist("seat") if isinstance(text, str)]
    return [_text(form, f"seat-{seat}") for seat in range(2, max(SETUPS) + 1)]


async def _open_table(request: Request, form: FormData, plan: NewTable) -> Response:
    """Open a table for the guest with the name in the form, and redirect to it."""
    return _to_table(
        await run_named(
            request,
            form,
            lambda service, guest: service.create(
                guest, plan, ON_PAGES, _text(form, "nonce"), password=_text(form, "password")
            ),
        )
    )


async def run_named(
    request: Request, form: FormData, command: Callable[[TableService, str], Awaitable[_T]]
) -> _T:
    """Run a command for the request's guest, then give the guest the name in the form.

    The name is checked first and changed last, so that a refused command changes nothing.
    """
    service: TableService = request.app.state.service
    name = _text(form, "name").strip()
    if name:
        service.guests.check_name(name)
    returning = request.state.guest is not None
    guest = await ensure_guest(request, name or None)
    try:
        done = await command(service, guest.id)
    except Declined:
        if not returning:
            await service.guests.forget(guest.id)
            undo_sign_in(request)
        raise
    if name and guest.name != name:
        request.state.guest = await service.guests.update(guest.id, name, guest.language)
    return done


async def _run_command(request: Request, command: Callable[..., Awaitable[object]]) -> Response:
    """Run a command for the table in the path, and redirect to the table."""
    table: str = request.path_params["table"]
    await command(request.app.state.service, table)
    return _to_table(table)


def _back(path: str) -> str:
    """Return the path if it is on this site, or else the path of the lobby."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"


def _pace(form: FormData) -> Pace:
    text = _text(form, "pace")
    return Pace(text) if text in list(Pace) else Pace.NORMAL


routes: list[BaseRoute] = [
    Route("/play", play, methods=["POST"]),
    Route("/tables", create, methods=["POST"]),
    Route("/table/{table}/join", join, methods=["POST"]),
    Route("/table/{table}/start", start, methods=["POST"]),
    Route("/table/{table}/leave", leave, methods=["POST"]),
    Route("/table/{table}/remove", remove, methods=["POST"]),
    Route("/table/{table}/replace", replace, methods=["POST"]),
    Route("/table/{table}/rematch", rematch, methods=["POST"]),
    Route("/table/{table}/accept", accept, methods=["POST"]),
    Route("/table/{table}/decline", decline, methods=["POST"]),
    Route("/language", language, methods=["POST"]),
    Route("/me", rename, methods=["POST"]),
    Route("/me/link", personal_link, methods=["POST"]),
    Route("/me/forget", forget, methods=["POST"]),
    Route("/pass/{token}", arrive, methods=["GET"]),
    Route("/pass/{token}", redeem, methods=["POST"]),
]
"""The routes of the forms."""
