"""The opponents that the lobby proposes to a guest, based on the results of their games."""

from __future__ import annotations

from collections.abc import Sequence

from byzanz.bots import LEVELS
from byzanz.coach.level import Outcome, mixed_table, suggest_level
from byzanz.tables import Listing, Stage, TableService

MIXED = "mixed"
"""The choice of a mixed table: three opponents near the guest's level."""

COUNTED_GAMES = 20
"""The number of recent games from which a guest's level is estimated."""


async def outcomes(service: TableService, mine: Sequence[Listing]) -> list[Outcome]:
    """Return the outcomes of the guest's last finished games without undos and hints."""
    finished = [each for each in mine if each.stage is Stage.FINISHED and each.seat is not None]
    last = finished[:COUNTED_GAMES]
    views = [await service.look(each.table, None) for each in last]
    fair = [each for each, view in zip(last, views, strict=True) if not (view.undone or view.hints)]
    return [await _outcome(service, each) for each in fair]


def proposed_bot(service: TableService, played: Sequence[Outcome]) -> str:
    """Return the guest's level if the server offers it, otherwise the server's first bot."""
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
    """Return levels near the proposed one, or copies of it if the server lacks some levels."""
    if set(LEVELS) <= set(service.bots):
        return mixed_table(proposed, seats)
    return (proposed,) * seats


async def _outcome(service: TableService, listing: Listing) -> Outcome:
    """Return the outcome of a finished game, with an empty name for each human opponent."""
    winners = (await service.result(listing.table)).winners
    others = [sitter for sitter in listing.sitters if sitter.seat != listing.seat]
    share = 1 / len(winners) if listing.seat in winners else 0.0
    return Outcome(tuple([sitter.bot or "" for sitter in others]), share)
