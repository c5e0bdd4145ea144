"""Background jobs: in the one process of a SQLite database, and in workers on PostgreSQL."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import cast

import pytest
from psycopg import OperationalError
from sqlalchemy import Connection, text

from byzanz.tables import (
    BotSeat,
    Host,
    JobKind,
    NewTable,
    NoticeKind,
    Notification,
    Open,
    ReviewStatus,
    Sent,
    TableService,
    backup,
    restore,
)
from byzanz.tables.service.jobs import JobFailed, LocalJobs
from byzanz.tables.storage import job_rows, job_schema
from byzanz.tables.storage.store import make_engine

from .databases import Postgres
from .services import Clock, environment, limits, open_service, play_out, seated
from .working import DECISIONS, WorkerProcess, at_once, never

PATIENCE = 60.0
IDLE = limits(jobs_in_server=False)
NO_CONNECTION = cast(Connection, None)
"""Local jobs need no database."""


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await condition():
            await asyncio.sleep(0.05)


async def until_review(
    service: TableService, table: str, wanted: Callable[[ReviewStatus], bool]
) -> ReviewStatus:
    """Wait until the review is as wanted, and return how far it is."""
    found: list[ReviewStatus] = []

    async def as_wanted() -> bool:
        found.append(await service.reviews.status(table))
        return wanted(found[-1])

    await until(as_wanted)
    return found[-1]


async def finished(service: TableService) -> tuple[str, list[str]]:
    """Play a game; return its table and the people."""
    table, guests = await seated(service, people=3)
    await play_out(service, table, guests)
    return table, guests


async def jobs_left(service: TableService) -> int:
    query = text("SELECT count(*) FROM procrastinate_jobs")
    return await service.store.run(lambda connection: connection.scalar(query) or 0)


def is_done(status: ReviewStatus) -> bool:
    return status.state == "done"


async def test_a_worker_makes_a_review_and_the_server_knows_its_progress(
    postgres: Postgres,
) -> None:
    url = postgres.fresh()
    async with open_service(url, limits=IDLE) as server:
        table, guests = await finished(server)
        assert (await server.reviews.request(table, guests[0])).state == "waiting"
        with WorkerProcess(url, "never") as slow:
            found = await until_review(server, table, lambda status: status.of > 0)
            assert (found.state, found.done, found.of) == ("running", 3, DECISIONS)
            assert slow.stop() == 0  # it gives the job back
        assert (await server.reviews.status(table)).state == "waiting"
        with WorkerProcess(url, "at_once") as quick:
            await until_review(server, table, is_done)
            assert quick.stop() == 0
        assert await jobs_left(server) == 0


async def test_another_worker_does_the_job_of_a_killed_one(postgres: Postgres) -> None:
    url = postgres.fresh()
    async with open_service(url, limits=IDLE) as server:
        table, guests = await finished(server)
        with WorkerProcess(url, "never") as killed, WorkerProcess(url, "never") as other:
            await server.reviews.request(table, guests[0])
            await until_review(server, table, lambda status: status.state == "running")
            killed.kill()
            other.kill()
        with WorkerProcess(url, "at_once"):
            await until_review(server, table, is_done)


async def test_one_server_does_the_jobs_of_all_unless_it_is_told_not_to(
    postgres: Postgres,
) -> None:
    url = postgres.fresh()
    async with open_service(url, limits=IDLE, reviewer=at_once) as idle:
        table, guests = await finished(idle)
        await idle.reviews.request(table, guests[0])
        await asyncio.sleep(1.5)
        assert (await idle.reviews.status(table)).state == "waiting"
    async with (
        open_service(url, reviewer=at_once, prefix="first") as first,
        open_service(url, reviewer=never, prefix="second") as second,
    ):
        await until_review(second, table, is_done)
        assert first.jobs.figures[JobKind.REVIEW].started > 0
        assert second.jobs.figures[JobKind.REVIEW].started == 0


async def test_a_review_is_stored_once(postgres: Postgres) -> None:
    url = postgres.fresh()
    async with (
        open_service(url, limits=IDLE) as server,
        open_service(url, reviewer=at_once, prefix="one", serves=False) as one,
    ):
        table, guests = await finished(server)
        await server.reviews.request(table, guests[0])
        done = await until_review(server, table, is_done)
        await one.reviews._make(table)  # as a worker does that was believed to be lost
        stored = text("SELECT count(*), min(state) FROM reviews")
        rows = await server.store.run(lambda connection: connection.execute(stored).one())
        assert tuple(rows) == (1, "done")
        assert await server.reviews.status(table) == done


async def test_old_data_is_deleted_once_per_interval_by_all_processes(postgres: Postgres) -> None:
    url, cleaned = postgres.fresh(), []

    async def clean() -> None:
        cleaned.append(time.time())

    often = limits(cleanup_interval_seconds=2.0)
    services = [
        open_service(
            url,
            limits=often,
            environment=environment(cast(Clock, time.time), prefix=f"p{number}"),
            serves=number == 0,
        )
        for number in range(3)
    ]
    for service in services:
        service.maintenance.cleaning.append(clean)
    async with services[0], services[1], services[2]:
        began = time.time()
        await asyncio.sleep(7)
    intervals = [int(at // 2) for at in cleaned]
    assert 2 <= len(cleaned) <= (time.time() - began) / 2 + 1, intervals


async def test_a_worker_sends_what_a_server_has_stored(postgres: Postgres) -> None:
    url, sent = postgres.fresh(), []

    async def send(sending: Notification) -> Sent:
        sent.append(sending.target.guest)
        return Sent.DONE

    async def refuse(_: Notification) -> Sent:
        raise AssertionError("the server must not send")

    eager = limits(notification_grace_seconds=0, jobs_in_server=False)
    real = [environment(cast(Clock, time.time), prefix=name) for name in ("server", "worker")]
    async with (
        open_service(url, limits=eager, environment=real[0]) as server,
        open_service(url, limits=eager, environment=real[1], serves=False) as worker,
    ):
        server.notifications.start(refuse)
        worker.notifications.start(send)
        for comes in (True, False):
            host, other = [(await server.guests.create(None, "en")).id for _ in range(2)]
            address, keys = f"https://push/{host}", ("key", "key")
            await server.notifications.add_browser(host, address, keys, [NoticeKind.TURN])
            table = await server.create(host, NewTable((Host(), Open(), BotSeat("greedy"))))
            async with server.subscribe(table, host if comes else None):
                await server.join(table, other)
                if comes:
                    await asyncio.sleep(2)
                    assert sent == []  # the one whose turn it is has the table open
            await until(lambda host=host: _is(lambda: host in sent))
        await asyncio.sleep(1.5)
        assert len(sent) == len(set(sent)) == 2


async def test_jobs_are_not_backed_up_and_are_found_again(
    postgres: Postgres, tmp_path: Path
) -> None:
    url, file = postgres.fresh(), tmp_path / "backup.jsonl"
    async with open_service(url, limits=IDLE) as server:
        table, guests = await finished(server)
        await server.reviews.request(table, guests[0])
        assert await jobs_left(server) == 1
        backup(url, file)
    assert "procrastinate" not in file.read_text(encoding="utf-8")
    for number, target in enumerate((postgres.empty(), f"sqlite:///{tmp_path}/restored.db")):
        restore(file, target)
        async with open_service(target, reviewer=at_once, prefix=f"r{number}") as restored:
            await until_review(restored, table, is_done)


def functions(connection: Connection) -> set[str]:
    """Return the names of Procrastinate's functions in the database."""
    query = "SELECT proname FROM pg_proc WHERE proname LIKE 'procrastinate%'"
    return set(connection.scalars(text(query)))


async def test_the_schema_of_the_queue_is_created_once_and_upgraded(postgres: Postgres) -> None:
    url = postgres.empty()
    for prefix in ("one", "two"):
        async with open_service(url, prefix=prefix):
            pass
    older = postgres.empty()
    engine = make_engine(older)
    steps = job_schema.migrations()
    old = [name for name in sorted(steps) if name < "03.03"]
    with engine.begin() as connection:
        for name in old:
            job_schema._execute(connection, steps[name])
        connection.exec_driver_sql(f"COMMENT ON TABLE procrastinate_jobs IS '{old[-1]}'")
        before = functions(connection)
    engine.dispose()
    found = []
    for each in (url, older):
        async with open_service(each, prefix="again") as service:
            found.append(await service.store.run(functions))
    expected, upgraded = found
    assert expected - before
    assert expected <= upgraded


async def test_a_worker_that_misses_the_first_request_to_stop_is_stopped(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = asyncio.Event()

    async def deaf(*_: object, **__: object) -> None:
        started.set()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(300)
        await asyncio.sleep(300)

    monkeypatch.setattr("procrastinate.App.run_worker_async", deaf)
    async with asyncio.timeout(60), open_service(postgres.fresh()):
        await started.wait()


async def test_a_process_told_to_stop_while_it_opens_the_queue_stops(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = asyncio.Event()

    @asynccontextmanager
    async def deaf(*_: object) -> AsyncIterator[None]:
        opening.set()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(300)
        yield

    monkeypatch.setattr("procrastinate.App.open_async", deaf)
    async with asyncio.timeout(60), open_service(postgres.fresh()):
        await opening.wait()


async def test_a_process_told_to_stop_while_it_connects_to_the_queue_ends_all_its_tasks(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    connecting = asyncio.Event()

    async def deaf(*_: object) -> None:
        connecting.set()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(300)
        raise OperationalError

    monkeypatch.setattr("psycopg_pool.AsyncConnectionPool._connect", deaf)
    async with asyncio.timeout(60), open_service(postgres.fresh()):
        await connecting.wait()
    left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in left:
        task.cancel()
    async with asyncio.timeout(20):
        await asyncio.gather(*left, return_exceptions=True)


async def test_the_same_job_waits_once_and_later_jobs_wait_for_their_time(
    postgres: Postgres,
) -> None:
    async with open_service(postgres.fresh(), limits=IDLE) as service:

        def job(connection: Connection) -> dict[str, job_rows.Queued]:
            for _ in range(3):
                service.jobs.add(connection, JobKind.REVIEW, "a table")
            service.jobs.add(connection, JobKind.REVIEW, "another table")
            service.jobs.add(connection, JobKind.NOTIFY, "", time.time() + 3600)
            return job_rows.queued_jobs(connection)

        found = await service.store.run(job)
        assert {kind: queued.waiting for kind, queued in found.items()} == {"review": 2}
        assert await jobs_left(service) == 3
        await until(lambda: _is(lambda: service.jobs.figures[JobKind.REVIEW].waiting == 2))


async def _is(condition: Callable[[], bool]) -> bool:
    return condition()


async def test_a_local_job_that_fails_is_tried_again_unless_that_is_of_no_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("byzanz.tables.service.jobs._RETRY_SECONDS", 0.0)
    monkeypatch.setattr("byzanz.tables.service.jobs._LOOK_SECONDS", 0.01)
    jobs, tried = LocalJobs(environment()), []

    async def fail_twice(about: str) -> None:
        tried.append(about)
        if len(tried) < 3:
            raise OSError

    async def fail(about: str) -> None:
        tried.append(about)
        raise JobFailed

    jobs.define(JobKind.REVIEW, fail_twice)
    jobs.define(JobKind.NOTIFY, fail)
    running = asyncio.create_task(jobs.run())
    for _ in range(2):
        jobs.add(NO_CONNECTION, JobKind.REVIEW, "one")
    await until(lambda: _is(lambda: len(tried) == 3))
    jobs.add(NO_CONNECTION, JobKind.NOTIFY, "other")
    await until(lambda: _is(lambda: jobs.figures[JobKind.NOTIFY].failures == 1))
    await asyncio.sleep(0.1)
    assert tried == ["one", "one", "one", "other"]
    assert jobs.figures[JobKind.REVIEW].failures == 2
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def test_local_jobs_wait_for_their_time_and_their_turn() -> None:
    clock = Clock()
    jobs, done = LocalJobs(environment(clock)), []

    async def do(about: str) -> None:
        done.append(about)

    jobs.define(JobKind.NOTIFY, do)
    jobs.add(NO_CONNECTION, JobKind.NOTIFY, "later", clock.now + 60)
    jobs.add(NO_CONNECTION, JobKind.NOTIFY, "second", clock.now)
    jobs.add(NO_CONNECTION, JobKind.NOTIFY, "first", clock.now - 1)
    await jobs.do_all()
    assert done == ["first", "second"]
    clock.now += 60
    await jobs.do_all()
    assert done == ["first", "second", "later"]
