"""The opponents that the lobby proposes to a guest, from the results of their games."""

from __future__ import annotations

from collections.abc import Sequence

from byzanz.bots import LEVELS
from byzanz.coach.level import Outcome, mixed_table, suggest_level
from byzanz.tables import Listing, Stage, TableService

MIXED = "mixed"
"""The choice of three opponents near the guest's level."""

COUNTED_GAMES = 20
"""The number of last games that the estimate of a guest's level counts."""


async def outcomes(service: TableService, mine: Sequence[Listing]) -> list[Outcome]:
    """Return the outcomes of the guest's last finished games.

    Games with decisions taken back, and games that were played on from another, do not count.
    """
    finished = [
        each
        for each in mine
        if each.stage is Stage.FINISHED and each.seat is not None and each.origin is None
    ]
    last = finished[:COUNTED_GAMES]
    fair = [each for each in last if not (await service.look(each.table, None)).undone]
    return [await _outcome(service, each) for each in fair]


def proposed_bot(service: TableService, played: Sequence[Outcome]) -> str:
    """Return the guest's level if the server offers it, otherwise its first bot."""
    level = suggest_level(played)
    return level if level in service.bots else service.bots[0]


async def chosen_bots(
    service: TableService, guest: str | None, choice: str, seats: int
) -> tuple[str, ...]:
    """Return the bots for the seats: copies of the chosen one, or a mixed table."""
    if choice and choice != MIXED:
        return (choice,) * seats
    mine = () if guest is None else await service.tables_of(guest)
    proposed = proposed_bot(service, await outcomes(service, mine))
    return mixed_bots(service, proposed, seats) if choice == MIXED else (proposed,) * seats


def mixed_bots(service: TableService, proposed: str, seats: int) -> tuple[str, ...]:
    """Return different levels near the proposed one, or copies of it without all the levels."""
    if set(LEVELS) <= set(service.bots):
        return mixed_table(proposed, seats)
    return (proposed,) * seats


async def _outcome(service: TableService, listing: Listing) -> Outcome:
    """Return the outcome of a finished game; people among the opponents have no name here."""
    winners = (await service.result(listing.table)).winners
    others = [sitter for sitter in listing.sitters if sitter.seat != listing.seat]
    share = 1 / len(winners) if listing.seat in winners else 0.0
    return Outcome(tuple([sitter.bot or "" for sitter in others]), share)
