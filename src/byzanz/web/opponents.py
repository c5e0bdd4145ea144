"""The opponents that the lobby proposes to a guest, based on the results of their games."""

from __future__ import annotations

from collections.abc import Sequence

from byzanz.bots import LEVELS
from byzanz.coach.level import Outcome, mixed_table, suggest_level
from byzanz.tables import GameResult, Listing, TableService

MIXED = "mixed"
"""The choice of a mixed table: three opponents near the guest's level."""

COUNTED_GAMES = 20
"""The number of recent games from which a guest's level is estimated."""


async def outcomes(service: TableService, guest: str | None) -> list[Outcome]:
    """Return the outcomes of the guest's last finished games without undos and hints."""
    if guest is None:
        return []
    last = (await service.history.games(guest))[:COUNTED_GAMES]
    fair = [result for result in last if not (result.undone or result.hints)]
    tables = await service.history.listings(guest, fair)
    return [_outcome(each, tables[each.table]) for each in fair if each.table in tables]


def proposed_bot(service: TableService, played: Sequence[Outcome]) -> str:
    """Return the guest's level if the server offers it, otherwise the server's first bot."""
    level = suggest_level(played)
    return level if level in service.bots else service.bots[0]


async def chosen_bots(
    service: TableService, guest: str | None, choice: str, seats: int
) -> tuple[str, ...]:
    """Return the bots for the seats: copies of the chosen or proposed bot, or a mixed table."""
    if choice and choice != MIXED:
        return (choice,) * seats
    proposed = proposed_bot(service, await outcomes(service, guest))
    return mixed_bots(service, proposed, seats) if choice == MIXED else (proposed,) * seats


def mixed_bots(service: TableService, proposed: str, seats: int) -> tuple[str, ...]:
    """Return levels near the proposed one, or copies of it if the server lacks some levels."""
    if set(LEVELS) <= set(service.bots):
        return mixed_table(proposed, seats)
    return (proposed,) * seats


def _outcome(result: GameResult, listing: Listing) -> Outcome:
    """Return the outcome of a finished game; people among the opponents have no name here."""
    others = [sitter for sitter in listing.sitters if sitter.seat != result.seat]
    return Outcome(tuple([sitter.bot or "" for sitter in others]), result.share)
