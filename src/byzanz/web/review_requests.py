"""Asking for a review, with a quota for each network address."""

from __future__ import annotations

from starlette.requests import Request

from byzanz.tables import Guest, ReviewStatus, TableService
from byzanz.tables.service.token_buckets import TokenBuckets

from .limits import client_address
from .refusals import WebReason, WebRefusal


async def request_review(request: Request, table: str, guest: Guest) -> ReviewStatus:
    """Ask for the review of a finished game; raises Declined or WebRefusal.

    Only a request that puts a game into the queue counts towards the quota of the address.
    """
    service: TableService = request.app.state.service
    buckets: TokenBuckets = request.app.state.review_buckets
    found = await service.reviews.status(table, guest.id)
    if found.state not in ("none", "failed"):
        return found
    wait = buckets.take(client_address(request)) if service.reviews.enabled else 0
    if wait:
        raise WebRefusal(WebReason.TOO_MANY_REQUESTS, {"retry-after": str(wait)})
    return await service.reviews.request(table, guest.id)
