"""Absent people are told what waits for them: once, after a while, and also after a kill."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from byzanz.rules import Pass
from byzanz.tables import (
    BotSeat,
    Channel,
    Declined,
    Host,
    NewTable,
    NoticeKind,
    Notification,
    Open,
    Sent,
    TableOptions,
    TableReason,
    TableService,
    Target,
    backup,
    restore,
)
from byzanz.tables.service.jobs import LocalJobs
from byzanz.tables.storage import schema

from .services import Clock, act, chosen, limits, open_service, play_out, seated

GRACE = 60.0
LIMITS = limits(notification_grace_seconds=GRACE)
KEYS = ("key", "secret")
TURN, FULL, REMATCH = NoticeKind


class Post:
    """Collects what is sent; ``answers`` are the next results, then everything is accepted."""

    def __init__(self, *answers: Sent | Exception) -> None:
        self.sent: list[Notification] = []
        self.answers = list(answers)

    async def __call__(self, sending: Notification) -> Sent:
        self.sent.append(sending)
        answer = self.answers.pop(0) if self.answers else Sent.DONE
        if isinstance(answer, Exception):
            raise answer
        return answer

    def take(self) -> list[tuple[str, NoticeKind, str]]:
        """Return the guest, kind and address of everything sent since the last call."""
        found = [(each.target.guest, each.kind, each.target.address) for each in self.sent]
        self.sent.clear()
        return found


def opened(url: str, clock: Clock, post: Post, **settings: object) -> TableService:
    """Return a service whose notifications go to the post when the test calls ``tick``."""
    given: dict[str, object] = {"limits": LIMITS, "automatic": False, **settings}
    service = open_service(url, clock, **given)  # type: ignore[arg-type]
    service.notifications.start(post)
    return service


async def later(service: TableService, clock: Clock, seconds: float = GRACE) -> None:
    """Let time pass, and send what has become due."""
    clock.now += seconds
    await send_due(service)


async def send_due(service: TableService) -> None:
    """Store what has become due, and do the jobs that send it."""
    await service.notifications.tick()
    assert isinstance(service.jobs, LocalJobs)
    await service.jobs.do_all()


async def subscribed(service: TableService, guest: str, address: str = "https://push/1") -> Target:
    """Add a browser for the guest."""
    return await service.notifications.add_browser(guest, address, KEYS)


async def play_one(service: TableService, table: str, guests: list[str]) -> None:
    """Let the person whose turn it is play a sensible action."""
    (seat,) = (await service.look(table)).waiting_for
    view = await service.look(table, guests[seat])
    await act(service, table, guests[seat], chosen(view), f"turn-{view.version}")


async def test_an_absent_person_is_told_once_per_turn_after_the_grace_time(url: str) -> None:
    clock, post = Clock(), Post()
    async with opened(url, clock, post) as service:
        table, guests = await seated(service)
        await subscribed(service, guests[1])
        await service.act(table, guests[0], Pass(), decision=0, key="pass")
        await later(service, clock, GRACE - 1)
        assert post.take() == []
        await later(service, clock, 1)
        assert post.take() == [(guests[1], TURN, "https://push/1")]
        for _ in range(3):
            await later(service, clock, 3600)
        assert post.take() == []
        while 1 in (await service.look(table)).waiting_for:
            await play_one(service, table, guests)
        while 1 not in (await service.look(table)).waiting_for:
            await play_one(service, table, guests)
        await later(service, clock)
        assert post.take() == [(guests[1], TURN, "https://push/1")]


async def test_nobody_is_told_of_a_turn_that_is_over(url: str) -> None:
    clock, post = Clock(), Post()
    async with opened(url, clock, post) as service:
        table, guests = await seated(service)
        for guest in guests:
            await subscribed(service, guest, f"https://push/{guest}")
        await later(service, clock, GRACE - 1)
        for number in range(2):
            await service.act(table, guests[number], Pass(), decision=number, key=f"{number}")
        await later(service, clock, 1)
        assert post.take() == []
        await later(service, clock)
        assert [guest for guest, _, _ in post.take()] == [guests[2]]


async def test_whoever_has_the_table_open_is_told_only_after_closing_it(sqlite_url: str) -> None:
    clock, post = Clock(), Post()
    async with opened(sqlite_url, clock, post) as service:
        table, guests = await seated(service)
        await subscribed(service, guests[0])
        async with service.subscribe(table, guests[0]):
            for _ in range(3):
                await later(service, clock)
            assert post.take() == []
        await later(service, clock)
        assert post.take() == [(guests[0], TURN, "https://push/1")]


@pytest.mark.parametrize(("think", "told"), [(120, False), (600, True), (None, True)])
async def test_tables_with_little_time_send_nothing_about_turns(
    sqlite_url: str, think: int | None, told: bool
) -> None:
    clock, post = Clock(), Post()
    async with opened(sqlite_url, clock, post) as service:
        _, guests = await seated(service, options=TableOptions(think_seconds=think))
        await subscribed(service, guests[0])
        await later(service, clock)
        assert bool(post.take()) == told


async def test_games_against_bots_alone_send_nothing(sqlite_url: str) -> None:
    clock, post = Clock(), Post()
    async with opened(sqlite_url, clock, post) as service:
        _, guests = await seated(service, people=1, bots=2)
        await subscribed(service, guests[0])
        await later(service, clock)
        assert post.take() == []


async def test_the_host_is_told_that_the_table_is_full_and_others_that_the_game_begins(
    url: str,
) -> None:
    clock, post = Clock(), Post()
    async with opened(url, clock, post) as service:
        names = ("Host", "Guest", "Other")
        host, guest, other = [(await service.guests.create(each, "en")).id for each in names]
        for each in (host, guest, other):
            await subscribed(service, each, f"https://push/{each}")
        options = TableOptions(host_starts=True)
        plan = NewTable((Host(), Open(), BotSeat("greedy"), BotSeat("greedy")), options)
        table = await service.create(host, plan)
        await later(service, clock)
        await service.join(table, guest)
        await later(service, clock)
        assert post.take() == [(host, FULL, f"https://push/{host}")]
        await service.leave(table, guest)
        await service.join(table, other)
        await later(service, clock)
        assert post.take() == [(host, FULL, f"https://push/{host}")]
        await service.start(table, host)
        await later(service, clock)
        told = post.take()
        assert (host, TURN, f"https://push/{host}") in told
        assert (other, FULL, f"https://push/{other}") in told
        assert len(told) == 2


async def test_invited_people_are_told_of_a_rematch_unless_they_see_the_old_table(
    url: str,
) -> None:
    clock, post = Clock(), Post()
    async with opened(url, clock, post) as service:
        table, guests = await seated(service)
        await play_out(service, table, guests)
        for guest in guests[1:]:
            await subscribed(service, guest, f"https://push/{guest}")
        again = await service.rematch(table, guests[0], invite=True)
        async with service.subscribe(table, guests[1]):
            await later(service, clock)
            assert post.take() == [(guests[2], REMATCH, f"https://push/{guests[2]}")]
        await service.join(again, guests[1])
        await later(service, clock)
        assert post.take() == []


async def test_each_place_gets_the_kinds_that_were_chosen_for_it(sqlite_url: str) -> None:
    clock, post = Clock(), Post()
    async with opened(sqlite_url, clock, post) as service:
        _, guests = await seated(service)
        first = await subscribed(service, guests[0], "https://push/phone")
        second = await subscribed(service, guests[0], "https://push/desk")
        changed = await service.notifications.choose(guests[0], first.id, [REMATCH, FULL])
        assert changed.kinds == (FULL, REMATCH)
        await later(service, clock)
        assert post.take() == [(guests[0], TURN, "https://push/desk")]
        await service.notifications.remove(guests[0], second.id)
        with pytest.raises(Declined) as declined:
            await service.notifications.remove(guests[1], first.id)
        assert declined.value.reason is TableReason.NO_SUCH_TARGET
        assert await service.notifications.targets(guests[0]) == (changed,)


async def test_an_unconfirmed_address_gets_nothing_and_is_deleted(sqlite_url: str) -> None:
    clock, post = Clock(), Post()
    quick = limits(notification_grace_seconds=GRACE, cleanup_interval_seconds=3600)
    async with opened(sqlite_url, clock, post, limits=quick) as service:
        _, guests = await seated(service)
        add = service.notifications.add_email
        first = await add(guests[0], "old@example.org")
        await service.notifications.confirm(first.id)
        mine = await add(guests[0], "new@example.org")
        with pytest.raises(Declined):
            await service.notifications.confirm(first.id)
        await later(service, clock)
        assert post.take() == []
        assert await service.notifications.targets(guests[0]) == (mine,)
        await later(service, clock, 3 * 86400)
        await service.maintenance.clean_up()
        assert await service.notifications.targets(guests[0]) == ()
        kept = await add(guests[0], "new@example.org")
        assert await service.notifications.confirm(kept.id) == replace(kept, confirmed=True)
        await later(service, clock, 3 * 86400)
        await service.maintenance.clean_up()
        assert len(await service.notifications.targets(guests[0])) == 1


async def test_a_browser_has_one_guest_and_a_guest_a_limited_number_of_browsers(
    sqlite_url: str,
) -> None:
    few = limits(notification_grace_seconds=GRACE, notification_targets_per_guest=2)
    async with opened(sqlite_url, Clock(), Post(), limits=few) as service:
        _, (one, other, _) = await seated(service)
        first = await subscribed(service, one)
        assert (await subscribed(service, one)).id == first.id
        await subscribed(service, other)
        assert await service.notifications.targets(one) == ()
        for number in range(2):
            await subscribed(service, one, f"https://push/{number + 10}")
        with pytest.raises(Declined) as declined:
            await subscribed(service, one, "https://push/12")
        assert declined.value.reason is TableReason.TOO_MANY_TARGETS


def counted(service: TableService) -> dict[str, int]:
    """Return the counts of turns by push that are not 0; all others must be."""
    found = {key: number for key, number in service.notifications.counts.items() if number}
    assert {key[:2] for key in found} == {(NoticeKind.TURN, Channel.PUSH)}
    return {result: number for (_, _, result), number in found.items()}


async def test_a_failed_notification_is_sent_again_and_given_up_in_the_end(url: str) -> None:
    clock, post = Clock(), Post(*[OSError("down"), Sent.FAILED] * 5)
    async with opened(url, clock, post) as service:
        _, guests = await seated(service)
        await subscribed(service, guests[0])
        await later(service, clock)
        assert len(post.take()) == 1
        await later(service, clock, 30)
        assert post.take() == []
        await later(service, clock, 30)
        assert len(post.take()) == 1
        for _ in range(10):
            await later(service, clock, 86400)
        assert len(post.take()) == 3
        assert counted(service) == {"failed": 4, "dropped": 1}


async def test_a_dead_subscription_is_dropped(url: str) -> None:
    clock, post = Clock(), Post(Sent.GONE)
    async with opened(url, clock, post) as service:
        _, guests = await seated(service)
        await subscribed(service, guests[0])
        await later(service, clock)
        assert len(post.take()) == 1
        assert await service.notifications.targets(guests[0]) == ()
        await later(service, clock, 86400)
        assert post.take() == []
        assert counted(service) == {"dropped": 1}


class Killed(BaseException):
    """Ends the server in the middle of its work."""


async def test_after_a_kill_a_notification_is_sent_once_more_at_most(url: str) -> None:
    clock, post = Clock(), Post()

    async def die(sending: Notification) -> Sent:
        await post(sending)
        raise Killed

    async with opened(url, clock, post) as service:
        table, guests = await seated(service)
        await subscribed(service, guests[0])
        service.notifications._send = die
        clock.now += GRACE
        with pytest.raises(Killed):
            await send_due(service)
    assert len(post.take()) == 1
    for expected in (1, 0):
        async with opened(url, clock, post, prefix=f"later-{expected}") as service:
            await service.notifications.resume()
            await later(service, clock)
            await later(service, clock, 3600)
            assert len(post.take()) == expected
    async with opened(url, clock, post, prefix="last") as service:
        await service.notifications.resume()
        await service.act(table, guests[0], Pass(), decision=0, key="pass")
        await subscribed(service, guests[1], "https://push/2")
        await later(service, clock)
        assert post.take() == [(guests[1], TURN, "https://push/2")]


async def test_a_turn_that_began_before_a_kill_is_told_after_it(url: str) -> None:
    clock, post = Clock(), Post()
    async with opened(url, clock, post) as service:
        _, guests = await seated(service)
        await subscribed(service, guests[0])
    async with opened(url, clock, post, prefix="later") as service:
        await service.notifications.resume()
        await later(service, clock)
        assert post.take() == [(guests[0], TURN, "https://push/1")]


async def test_the_background_task_sends_by_itself(sqlite_url: str) -> None:
    post = Post()
    eager = limits(notification_grace_seconds=0)
    async with opened(sqlite_url, Clock(), post, limits=eager, automatic=True) as service:
        _, guests = await seated(service)
        await subscribed(service, guests[0])
        async with asyncio.timeout(60):
            while not post.sent:
                await asyncio.sleep(0.01)
        assert post.sent[0].table_view.seat == 0


async def test_backup_restore_and_forgetting_cover_notifications(url: str, tmp_path: Path) -> None:
    clock, post = Clock(), Post()
    file, other = tmp_path / "backup.jsonl", f"sqlite:///{tmp_path}/restored.db"
    async with opened(url, clock, post) as service:
        _, guests = await seated(service)
        await subscribed(service, guests[0])
        target = await service.notifications.add_email(guests[0], "ada@example.org")
        await service.notifications.confirm(target.id)
        before = await service.notifications.targets(guests[0])
        await later(service, clock)
        assert len(post.take()) == 2
        backup(url, file)
    restore(file, other)
    async with opened(other, clock, post, prefix="later") as service:
        assert await service.notifications.targets(guests[0]) == before
        await service.notifications.resume()
        await later(service, clock)
        assert post.take() == []
        await service.guests.forget(guests[0])
        backup(other, file)
        text = file.read_text(encoding="utf-8")
        assert "ada@example.org" not in text
        assert "https://push" not in text
        left = await service.store.run(
            lambda connection: connection.execute(select(schema.notices)).all()
        )
        assert left == []
