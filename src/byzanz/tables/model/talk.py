"""Talk at a table. What is said is shown there, and is not part of the game's record."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from .play import seat_of
from .refusals import Declined, TableReason
from .sayings import Phrase, Saying
from .table import Stage, Table

KEPT = 30
"""The number of sayings that a table keeps."""
_BURST, _SECONDS = 3, 12.0
"""A person can say at most this many things within this many seconds."""


def say(table: Table, guest: str, phrase: Phrase, now: float) -> Table:
    """Say something at the table; raises Declined if talk is off or the guest speaks too often.

    This does not count as use of the table, and changes nothing else.
    """
    seat = seat_of(table, guest)
    _check(table)
    if not table.options.talk:
        raise Declined(TableReason.TALK_IS_OFF)
    recent = [each for each in table.said if each.seat == seat and each.at > now - _SECONDS]
    if len(recent) >= _BURST:
        raise Declined(TableReason.TALKING_TOO_MUCH)
    number = table.said[-1].number + 1 if table.said else 0
    said = (*table.said, Saying(number, now, seat, phrase))[-KEPT:]
    return replace(table, version=table.version + 1, said=said)


def switch_talk(table: Table, guest: str, *, on: bool) -> Table:
    """Switch talk on or off, as the host. Switching it off deletes what was said."""
    if table.host != guest:
        raise Declined(TableReason.NOT_HOST)
    _check(table)
    if table.options.talk == on:
        return table
    options = msgspec.structs.replace(table.options, talk=on)
    return replace(table, version=table.version + 1, options=options, said=())


def _check(table: Table) -> None:
    if table.stage is Stage.EXPIRED:
        raise Declined(TableReason.EXPIRED)
