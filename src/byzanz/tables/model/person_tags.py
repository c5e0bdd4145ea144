"""Tags by which a player recognises people at other tables, for example to mute them."""

from __future__ import annotations

from hashlib import sha256

from .table import Table

_DIGITS = 12


def person_tags(table: Table, seat: int | None) -> tuple[str | None, ...]:
    """Return for each seat a tag of its person; None for bots, open seats and the viewer.

    Spectators get no tags. A person has the same tag at every table, under every name. Each viewer
    sees different tags, so two viewers cannot compare them. Nobody can guess a guest's id, so a tag
    does not reveal it.
    """
    viewer = None if seat is None else table.chairs[seat].guest
    if viewer is None:
        return ()
    return tuple(
        None if chair.guest in (None, viewer) else _tag(viewer, chair.guest)
        for chair in table.chairs
    )


def _tag(viewer: str, guest: str | None) -> str:
    return sha256(f"person {viewer} {guest}".encode()).hexdigest()[:_DIGITS]
