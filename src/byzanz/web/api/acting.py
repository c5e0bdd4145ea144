"""Operations of a player in a game: act, take back, prepare, automate."""

from __future__ import annotations

from msgspec import UNSET
from starlette.responses import Response

from byzanz.notation import parse_action
from byzanz.tables import (
    BY_HAND,
    Accepted,
    Answer,
    Automatic,
    Declined,
    TableReason,
    TableView,
)

from . import schema
from .operation import Call, Operation, at_table
from .responses import Json, refusal_answer


async def act(call: Call) -> Response:
    """Play the caller's action, or refuse it."""
    body: schema.Acting = call.body
    answer = await call.service.act(
        call.table,
        call.guest.id,
        parse_action(body.action),
        decision=body.decision,
        sale=body.sale,
        key=body.key,
    )
    return _response(call, answer)


async def undo(call: Call) -> Response:
    """Take back the caller's last decision, or refuse to."""
    body: schema.Undoing = call.body
    return _response(call, await call.service.undo(call.table, call.guest.id, body.undo, body.key))


async def prepare(call: Call) -> TableView:
    """Store a bid, pass or take, which is played when the caller's turn comes if it still fits."""
    await call.service.prepare(call.table, call.guest.id, call.body.answer)
    return await call.service.look(call.table, call.guest.id)


async def cancel(call: Call) -> TableView:
    """Delete the action that the caller prepared."""
    await call.service.cancel(call.table, call.guest.id)
    return await call.service.look(call.table, call.guest.id)


async def automate(call: Call) -> TableView:
    """Change which actions the service plays for the caller automatically."""
    body: schema.AutomaticChange = call.body
    before = (await call.service.look(call.table, call.guest.id)).automatic or BY_HAND
    chosen = Automatic(
        before.take_last if body.take_last is UNSET else body.take_last,
        before.pass_beaten if body.pass_beaten is UNSET else body.pass_beaten,
    )
    await call.service.automate(call.table, call.guest.id, chosen)
    return await call.service.look(call.table, call.guest.id)


def _response(call: Call, answer: Answer) -> Response:
    if isinstance(answer, Accepted):
        return Json(schema.Acted(answer.version, answer.table_view))
    if answer.refusal is not None:
        return refusal_answer(call.request, answer.refusal, answer.table_view)
    declined = Declined(TableReason(answer.code.value), **answer.parameters)
    return refusal_answer(call.request, declined, answer.table_view)


OPERATIONS = (
    Operation(
        "POST",
        at_table("/actions"),
        "act",
        "Play an action. It is stored before the response is sent.",
        act,
        body=schema.Acting,
        response=schema.Acted,
        refuses=(403, 404, 409),
    ),
    Operation(
        "POST",
        at_table("/undo"),
        "undo",
        "Take back your last decision, if `undo` of the table view is not null.",
        undo,
        body=schema.Undoing,
        response=schema.Acted,
        refuses=(403, 404, 409),
    ),
    Operation(
        "PUT",
        at_table("/prepared"),
        "prepare",
        "Prepare an answer, which is played when your turn comes. It replaces an earlier one.",
        prepare,
        body=schema.Preparing,
        response=TableView,
        refuses=(403, 404, 409),
    ),
    Operation(
        "DELETE",
        at_table("/prepared"),
        "cancel",
        "Drop your prepared answer, and the notice that one was dropped.",
        cancel,
        response=TableView,
        refuses=(403, 404, 409),
    ),
    Operation(
        "PATCH",
        at_table("/automatic"),
        "automate",
        "Change which actions the server plays for you automatically.",
        automate,
        body=schema.AutomaticChange,
        response=TableView,
        refuses=(403, 404, 409),
    ),
)
"""The operations of a player in a game."""
