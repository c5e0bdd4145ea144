"""A sight of a table as JSON values."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import msgspec

from byzanz.notation import view_data
from byzanz.rules import Phase

if TYPE_CHECKING:
    from byzanz.rules import View
    from byzanz.tables import Listing, Sight


def sight_data(sight: Sight) -> dict[str, Any]:
    """Everything that the sight holds, as :class:`byzanz.web.api.schema.Sight` describes it."""
    result = sight.result
    return {
        "table": sight.table,
        "version": sight.version,
        "stage": sight.stage.value,
        "options": asdict(sight.options),
        "sitters": [asdict(sitter) for sitter in sight.sitters],
        "seat": sight.seat,
        "host": sight.is_host,
        "view": None if sight.view is None else _view(sight, sight.view),
        "number": sight.number,
        "decision": sight.decision,
        "sale": sight.sale,
        "waiting_for": sight.waiting_for,
        "deadline": sight.deadline,
        "result": result and {"profit": result.profit, "winners": result.winners},
        "created": sight.created,
        "follows": sight.follows,
        "followed_by": sight.followed_by,
        "skipped": sight.skipped,
    }


def _view(sight: Sight, view: View) -> dict[str, Any]:
    """The view, with null for what the table's options hide."""
    data = view_data(view, course=True)
    options = sight.options
    if view.phase is not Phase.OVER and not (options.memory_aid and options.open_profit):
        # Both are made from all that is known; from less they would be wrong.
        data |= {"position": None, "pool": None}
        if not options.memory_aid:
            data["gone"] = None
    for seat, seen in enumerate(data["seats"]):
        seen["sets_sold"] = sight.sets_sold[seat]
        if sight.profit[seat] is None:
            seen |= {"kept": None, "profit": None}
    return data


def replayed_data(view: View) -> dict[str, Any]:
    """A view of a finished game, of which nothing is hidden by options any more."""
    data = view_data(view, course=True)
    for seen in data["seats"]:
        seen["sets_sold"] = len(seen["kept"])
    return data


def sight_json(sight: Sight) -> str:
    """The sight as a text of JSON."""
    return msgspec.json.encode(sight_data(sight)).decode()


def listing_data(listing: Listing) -> dict[str, Any]:
    """A table of a list, as :class:`byzanz.web.api.schema.Listing` describes it."""
    return {
        "table": listing.table,
        "stage": listing.stage.value,
        "options": asdict(listing.options),
        "sitters": [asdict(sitter) for sitter in listing.sitters],
        "seat": listing.seat,
        "waiting_for": listing.waiting_for,
        "deadline": listing.deadline,
        "created": listing.created,
        "active": listing.active,
    }
