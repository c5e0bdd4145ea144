"""Operations after a game: its review, and continuing it from one of its moves."""

from __future__ import annotations

from byzanz.tables import ReviewStatus
from byzanz.web.review_requests import request_review

from . import schema
from .operation import Call, Operation, at_table


async def review(call: Call) -> ReviewStatus:
    """Return the progress of the review of a finished game, and the review once it is done."""
    return await call.service.reviews.status(call.table, call.viewer)


async def ask(call: Call) -> ReviewStatus:
    """Ask for the review of a finished game."""
    return await request_review(call.request, call.table, call.guest)


async def branch(call: Call) -> schema.Created:
    """Create a table at which the caller continues a finished game."""
    body: schema.Branching = call.body
    return schema.Created(
        await call.service.branch(
            call.table, call.guest.id, seat=body.seat, step=body.step, anew=body.anew
        )
    )


async def branches(call: Call) -> schema.Listings:
    """Return the tables at which a finished game was continued."""
    return schema.Listings(await call.service.branches_of(call.table, call.viewer))


OPERATIONS = (
    Operation(
        "GET",
        at_table("/review"),
        "review",
        "Return how far the review of a finished game is, and the review once it is done.",
        review,
        response=ReviewStatus,
        signed_in=False,
        refuses=(404, 409),
    ),
    Operation(
        "POST",
        at_table("/review"),
        "ask-review",
        "Ask for the review of a finished game. It is made once and kept.",
        ask,
        response=ReviewStatus,
        status=202,
        refuses=(404, 409, 429),
    ),
    Operation(
        "GET",
        at_table("/branches"),
        "branches",
        "List the tables at which a finished game was continued, newest first.",
        branches,
        response=schema.Listings,
        signed_in=False,
        refuses=(404, 409),
    ),
    Operation(
        "POST",
        at_table("/branches"),
        "branch",
        "Take over a seat of a finished game after a number of actions, and play on against bots.",
        branch,
        body=schema.Branching,
        response=schema.Created,
        status=201,
        refuses=(404, 409, 429),
    ),
)
"""The operations after a game."""
