"""Forms that moderate a table: its password, and the vote to end an abandoned game."""

from __future__ import annotations

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.locale import load_translations
from byzanz.messages import explain_table
from byzanz.tables import Declined, TableReason, TableService
from byzanz.tables.model.passwords import LONGEST_PASSWORD

from .form_fields import signed_in, text_of, to_table
from .forms import run_named
from .refusals import is_plain
from .rendering import get_renderer

PASSWORD_REASONS = frozenset(
    {TableReason.PASSWORD_NEEDED, TableReason.WRONG_PASSWORD, TableReason.TOO_MANY_TRIES}
)
"""The refusals that are shown with a form for the password."""


async def enter(request: Request) -> Response:
    """Check the password of a table, and redirect to the table."""
    form = await request.form()
    table: str = request.path_params["table"]
    password = text_of(form, "password")
    await run_named(request, form, lambda service, guest: service.admit(table, guest, password))
    return to_table(table)


async def vote(request: Request) -> Response:
    """Vote to end an abandoned game, or withdraw the vote.

    The page's script asks for plain text and gets the new version of the table.
    """
    guest, form = signed_in(request), await request.form()
    table: str = request.path_params["table"]
    wants = text_of(form, "wants") != "no"
    service: TableService = request.app.state.service
    await service.vote_to_end(table, guest.id, wants=wants)
    if is_plain(request):
        return PlainTextResponse(str((await service.look(table, guest.id)).version))
    return to_table(table)


def password_page(connection: HTTPConnection, declined: Declined, status: int) -> Response:
    """Return the page that asks for the password of a table."""
    language: str = connection.state.language
    message = ""
    if declined.reason is not TableReason.PASSWORD_NEEDED:
        translations = load_translations(language)
        message = explain_table(declined.reason, translations, declined.parameters)
    table: str = connection.path_params["table"]
    page = get_renderer(language).page(
        "password.html",
        path=f"/table/{table}",
        table=table,
        message=message,
        longest=LONGEST_PASSWORD,
    )
    return HTMLResponse(page, status)


routes: list[BaseRoute] = [
    Route("/table/{table}/password", enter, methods=["POST"]),
    Route("/table/{table}/vote", vote, methods=["POST"]),
]
"""The routes of these forms."""
