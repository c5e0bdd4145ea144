"""The queue of the bots' decisions: no client can make all the others wait."""

from __future__ import annotations

import asyncio
from statistics import median
from time import monotonic, sleep

import pytest

from byzanz.bots import Bot, make_bot
from byzanz.bots.bot import StatelessBot
from byzanz.rules import Action, Chance, Pass, View
from byzanz.tables import Accepted, BotSeat, Host, NewTable, Stage, TableService
from byzanz.tables.service.bot_claims import BotClaims
from byzanz.tables.service.fair_queue import Claim, FairQueue, Rank
from byzanz.tables.service.subscriptions import LiveTable

from .services import Clock, act, bots_done, chosen, environment, limits, open_service, seated


async def order(queue: FairQueue, claims: list[Claim], *, quick: bool = False) -> list[str]:
    """Let the claims wait for a slot; return their tables in the order in which they get one."""
    served: list[str] = []

    async def ask(claim: Claim) -> None:
        async with queue.slot(claim, quick=quick):
            served.append(claim.table)
            await asyncio.sleep(0)

    await asyncio.gather(*map(ask, claims))
    return served


async def test_addresses_then_guests_then_tables_take_turns() -> None:
    claims = [
        Claim("a", "g", "a1"),
        Claim("a", "g", "a2"),
        Claim("a", "g", "a3"),
        Claim("a", "h", "a4"),
        Claim("b", "i", "b1"),
        Claim("b", "i", "b1"),
    ]
    assert await order(FairQueue(1), claims) == ["a1", "b1", "a4", "b1", "a2", "a3"]


async def test_a_newcomer_is_served_before_those_already_served() -> None:
    queue = FairQueue(1)
    async with queue.slot(Claim("a", "g", "a1"), quick=False):
        waiting = asyncio.create_task(
            order(queue, [Claim("a", "g", "a2"), Claim("a", "g", "a3"), Claim("b", "h", "b1")])
        )
        await asyncio.sleep(0.01)
        assert queue.waiting(Rank.ATTENDED) == 3
    assert await waiting == ["b1", "a2", "a3"]
    assert queue.waiting(Rank.ATTENDED) == 0


async def test_unattended_tables_come_last() -> None:
    claims = [Claim("a", "g", f"{rank}", rank) for rank in reversed(Rank)]
    queue = FairQueue(1)
    async with queue.slot(Claim(), quick=False):
        waiting = asyncio.create_task(order(queue, claims))
        await asyncio.sleep(0.01)
    assert await waiting == ["0", "1", "2"]


async def test_unattended_tables_leave_a_slot_and_quick_decisions_have_their_own() -> None:
    queue = FairQueue(2)
    last = Claim("a", "g", "t", Rank.UNATTENDED)
    async with queue.slot(last, quick=False):
        waiting = asyncio.create_task(order(queue, [last]))
        await asyncio.sleep(0.01)
        assert queue.waiting(Rank.UNATTENDED) == 1
        async with asyncio.timeout(1), queue.slot(Claim("b"), quick=False):
            assert await order(queue, [Claim("c", "h", "quick")], quick=True) == ["quick"]
    assert await waiting == ["t"]


async def test_a_waiter_that_is_cancelled_keeps_no_slot() -> None:
    queue = FairQueue(1)
    async with queue.slot(Claim(), quick=False):
        tasks = [asyncio.create_task(order(queue, [Claim("a")])) for _ in range(3)]
        await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    tasks = [asyncio.create_task(order(queue, [Claim("a")])) for _ in range(2)]
    await asyncio.sleep(0)
    tasks[0].cancel()  # it may have its slot already
    async with asyncio.timeout(1):
        assert await tasks[1] == [""]
        assert await order(queue, [Claim("b", "g", "later")]) == ["later"]


async def test_a_host_over_budget_waits_for_the_others(sqlite_url: str) -> None:
    clock = Clock()
    settings = limits(
        polling_presence_seconds=60, thinking_burst_seconds=10, thinking_seconds_per_second=0.5
    )
    async with open_service(sqlite_url, clock, automatic=False) as service:
        table, (host,) = await seated(service, people=1, bots=2)
        async with service._tables.use(table) as live:
            claims = BotClaims(environment(clock), settings)
            assert _rank(claims, live) is Rank.UNATTENDED
            await service.look(table, host)
            assert _rank(claims, live) is Rank.ATTENDED
            claims.spend(host, 12)
            assert _rank(claims, live) is Rank.OVER_BUDGET
            clock.now += 5
            assert _rank(claims, live) is Rank.ATTENDED
            clock.now += settings.polling_presence_seconds
            assert _rank(claims, live) is Rank.UNATTENDED
            async with service.subscribe(table, host):
                assert _rank(claims, live) is Rank.ATTENDED
            claims.note_address(host, "192.0.2.1")
            assert claims.of(live)[:3] == ("192.0.2.1", host, table)


def _rank(claims: BotClaims, live: LiveTable) -> Rank:
    return claims.of(live).rank


class Slow(StatelessBot):
    """Takes as long as a searching bot for each decision."""

    def choose(self, view: View) -> Action:
        sleep(0.4)
        return make_bot("greedy", 0).choose(view)


def slow_strategist(name: str, seed: int) -> Bot:
    return Slow(Chance(seed)) if name == "strategist" else make_bot(name, seed)


@pytest.mark.parametrize("present", [False, True])
async def test_many_tables_of_one_address_do_not_delay_another_player(
    sqlite_url: str, present: bool
) -> None:
    settings = limits(bot_threads=2, tables_per_guest=30, polling_presence_seconds=60)
    async with open_service(sqlite_url, maker=slow_strategist, limits=settings) as service:
        attackers = [(await service.guests.create(None, "en")).id for _ in range(2)]
        for guest in attackers:
            service.note_address(guest, "192.0.2.1")
            for _ in range(30):
                plan = NewTable((Host(), *[BotSeat("strategist")] * 5))
                table = await service.create(guest, plan)
                if present:
                    answer = await act(service, table, guest, Pass(), "a")
                    assert isinstance(answer, Accepted), answer
                else:
                    await service.leave(table, guest)
        await asyncio.sleep(0.5)
        waiting = service.figures["bot_queue" if present else "bot_queue_last"]
        assert waiting > 30, "the attack is under way"
        waits = await _waits(service)
    assert len(waits) >= 8
    assert median(waits) < 0.5, waits


async def _waits(service: TableService) -> list[float]:
    """Return how long a player waits for two greedy bots after each of the player's turns."""
    table, (victim,) = await seated(service, people=1, bots=2)
    service.note_address(victim, "192.0.2.2")
    waits = []
    for turn in range(12):
        started = monotonic()
        async with asyncio.timeout(30):
            view = await bots_done(service, table, [victim])
        waits.append(monotonic() - started)
        if view.stage is not Stage.PLAYING:
            break
        await act(service, table, victim, chosen(await service.look(table, victim)), f"{turn}")
    return waits[1:]
