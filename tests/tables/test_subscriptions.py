"""Subscriptions, presence and the cache of live tables."""

from __future__ import annotations

import asyncio

from byzanz.rules import Pass
from byzanz.tables import Host, NewTable, Open, Stage

from .services import Clock, act, chosen, limits, open_service, play_out, seated


async def test_a_slow_reader_skips_to_the_newest(sqlite_url: str) -> None:
    async with open_service(sqlite_url, limits=limits(max_queued_views=4)) as service:
        table, guests = await seated(service, people=3)
        async with service.subscribe(table) as table_views:
            first = await anext(table_views)
            await play_out(service, table, guests, most=12)
            second = await anext(table_views)
            assert second.skipped
            assert second.version > first.version + 4
            newest = (await service.look(table)).version
            versions = [second.version]
            while versions[-1] < newest:
                versions.append((await anext(table_views)).version)
            assert versions == list(range(versions[0], newest + 1))


async def test_subscribers_are_present_and_stay_so_for_a_moment(sqlite_url: str) -> None:
    async with open_service(sqlite_url, limits=limits(disconnect_grace_seconds=0.1)) as service:
        table, guests = await seated(service, people=3)
        async with service.subscribe(table, guests[1]) as table_views:
            assert (await anext(table_views)).present == (False, True, False)
            async with service.subscribe(table, guests[2]):
                assert (await anext(table_views)).present == (False, True, True)
            async with service.subscribe(table, guests[2]):  # like a reloaded page
                assert (await service.look(table)).present == (False, True, True)
            gone = await anext(table_views)
            assert gone.present == (False, True, False)
            assert gone.version == (await service.look(table)).version
            async with service.subscribe(table), service.subscribe(table, "stranger"):
                assert (await service.look(table)).present == (False, True, False)


async def test_somebody_who_watched_before_joining_is_no_longer_counted(sqlite_url: str) -> None:
    async with open_service(sqlite_url, limits=limits(disconnect_grace_seconds=60)) as service:
        host = (await service.guests.create(None, "en")).id
        table = await service.create(host, NewTable((Host(), Open(), Open())))
        async with service.subscribe(table, host) as table_views:
            async with service.subscribe(table) as unnamed:  # a visitor who has no name yet
                assert (await anext(unnamed)).seat is None
            for number in range(2):
                await service.join(table, (await service.guests.create(f"Ann{number}", "en")).id)
            started = await service.look(table, host)
            assert (started.stage, started.watching) == (Stage.PLAYING, 0)
            assert (await anext(table_views)).seat == 0


async def test_a_subscription_ends_when_the_table_expires_or_the_service_closes(
    sqlite_url: str,
) -> None:
    clock = Clock()
    seen: list[Stage] = []

    async def read_all() -> None:
        async with service.subscribe(table) as table_views:
            seen.extend([table_view.stage async for table_view in table_views])

    async with open_service(sqlite_url, clock) as service:
        host = (await service.guests.create(None, "en")).id
        table = await service.create(host, NewTable((Host(), Open(), Open())))
        reader = asyncio.create_task(read_all())
        await asyncio.sleep(0.05)
        clock.now += 2 * 24 * 3600
        await service.maintenance.clean_up()
        await asyncio.wait_for(reader, 5)
        assert seen == [Stage.OPEN, Stage.EXPIRED]
        table, _ = await seated(service, people=3)
        reader = asyncio.create_task(read_all())
        await asyncio.sleep(0.05)
    await asyncio.wait_for(reader, 5)


async def test_spectators_share_one_view(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, guests = await seated(service, people=3)
        async with service.subscribe(table) as one, service.subscribe(table, "stranger") as other:
            assert await anext(one) is await anext(other)
            await act(service, table, guests[0], chosen(await service.look(table, guests[0])), "a")
            assert await anext(one) is await anext(other)
            assert await service.look(table) is await service.look(table, "stranger")


async def test_unused_tables_are_removed_from_memory_and_loaded_again(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock) as service:
        played = []
        for _ in range(4):
            table, guests = await seated(service, people=3)
            await service.act(table, guests[0], Pass(), decision=0, key="a")
            played.append(table)
        before = await service.look(played[0])
        async with service.subscribe(played[1]):
            clock.now += 61
            service.maintenance.evict()
            assert service.figures["tables"] == 1
        assert await service.look(played[0]) == before
        clock.now += 61
        service.maintenance.evict()
        assert (service.figures["tables"], service.figures["watches"]) == (0, 0)


async def test_the_cache_keeps_tables_in_use_and_some_others(sqlite_url: str) -> None:
    async with open_service(sqlite_url, limits=limits(table_cache_size=2)) as service:
        tables = [(await seated(service, people=3))[0] for _ in range(5)]
        async with service.subscribe(tables[0]):
            service.maintenance.evict()
            assert service.figures["tables"] == 2
            assert (await service.look(tables[0])).number == 0
