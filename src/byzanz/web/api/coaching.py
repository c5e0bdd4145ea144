"""Operations of the coach at a table: a hint, and the odds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from byzanz.coach import Odds
from byzanz.locale import load_translations
from byzanz.messages import reason_text
from byzanz.notation import write_action
from byzanz.web.board import seat_names

from . import schema
from .operation import Call, Operation, at_table

if TYPE_CHECKING:
    from byzanz.coach.reasons import Reason


async def hint(call: Call) -> schema.Hinted:
    """Return a hint for the caller's decision."""
    found = await call.service.aids.hint(call.table, call.guest.id, call.body.decision)
    translations = load_translations(call.request.state.language)
    sitters = (await call.service.look(call.table, call.guest.id)).sitters
    names = seat_names(call.table, sitters, translations)

    def told(reasons: Iterable[Reason]) -> tuple[schema.HintReason, ...]:
        return tuple(
            schema.HintReason(
                each.code,
                each.supports,
                dict(each.parameters),
                reason_text(each.code, each.parameters, names, translations),
            )
            for each in reasons
        )

    evaluation = found.hint.evaluation
    return schema.Hinted(
        action=write_action(found.action),
        sure=found.hint.sure,
        win_probability=evaluation.best.win_probability,
        candidates=evaluation.candidates,
        reasons=told(found.reasons),
        against=told(found.against),
    )


async def odds(call: Call) -> Odds:
    """Return what the caller can work out about the unseen cards."""
    return await call.service.aids.odds(call.table, call.guest.id)


OPERATIONS = (
    Operation(
        "POST",
        at_table("/hint"),
        "hint",
        "Ask for a hint, if `may_hint` of the table view is true. It is counted.",
        hint,
        body=schema.AskingForHint,
        response=schema.Hinted,
        refuses=(403, 404, 409),
    ),
    Operation(
        "GET",
        at_table("/odds"),
        "odds",
        "Return what you can work out about the unseen cards, if `may_odds` is true.",
        odds,
        response=Odds,
        refuses=(403, 404, 409),
    ),
)
"""The operations of the coach."""
