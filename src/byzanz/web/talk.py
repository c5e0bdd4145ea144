"""The handlers of the forms with which people talk at a table."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from byzanz.tables import Phrase, TableService

from .form_fields import signed_in, text_of, to_table
from .refusals import WebReason, WebRefusal, is_plain


async def say(request: Request) -> Response:
    """Say something at the table."""
    service: TableService = request.app.state.service
    guest, form = signed_in(request), await request.form()
    table, phrase = request.path_params["table"], text_of(form, "phrase")
    if phrase not in set(Phrase):
        raise WebRefusal(WebReason.BAD_REQUEST)
    await service.talk.say(table, guest.id, Phrase(phrase))
    return _done(request)


async def switch(request: Request) -> Response:
    """Switch talk on or off, as the host."""
    service: TableService = request.app.state.service
    guest, form = signed_in(request), await request.form()
    on = text_of(form, "talk") == "on"
    await service.talk.switch(request.path_params["table"], guest.id, on=on)
    return _done(request)


def _done(request: Request) -> Response:
    """Return an empty response for the page's script, and otherwise a redirect to the table."""
    return (
        Response(status_code=204) if is_plain(request) else to_table(request.path_params["table"])
    )


routes: list[BaseRoute] = [
    Route("/table/{table}/say", say, methods=["POST"]),
    Route("/table/{table}/talk", switch, methods=["POST"]),
]
"""The routes of the forms."""
