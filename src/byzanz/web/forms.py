"""What the pages' forms do: each is a command to the house, and then a page again."""

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
    House,
    NewTable,
    Open,
    Pace,
    SeatPlan,
    TableOptions,
    TableReason,
)

from .errors import WebReason, WebRefusal, is_plain
from .identity import LANGUAGE_COOKIE, adopt, dismiss, disown, ensure_guest
from .pages import number, show_lobby, words_of
from .rendering import error_page

_T = TypeVar("_T")

_SEATS_AGAINST = 3
"""How many bots one plays against at once."""


async def play(request: Request) -> Response:
    """A game against three bots has begun."""
    form = await request.form()
    plan = NewTable((Host(), *[BotSeat(_text(form, "bot"))] * _SEATS_AGAINST))
    return _to_table(await _named(request, form, lambda house, guest: house.create(guest, plan)))


async def create(request: Request) -> Response:
    """A table has been opened as its form says."""
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
    return _to_table(await _named(request, form, lambda house, guest: house.create(guest, plan)))


async def act(request: Request) -> Response:
    """The action has been played, or a sentence says why not.

    The page's script asks for plain text; without it the browser is led back to the table.
    """
    form = await request.form()
    guest = request.state.guest
    if guest is None:
        raise Declined(TableReason.NOT_YOUR_SEAT)
    table, words = request.path_params["table"], words_of(request).words
    plain = is_plain(request)
    try:
        action = _action(form)
    except Malformed as error:
        return _refused(request, explain(error, words), 400, plain=plain)
    answer = await request.app.state.house.act(
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
        text = explain(answer.refusal, words)
    else:
        text = explain_table(answer.code.value, words, answer.parameters)
    return _refused(request, text, 409, plain=plain)


async def join(request: Request) -> Response:
    """The guest sits at the table."""
    form = await request.form()
    table: str = request.path_params["table"]
    seat = _number(_text(form, "seat"))
    await _named(request, form, lambda house, guest: house.join(table, guest, seat))
    return _to_table(table)


async def start(request: Request) -> Response:
    """The host has started the game, bots in the free seats."""
    guest = _known(request)
    return await _commanded(request, lambda house, table: house.start(table, guest.id))


async def leave(request: Request) -> Response:
    """The guest has left for good, and a bot has the seat."""
    guest = _known(request)
    await request.app.state.house.leave(request.path_params["table"], guest.id)
    return RedirectResponse("/", 303)


async def replace(request: Request) -> Response:
    """A bot plays for somebody who is absent."""
    guest, form = _known(request), await request.form()
    seat = _number(_text(form, "seat"))
    if seat is None:
        raise Declined(TableReason.NOT_A_SEAT)
    return await _commanded(request, lambda house, table: house.replace(table, guest.id, seat))


async def rematch(request: Request) -> Response:
    """The same people sit at a new table, with a new deal or the same one, seats rotated."""
    guest, form = _known(request), await request.form()
    table = await request.app.state.house.rematch(
        request.path_params["table"], guest.id, rotated="rotated" in form
    )
    return _to_table(table)


async def language(request: Request) -> Response:
    """Everything speaks the chosen language from here on."""
    form = await request.form()
    chosen, guest = _text(form, "language"), request.state.guest
    if chosen not in LANGUAGES:
        raise WebRefusal(WebReason.BAD_REQUEST)
    if guest is not None:
        await request.app.state.house.rename(guest.id, guest.name, chosen)
    response = RedirectResponse(_back(_text(form, "back")), 303)
    response.set_cookie(LANGUAGE_COOKIE, chosen, max_age=365 * 86400, samesite="lax", httponly=True)
    return response


async def rename(request: Request) -> Response:
    """The guest has another name."""
    guest, form = _known(request), await request.form()
    await request.app.state.house.rename(guest.id, _text(form, "name"), guest.language)
    return RedirectResponse("/", 303)


async def personal_link(request: Request) -> Response:
    """A personal link is shown to the guest, once."""
    guest = _known(request)
    token = await request.app.state.house.pass_token(guest.id)
    return await show_lobby(request, str(request.url.replace(path=f"/pass/{token}", query="")))


async def arrive(request: Request) -> Response:
    """Who opens a personal link is asked first, so that a preview of it changes nothing."""
    speaking = words_of(request)
    text = speaking.page("pass.html", path="/", token=request.path_params["token"])
    return Response(text, media_type="text/html")


async def redeem(request: Request) -> Response:
    """This device is the personal link's guest."""
    guest = await request.app.state.house.redeem(request.path_params["token"])
    adopt(request, guest)
    return RedirectResponse("/", 303)


async def forget(request: Request) -> Response:
    """The guest is forgotten."""
    guest = _known(request)
    await request.app.state.house.forget(guest.id)
    dismiss(request)
    return RedirectResponse("/", 303)


def _own_key(form: FormData, action: Action) -> str:
    """The key of a form sent without a script: the same answer twice is one, another is another."""
    said = " ".join([_text(form, "decision"), _text(form, "sale"), write_action(action)])
    return f"form {sha256(said.encode()).hexdigest()[:32]}"


def _action(form: FormData) -> Action:
    """The action that the form's button and choices say; raises Malformed."""
    does, cards = (
        _text(form, "do"),
        [text for text in form.getlist("card") if isinstance(text, str)],
    )
    match does:
        case "bid" | "sell" | "discard":
            chosen = cards
        case "give" | "take":
            chosen = [_text(form, does)]
        case _:
            chosen = []
    return parse_action(" ".join([does, *filter(None, chosen)]))


async def _named(
    request: Request, form: FormData, command: Callable[[House, str], Awaitable[_T]]
) -> _T:
    """What the command of the request's guest gives; then they have the name that the form says.

    The name is judged first and taken last, so that what is declined changes nothing.
    """
    house: House = request.app.state.house
    name = _text(form, "name").strip()
    if name:
        house.check_name(name)
    known = request.state.guest is not None
    guest = await ensure_guest(request, name or None)
    try:
        done = await command(house, guest.id)
    except Declined:
        if not known:
            await house.forget(guest.id)
            disown(request)
        raise
    if name and guest.name != name:
        adopt(request, await house.rename(guest.id, name, guest.language))
    return done


def _known(request: Request) -> Guest:
    guest: Guest | None = request.state.guest
    if guest is None:
        raise WebRefusal(WebReason.NO_IDENTITY)
    return guest


async def _commanded(request: Request, command: Callable[..., Awaitable[object]]) -> Response:
    """The command has been given to the house, and the table is shown again."""
    table: str = request.path_params["table"]
    await command(request.app.state.house, table)
    return _to_table(table)


def _refused(request: Request, text: str, status: int, *, plain: bool) -> Response:
    if plain:
        return PlainTextResponse(text, status)
    page = error_page(request.state.language, status, text)
    return Response(page, status, media_type="text/html")


def _to_table(table: str) -> Response:
    return RedirectResponse(f"/table/{table}", 303)


def _back(path: str) -> str:
    """A path of this site and no other."""
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
"""What forms are sent to."""
