"""The handlers of the pages' forms. Each runs a command and redirects to a page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import TypeVar

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.locale import LANGUAGES
from byzanz.messages import explain, explain_table
from byzanz.notation import Malformed, parse_action, write_action
from byzanz.rules import Action
from byzanz.tables import (
    Accepted,
    BotSeat,
    Declined,
    Guest,
    Host,
    NewTable,
    Open,
    Pace,
    SeatPlan,
    TableOptions,
    TableReason,
    TableService,
)

from .identity import LANGUAGE_COOKIE, ensure_guest, sign_in, sign_out, undo_sign_in
from .pages import number, renderer_for, show_lobby
from .progress import COOKIE as PROGRESS_COOKIE
from .refusals import WebReason, WebRefusal, is_plain
from .rendering import error_page

_T = TypeVar("_T")

_SEATS_AGAINST = 3
"""The number of bots in a game started from the lobby."""


async def play(request: Request) -> Response:
    """Start a game against three bots."""
    form = await request.form()
    plan = NewTable((Host(), *[BotSeat(_text(form, "bot"))] * _SEATS_AGAINST))
    return await _open_table(request, form, plan)


async def create(request: Request) -> Response:
    """Open a table with the chosen seats and options."""
    form = await request.form()
    chosen = [text for text in form.getlist("seat") if isinstance(text, str) and text != "none"]
    seats: list[SeatPlan] = [Open() if text == "open" else BotSeat(text) for text in chosen]
    think = _text(form, "think")
    options = TableOptions(
        listed="listed" in form,
        pace=_pace(form),
        memory_aid="memory" in form,
        open_profit="profit" in form,
        think_seconds=_number(think) if think else None,
    )
    plan = NewTable((Host(), *seats), options)
    return await _open_table(request, form, plan)


async def act(request: Request) -> Response:
    """Play an action.

    The page's script asks for plain text and gets the new version or a sentence that says why
    the action was refused. Without the script the browser is redirected to the table.
    """
    form = await request.form()
    guest = request.state.guest
    if guest is None:
        raise Declined(TableReason.NOT_YOUR_SEAT)
    table, translations = request.path_params["table"], renderer_for(request).translations
    plain = is_plain(request)
    try:
        action = _action(form)
    except Malformed as error:
        return _refused(request, explain(error, translations), 400, plain=plain)
    answer = await request.app.state.service.act(
        table,
        guest.id,
        action,
        decision=_number(_text(form, "decision")),
        sale=_number(_text(form, "sale")),
        key=_text(form, "key") or _own_key(form, action),
    )
    if isinstance(answer, Accepted):
        return PlainTextResponse(str(answer.version)) if plain else _to_table(table)
    if answer.refusal is not None:
        text = explain(answer.refusal, translations)
    else:
        text = explain_table(answer.code.value, translations, answer.parameters)
    return _refused(request, text, 409, plain=plain)


async def join(request: Request) -> Response:
    """Give the guest a seat at the table."""
    form = await request.form()
    table: str = request.path_params["table"]
    seat = _number(_text(form, "seat"))
    await _run_named(request, form, lambda service, guest: service.join(table, guest, seat))
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
    """Open a rematch, with a new deal or with the same deal and rotated seats."""
    guest, form = _signed_in(request), await request.form()
    table = await request.app.state.service.rematch(
        request.path_params["table"], guest.id, rotated="rotated" in form
    )
    return _to_table(table)


async def language(request: Request) -> Response:
    """Change the reader's language."""
    form = await request.form()
    chosen, guest = _text(form, "language"), request.state.guest
    if chosen not in LANGUAGES:
        raise WebRefusal(WebReason.BAD_REQUEST)
    if guest is not None:
        await request.app.state.service.guests.update(guest.id, guest.name, chosen)
    response = RedirectResponse(_back(_text(form, "back")), 303)
    response.set_cookie(LANGUAGE_COOKIE, chosen, max_age=365 * 86400, samesite="lax", httponly=True)
    return response


async def rename(request: Request) -> Response:
    """Change the guest's name."""
    guest, form = _signed_in(request), await request.form()
    await request.app.state.service.guests.update(guest.id, _text(form, "name"), guest.language)
    return RedirectResponse("/", 303)


async def personal_link(request: Request) -> Response:
    """Create a personal link and show it in the lobby, once."""
    guest = _signed_in(request)
    token = await request.app.state.service.guests.pass_token(guest.id)
    return await show_lobby(request, str(request.url.replace(path=f"/pass/{token}", query="")))


async def arrive(request: Request) -> Response:
    """Ask before a personal link is used, so that a preview of the link has no effect."""
    renderer = renderer_for(request)
    text = renderer.page("pass.html", path="/", token=request.path_params["token"])
    return Response(text, media_type="text/html")


async def redeem(request: Request) -> Response:
    """Sign this device in as the personal link's guest."""
    guest = await request.app.state.service.guests.redeem(request.path_params["token"])
    sign_in(request, guest)
    return RedirectResponse("/", 303)


async def forget(request: Request) -> Response:
    """Delete the guest's data."""
    guest = _signed_in(request)
    await request.app.state.service.guests.forget(guest.id)
    sign_out(request)
    response = RedirectResponse("/", 303)
    response.delete_cookie(PROGRESS_COOKIE, samesite="lax", httponly=True)
    return response


def _own_key(form: FormData, action: Action) -> str:
    """Return a request key for a form sent without a script; equal answers have equal keys."""
    answer = " ".join([_text(form, "decision"), _text(form, "sale"), write_action(action)])
    return f"form {sha256(answer.encode()).hexdigest()[:32]}"


def _action(form: FormData) -> Action:
    """Return the action that the form stands for; raises Malformed."""
    verb, cards = (
        _text(form, "do"),
        [text for text in form.getlist("card") if isinstance(text, str)],
    )
    match verb:
        case "bid" | "sell" | "discard":
            chosen = cards
        case "give" | "take":
            chosen = [_text(form, verb)]
        case _:
            chosen = []
    return parse_action(" ".join([verb, *filter(None, chosen)]))


async def _open_table(request: Request, form: FormData, plan: NewTable) -> Response:
    """Open a table for the guest with the name in the form, and redirect to it."""
    return _to_table(
        await _run_named(request, form, lambda service, guest: service.create(guest, plan))
    )


async def _run_named(
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
        sign_in(request, await service.guests.update(guest.id, name, guest.language))
    return done


def _signed_in(request: Request) -> Guest:
    guest: Guest | None = request.state.guest
    if guest is None:
        raise WebRefusal(WebReason.NO_IDENTITY)
    return guest


async def _run_command(request: Request, command: Callable[..., Awaitable[object]]) -> Response:
    """Run a command for the table in the path, and redirect to the table."""
    table: str = request.path_params["table"]
    await command(request.app.state.service, table)
    return _to_table(table)


def _refused(request: Request, text: str, status: int, *, plain: bool) -> Response:
    if plain:
        return PlainTextResponse(text, status)
    page = error_page(request.state.language, status, text)
    return Response(page, status, media_type="text/html")


def _to_table(table: str) -> Response:
    return RedirectResponse(f"/table/{table}", 303)


def _back(path: str) -> str:
    """Return the path if it is on this site, or else the path of the lobby."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"


def _pace(form: FormData) -> Pace:
    text = _text(form, "pace")
    return Pace(text) if text in list(Pace) else Pace.NORMAL


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value if isinstance(value, str) else ""


def _number(text: str) -> int | None:
    return number(text, 10**6)


routes: list[BaseRoute] = [
    Route("/play", play, methods=["POST"]),
    Route("/tables", create, methods=["POST"]),
    Route("/table/{table}/act", act, methods=["POST"]),
    Route("/table/{table}/join", join, methods=["POST"]),
    Route("/table/{table}/start", start, methods=["POST"]),
    Route("/table/{table}/leave", leave, methods=["POST"]),
    Route("/table/{table}/replace", replace, methods=["POST"]),
    Route("/table/{table}/rematch", rematch, methods=["POST"]),
    Route("/language", language, methods=["POST"]),
    Route("/me", rename, methods=["POST"]),
    Route("/me/link", personal_link, methods=["POST"]),
    Route("/me/forget", forget, methods=["POST"]),
    Route("/pass/{token}", arrive, methods=["GET"]),
    Route("/pass/{token}", redeem, methods=["POST"]),
]
"""The routes of the forms."""
