"""Watching: in order, bounded, and let go of."""

from __future__ import annotations

import asyncio

from byzanz.rules import Pass
from byzanz.tables import Host, NewTable, Open, Stage

from .hosting import Clock, act, chosen, house, limits, play_out, seated


async def test_a_slow_reader_skips_to_the_newest(sqlite_url: str) -> None:
    async with house(sqlite_url, limits=limits(sights_waiting=4)) as home:
        table, guests = await seated(home, people=3)
        async with home.watch(table) as sights:
            first = await anext(sights)
            await play_out(home, table, guests, most=12)
            second = await anext(sights)
            assert second.skipped
            assert second.version > first.version + 4
            newest = (await home.look(table)).version
            versions = [second.version]
            while versions[-1] < newest:
                versions.append((await anext(sights)).version)
            assert versions == list(range(versions[0], newest + 1))


async def test_present_is_who_watches_and_a_moment_longer(sqlite_url: str) -> None:
    async with house(sqlite_url, limits=limits(grace_seconds=0.1)) as home:
        table, guests = await seated(home, people=3)
        async with home.watch(table, guests[1]) as sights:
            assert (await anext(sights)).present == (False, True, False)
            async with home.watch(table, guests[2]):
                assert (await anext(sights)).present == (False, True, True)
            async with home.watch(table, guests[2]):  # as who reloads a page
                assert (await home.look(table)).present == (False, True, True)
            gone = await anext(sights)
            assert gone.present == (False, True, False)
            assert gone.version == (await home.look(table)).version
            async with home.watch(table), home.watch(table, "stranger"):
                assert (await home.look(table)).present == (False, True, False)


async def test_a_watch_ends_when_the_house_closes_or_the_table_expires(sqlite_url: str) -> None:
    clock = Clock()
    seen: list[Stage] = []

    async def watching() -> None:
        async with home.watch(table) as sights:
            seen.extend([sight.stage async for sight in sights])

    async with house(sqlite_url, clock) as home:
        host = (await home.welcome(None, "en")).id
        table = await home.create(host, NewTable((Host(), Open(), Open())))
        watcher = asyncio.create_task(watching())
        await asyncio.sleep(0.05)
        clock.now += 2 * 24 * 3600
        await home.upkeep.sweep()
        await asyncio.wait_for(watcher, 5)
        assert seen == [Stage.OPEN, Stage.EXPIRED]
        table, _ = await seated(home, people=3)
        watcher = asyncio.create_task(watching())
        await asyncio.sleep(0.05)
    await asyncio.wait_for(watcher, 5)


async def test_spectators_share_one_sight(sqlite_url: str) -> None:
    async with house(sqlite_url) as home:
        table, guests = await seated(home, people=3)
        async with home.watch(table) as one, home.watch(table, "stranger") as other:
            assert await anext(one) is await anext(other)
            await act(home, table, guests[0], chosen(await home.look(table, guests[0])), "a")
            assert await anext(one) is await anext(other)
            assert await home.look(table) is await home.look(table, "stranger")


async def test_tables_that_nobody_uses_leave_the_memory_and_come_back(url: str) -> None:
    clock = Clock()
    async with house(url, clock) as home:
        played = []
        for _ in range(4):
            table, guests = await seated(home, people=3)
            await home.act(table, guests[0], Pass(), decision=0, key="a")
            played.append(table)
        before = await home.look(played[0])
        async with home.watch(played[1]):
            clock.now += 61
            await home.upkeep.tick()
            assert home.figures["tables"] == 1
        assert await home.look(played[0]) == before
        clock.now += 61
        await home.upkeep.tick()
        assert home.figures == {"tables": 0, "watches": 0}


async def test_memory_holds_so_many_tables_and_those_in_use(sqlite_url: str) -> None:
    async with house(sqlite_url, limits=limits(live_tables=2)) as home:
        tables = [(await seated(home, people=3))[0] for _ in range(5)]
        async with home.watch(tables[0]):
            await home.upkeep.tick()
            assert home.figures["tables"] == 2
            assert (await home.look(tables[0])).number == 0
