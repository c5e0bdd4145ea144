"""What is kept of finished games: compressed logs, for a limited time and in limited numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select

from byzanz.tables import (
    BotSeat,
    Declined,
    Host,
    NewTable,
    Open,
    TableReason,
    TableService,
    backup,
    restore,
)
from byzanz.tables.storage import schema
from byzanz.tables.storage.archive import logged, read_archive, write_archive

from .services import Clock, limits, open_service, play_out, seated


async def finished(service: TableService, people: int = 1, bots: int = 2) -> tuple[str, list[str]]:
    """Return a finished table and its guests."""
    table, guests = await seated(service, people, bots)
    await play_out(service, table, guests)
    return table, guests


def stored(connection: Connection, table: str) -> tuple[int, int]:
    """Return the number of a table's log entries, and the length of its archive."""
    t, lines = schema.tables, schema.log
    count = select(func.count()).select_from(lines).where(lines.c.table_id == table)
    archive = connection.scalar(select(t.c.archive).where(t.c.id == table))
    return connection.scalar(count) or 0, len(archive or "")


async def test_a_finished_game_is_archived_and_replays_as_before(url: str, tmp_path: Path) -> None:
    async with open_service(url) as service:
        table, guests = await finished(service, people=3, bots=0)
        playing, _ = await seated(service, people=3)
        record, game = await service.record(table), await service.replay(table)
        entries, _ = await service.store.run(lambda c: stored(c, table))
        await service.maintenance.clean_up()
        rows, length = await service.store.run(lambda c: stored(c, table))
        assert rows == 0
        assert 0 < length < 20 * entries, "a row takes more than 100 bytes"
        assert await service.store.run(lambda c: stored(c, playing)) == (0, 0)
        backup(url, tmp_path / "backup")
    restore(tmp_path / "backup", f"sqlite:///{tmp_path}/other.db")
    for where in (url, f"sqlite:///{tmp_path}/other.db"):
        async with open_service(where, prefix="later", seed=99) as service:
            assert await service.record(table) == record
            assert await service.replay(table) == game
            again = await service.rematch(table, guests[0])
            assert (await service.look(table)).followed_by == again
            await service.guests.forget(guests[1])
            assert (await service.look(table)).sitters[1].name is None


async def test_an_archive_holds_every_entry(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, _ = await finished(service)
        log = await service.store.run(lambda c: list(logged(c, table)))
    assert len(log) > 50
    assert list(read_archive(write_archive(log))) == log
    assert list(read_archive(write_archive([]))) == []


async def test_the_newest_games_of_a_guest_are_kept(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock, limits=limits(finished_tables_per_guest=2)) as service:
        shared, (ann, _) = await finished(service, people=2, bots=1)
        own, plan = [], NewTable((Host(), BotSeat("greedy"), BotSeat("greedy")))
        for _ in range(3):
            clock.now += 10
            own.append(await service.create(ann, plan))
            await play_out(service, own[-1], [ann])
        await service.maintenance.clean_up()
        with pytest.raises(Declined) as declined:
            await service.look(own[0])
        assert declined.value.reason is TableReason.NO_SUCH_TABLE
        for kept in (shared, *own[1:]):  # the other player still has the first one
            await service.look(kept)


async def test_too_many_games_in_an_hour_are_refused(sqlite_url: str) -> None:
    clock = Clock()
    few = limits(games_per_hour_per_guest=3, games_per_hour_per_address=4)
    async with open_service(sqlite_url, clock, limits=few, automatic=False) as service:
        guests = [(await service.guests.create(None, "en")).id for _ in range(3)]
        for guest in guests[:2]:
            service.note_address(guest, "192.0.2.1")
        plan = NewTable((Host(), Open(), Open()))

        async def start(guest: str) -> bool:
            try:
                await service.create(guest, plan)
            except Declined as declined:
                return declined.reason is not TableReason.TOO_MANY_GAMES
            return True

        assert [await start(guests[0]) for _ in range(4)] == [True, True, True, False]
        assert [await start(guests[1]) for _ in range(2)] == [True, False], "the same address"
        assert await start(guests[2]), "another address"
        clock.now += 3600
        assert await start(guests[0])


async def test_a_rematch_counts_as_a_game(sqlite_url: str) -> None:
    async with open_service(sqlite_url, limits=limits(games_per_hour_per_guest=2)) as service:
        table, guests = await finished(service)
        again = await service.rematch(table, guests[0])
        assert await service.rematch(table, guests[0]) == again, "it is found, not created"
        await play_out(service, again, guests)
        with pytest.raises(Declined) as declined:
            await service.rematch(again, guests[0])
        assert declined.value.reason is TableReason.TOO_MANY_GAMES
