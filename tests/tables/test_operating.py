"""The operator finds guests and tables and bans, in either database, beside a running service."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from byzanz.cli import main
from byzanz.tables import (
    SYSTEM,
    Ban,
    GuestFilter,
    NotOperated,
    Stage,
    TableFilter,
    ban,
    find_guests,
    find_tables,
    list_bans,
    unban,
)
from byzanz.tables.model.bans import BanIndex

from .databases import sqlite
from .services import limits, open_service, seated


async def test_guests_are_found_and_banned_beside_a_running_service(url: str) -> None:
    async with open_service(url, limits=limits(ban_check_seconds=0.05)) as service:
        table, (ann, ben) = await seated(service, people=2, bots=1)
        service.note_address(ann, "192.0.2.1")
        await service.pseudonyms.save()
        address = service.pseudonyms.of("192.0.2.1")

        async def guests(**wanted: object) -> list[str]:
            found = await asyncio.to_thread(find_guests, url, GuestFilter(**wanted))  # type: ignore[arg-type]
            return sorted(row.guest for row in found)

        assert await guests() == sorted([ann, ben])
        assert await guests(name="guest 1", least_tables=1) == [ben]
        assert await guests(address=address) == [ann]
        assert await guests(least_tables=2) == []
        assert await guests(created_before=0.0) == []
        (row,) = await asyncio.to_thread(find_tables, url, TableFilter(guest=ben, least_people=2))
        assert (row.table, row.stage, row.bots, row.locked) == (table, Stage.PLAYING, 1, False)

        made = await asyncio.to_thread(ban, url, ben, "spam", 3600.0)
        found = await asyncio.wait_for(service.bans.wait_for(ben, "192.0.2.7", ""), 20)
        assert (found.id, found.reason) == (made.id, "spam")
        assert service.bans.find(ann, "192.0.2.7", "") is None
        assert [each.id for each in await asyncio.to_thread(list_bans, url)] == [made.id]
        await asyncio.to_thread(unban, url, made.id)
        with pytest.raises(NotOperated):
            await asyncio.to_thread(unban, url, made.id)
        await service.bans.load()
        assert service.bans.find(ben, "192.0.2.7", "") is None


@pytest.mark.parametrize(
    ("address", "banned"),
    [
        ("192.0.2.9", True),
        ("192.0.3.9", False),
        ("::ffff:192.0.2.9", True),
        ("2001:db8:1::5", True),
        ("2001:db9::5", False),
        ("not an address", False),
        ("", False),
    ],
)
def test_a_range_holds_its_addresses_and_no_others(address: str, banned: bool) -> None:
    ranges = ("192.0.2.0/24", "2001:db8::/32")
    bans = BanIndex(tuple(Ban(id=each, network=each, created=0) for each in ranges))
    assert (bans.find(None, address, "", 1) is not None) == banned


def test_a_ban_ends_and_the_longest_one_is_told() -> None:
    short = Ban(id="a", guest="ann", created=0, expires=10)
    long = Ban(id="b", network="192.0.2.1/32", created=0, expires=20)
    bans = BanIndex((short, long))
    told = [bans.find("ann", "192.0.2.1", "", now) for now in (5, 15, 20)]
    assert told == [long, long, None]
    assert bans.find("ann", "192.0.2.2", "", 15) is None


def test_no_new_id_begins_like_an_option() -> None:
    assert not [made for made in (SYSTEM.ids() for _ in range(1_000)) if made.startswith("-")]


def test_commands_accept_an_old_id_that_begins_like_an_option(tmp_path: Path) -> None:
    async def created() -> str:
        async with open_service(sqlite(tmp_path), prefix="-old") as service:
            return (await service.guests.create("Eve", "en")).id

    guest = asyncio.run(created())
    assert guest.startswith("-")
    where = ("--data", str(tmp_path))
    assert main(["data", "ban", *where, "--days", "2", "--", guest]) == 0
    assert main(["data", "unban", *where, "--", guest]) == 0
    assert main(["data", "tables", *where, f"--guest={guest}"]) == 0
    assert main(["data", "forget", *where, "--", guest]) == 0
    assert main(["data", "forget", *where, "--", guest]) == 2
