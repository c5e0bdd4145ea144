"""Reviews of finished games: a queue in the database, a process of low priority, quotas."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from byzanz.coach.results import VERSION, Review
from byzanz.tables import Declined, ReviewStatus, TableReason, TableService, backup, restore
from byzanz.tables.service.review_process import Progress, ReviewFailed
from byzanz.tables.service.reviews import Reviewer

from .services import limits, open_service, play_out, seated


def _url(folder: Path, name: str = "byzanz") -> str:
    return f"sqlite:///{folder}/{name}.db"


async def _finished(service: TableService) -> tuple[str, list[str]]:
    table, guests = await seated(service, people=1, bots=2)
    await play_out(service, table, guests)
    return table, guests


async def _until(
    service: TableService, table: str, wanted: Callable[[ReviewStatus], bool]
) -> ReviewStatus:
    async with asyncio.timeout(120):
        while not wanted(found := await service.reviews.status(table)):
            await asyncio.sleep(0.02)
    return found


def _made(record: str) -> Review:
    header = json.loads(record.splitlines()[0])
    return Review(VERSION, "net", 2, len(header["hands"]), len(record.splitlines()) - 2, ())


async def _at_once(record: str, worlds: int, progress: Progress) -> Review:
    progress(1, 1)
    return _made(record)


async def _never(record: str, worlds: int, progress: Progress) -> Review:
    progress(3, 40)
    await asyncio.Event().wait()
    return _made(record)


async def _fails(record: str, worlds: int, progress: Progress) -> Review:
    raise ReviewFailed("on purpose")


async def _breaks(record: str, worlds: int, progress: Progress) -> Review:
    raise RuntimeError("not foreseen")


async def test_a_process_reviews_the_game_and_the_review_is_stored(tmp_path: Path) -> None:
    few = limits(review_worlds=2)
    async with open_service(_url(tmp_path), limits=few) as service:
        table, guests = await _finished(service)
        assert (await service.reviews.status(table)).state == "none"
        assert (await service.reviews.request(table, guests[0])).state in ("waiting", "running")
        running = await _until(service, table, lambda found: found.done > 0)
        assert running.state in ("running", "done")
        done = await _until(service, table, lambda found: found.state == "done")
        assert done.review is not None
        assert done.review.worlds == 2
        assert [seat.seat for seat in done.review.seats] == [0, 1, 2]
        record = await service.record(table)
        assert done.review.actions == len(record.splitlines()) - 2
    async with open_service(_url(tmp_path), limits=few, prefix="again") as service:
        assert await service.reviews.status(table) == done


async def test_an_unfinished_review_begins_again_after_a_restart(tmp_path: Path) -> None:
    async with open_service(_url(tmp_path), reviewer=_never) as service:
        table, guests = await _finished(service)
        await service.reviews.request(table, guests[0])
        found = await _until(service, table, lambda found: found.state == "running")
        found = await _until(service, table, lambda found: found.of == 40)
        assert (found.done, found.of) == (3, 40)
    async with open_service(_url(tmp_path), reviewer=_at_once, prefix="again") as service:
        assert (await _until(service, table, lambda found: found.state == "done")).review


@pytest.mark.parametrize("reviewer", [_fails, _breaks])
async def test_a_failed_review_can_be_asked_for_again(tmp_path: Path, reviewer: Reviewer) -> None:
    async with open_service(_url(tmp_path), reviewer=reviewer) as service:
        table, guests = await _finished(service)
        await service.reviews.request(table, guests[0])
        await _until(service, table, lambda found: found.state == "failed")
    async with open_service(_url(tmp_path), reviewer=_at_once, prefix="again") as service:
        assert (await service.reviews.status(table)).state == "failed"
        await service.reviews.request(table, guests[0])
        await _until(service, table, lambda found: found.state == "done")


async def test_a_game_in_play_is_not_reviewed(tmp_path: Path) -> None:
    async with open_service(_url(tmp_path), reviewer=_at_once) as service:
        table, guests = await seated(service, people=3)
        for refused in (
            service.reviews.request(table, guests[0]),
            service.reviews.status(table),
            service.branches_of(table),
            service.branch(table, guests[0], seat=0, step=0),
        ):
            assert await _reason(refused) is TableReason.NOT_FINISHED


async def test_reviews_have_quotas_and_can_be_switched_off(tmp_path: Path) -> None:
    one = limits(reviews_per_guest=1, review_queue=1)
    async with open_service(_url(tmp_path), limits=one, reviewer=_never) as service:
        table, guests = await _finished(service)
        other, others = await _finished(service)
        await service.reviews.request(table, guests[0])
        await service.reviews.request(table, guests[0])  # the same review again costs nothing
        asked = service.reviews.request
        assert await _reason(asked(other, guests[0])) is TableReason.TOO_MANY_REVIEWS
        assert await _reason(asked(other, others[0])) is TableReason.REVIEWS_BUSY
    off = limits(review_processes=0)
    async with open_service(_url(tmp_path), limits=off, prefix="off") as service:
        refused = service.reviews.request(table, guests[0])
        assert await _reason(refused) is TableReason.NO_REVIEWS


async def test_reviews_are_backed_up_and_outlive_the_guest_but_not_the_table(
    tmp_path: Path,
) -> None:
    async with open_service(_url(tmp_path), reviewer=_at_once) as service:
        table, guests = await _finished(service)
        await service.reviews.request(table, guests[0])
        done = await _until(service, table, lambda found: found.state == "done")
        await service.guests.forget(guests[0])
    backup(_url(tmp_path), tmp_path / "backup.jsonl")
    assert guests[0] not in (tmp_path / "backup.jsonl").read_text(encoding="utf-8")
    restore(tmp_path / "backup.jsonl", _url(tmp_path, "restored"))
    async with open_service(_url(tmp_path, "restored"), prefix="r") as service:
        assert await service.reviews.status(table) == done
        await service._tables.delete(table)
        rows = await service.store.run(
            lambda connection: connection.exec_driver_sql("SELECT count(*) FROM reviews").scalar()
        )
        assert rows == 0


async def _reason(refused: Awaitable[object]) -> TableReason:
    with pytest.raises(Declined) as declined:
        await refused
    return declined.value.reason
