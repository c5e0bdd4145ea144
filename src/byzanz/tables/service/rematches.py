"""Functions that tell whether a later table plays the same deal, or a rematch has expired."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.table import Stage, Table

Load = Callable[[str], Awaitable[Table]]
"""Returns the table of this id; raises Declined if there is none."""


async def check_deal_is_over(load: Load, table: Table) -> None:
    """Raise Declined if a later table with the same deal is open or in play."""
    seen = {table.id}
    while table.followed_by is not None and table.followed_by not in seen:
        seen.add(table.followed_by)
        try:
            following = await load(table.followed_by)
        except Declined:  # it was deleted
            return
        if not _same_deal(table, following):
            return
        if following.stage in (Stage.OPEN, Stage.PLAYING):
            raise Declined(TableReason.SAME_DEAL_IN_PLAY)
        table = following


async def is_deal_over(load: Load, table: Table) -> bool:
    """Return whether no later table with the same deal is open or in play."""
    try:
        await check_deal_is_over(load, table)
    except Declined:
        return False
    return True


async def expired_rematch(load: Load, table: str) -> str | None:
    """Return the id of the table's rematch if it has expired or was deleted, otherwise None."""
    following = (await load(table)).followed_by
    if following is None:
        return None
    try:
        stage = (await load(following)).stage
    except Declined:
        return following
    return following if stage is Stage.EXPIRED else None


def _same_deal(table: Table, following: Table) -> bool:
    if following.game is None or table.game is None:
        return following.rotated
    return following.game.deal == table.game.deal
