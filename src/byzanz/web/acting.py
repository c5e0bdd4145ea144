"""Handlers of the forms that a player in a game sends: act, take back, prepare, automate."""

from __future__ import annotations

from hashlib import sha256

import msgspec
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.messages import explain, explain_table
from byzanz.notation import Malformed, parse_action, parse_card, write_action
from byzanz.rules import Action, worth
from byzanz.tables import (
    Accepted,
    Answer,
    Automatic,
    Declined,
    Guest,
    Prepared,
    TableReason,
    TableService,
)

from .form_fields import number_of, text_of, to_table
from .pages import renderer_for
from .refusals import WebReason, WebRefusal, is_plain
from .rendering import error_page


async def act(request: Request) -> Response:
    """Play an action.

    The page's script asks for plain text and gets the new version or a sentence that says why
    the action was refused. Without the script, the browser is redirected to the table or gets an
    error page.
    """
    guest, form = _player(request), await request.form()
    try:
        action = _action(form)
    except Malformed as error:
        return _refused(request, explain(error, renderer_for(request).translations), 400)
    answer = await request.app.state.service.act(
        request.path_params["table"],
        guest.id,
        action,
        decision=number_of(text_of(form, "decision")),
        sale=number_of(text_of(form, "sale")),
        key=text_of(form, "key") or _own_key(form, action),
    )
    return _response(request, answer)


async def undo(request: Request) -> Response:
    """Take back the last decision."""
    guest, form = _player(request), await request.form()
    entry = number_of(text_of(form, "undo"))
    if entry is None:
        raise Declined(TableReason.NOTHING_TO_UNDO)
    key = text_of(form, "key") or f"form undo {entry}"
    table = request.path_params["table"]
    return _response(request, await request.app.state.service.undo(table, guest.id, entry, key))


async def prepare(request: Request) -> Response:
    """Prepare an answer, or cancel the one that is prepared."""
    guest, form = _player(request), await request.form()
    service: TableService = request.app.state.service
    table: str = request.path_params["table"]
    if text_of(form, "do") == "cancel":
        await service.cancel(table, guest.id)
    else:
        try:
            prepared = _prepared(form)
            await service.prepare(table, guest.id, prepared)
        except Malformed as error:
            return _refused(request, explain(error, renderer_for(request).translations), 400)
    return await _current(request, guest.id)


async def automate(request: Request) -> Response:
    """Change which actions the service plays for the player automatically."""
    guest, form = _player(request), await request.form()
    chosen = Automatic("take_last" in form, "pass_beaten" in form)
    await request.app.state.service.automate(request.path_params["table"], guest.id, chosen)
    return await _current(request, guest.id)


def _own_key(form: FormData, action: Action) -> str:
    """Return a request key for a form sent without a script; equal answers have equal keys."""
    answer = " ".join([text_of(form, "decision"), text_of(form, "sale"), write_action(action)])
    return f"form {sha256(answer.encode()).hexdigest()[:32]}"


def _prepared(form: FormData) -> Prepared:
    """Return the answer that the form prepares; raises WebRefusal or Malformed if it is invalid."""
    answer: dict[str, object] = {
        "type": text_of(form, "do").removeprefix("prepare-"),
        "round": number_of(text_of(form, "round")),
    }
    match answer["type"]:
        case "take":
            answer["kind"] = text_of(form, "take")
        case "pass" | "bid":
            answer["offer_card"] = number_of(text_of(form, "offer_card"))
    if answer["type"] == "bid":
        answer |= _bid(form)
    try:
        found: Prepared = msgspec.convert(answer, Prepared)
    except msgspec.ValidationError as error:
        raise WebRefusal(WebReason.BAD_REQUEST, detail=str(error)) from None
    return found


def _bid(form: FormData) -> dict[str, object]:
    """Return the selected cards, lowest first, and the limit; raises Malformed for invalid cards.

    If the form has no limit, it is the worth of the cards plus the bid so far.
    """
    texts = [text for text in form.getlist("card") if isinstance(text, str)]
    cards = sorted(map(parse_card, texts), key=lambda card: card.worth)
    total = (number_of(text_of(form, "own")) or 0) + worth(tuple(cards))
    return {
        "cards": list(map(str, cards)),
        "up_to": number_of(text_of(form, "up_to")) or total,
    }


def _action(form: FormData) -> Action:
    """Return the action that the form describes; raises Malformed if it is not one."""
    verb, cards = (
        text_of(form, "do"),
        [text for text in form.getlist("card") if isinstance(text, str)],
    )
    match verb:
        case "bid" | "sell" | "discard":
            chosen = cards
        case "give" | "take":
            chosen = [text_of(form, verb)]
        case _:
            chosen = []
    return parse_action(" ".join([verb, *filter(None, chosen)]))


def _player(request: Request) -> Guest:
    """Return the guest of the request; raises Declined if there is none."""
    guest: Guest | None = request.state.guest
    if guest is None:
        raise Declined(TableReason.NOT_YOUR_SEAT)
    return guest


def _response(request: Request, answer: Answer) -> Response:
    """Answer the page's script in plain text, and a form without it by a redirect or a page."""
    if isinstance(answer, Accepted):
        return _done(request, answer.version)
    translations = renderer_for(request).translations
    if answer.refusal is not None:
        return _refused(request, explain(answer.refusal, translations), 409)
    return _refused(request, explain_table(answer.code.value, translations, answer.parameters), 409)


async def _current(request: Request, guest: str) -> Response:
    """Answer a request that made a private change, which leaves the table's version as it is."""
    view = await request.app.state.service.look(request.path_params["table"], guest)
    return _done(request, view.version)


def _done(request: Request, version: int) -> Response:
    if is_plain(request):
        return PlainTextResponse(str(version))
    return to_table(request.path_params["table"])


def _refused(request: Request, text: str, status: int) -> Response:
    if is_plain(request):
        return PlainTextResponse(text, status)
    page = error_page(request.state.language, status, text)
    return Response(page, status, media_type="text/html")


routes: list[BaseRoute] = [
    Route("/table/{table}/act", act, methods=["POST"]),
    Route("/table/{table}/undo", undo, methods=["POST"]),
    Route("/table/{table}/prepare", prepare, methods=["POST"]),
    Route("/table/{table}/automatic", automate, methods=["POST"]),
]
"""The routes of the forms that a player in a game sends."""
