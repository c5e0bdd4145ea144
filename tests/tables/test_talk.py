"""Talk at a table: it is stored, bounded, and changes nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from byzanz.tables import (
    Declined,
    Host,
    NewTable,
    Open,
    Phrase,
    TableOptions,
    TableReason,
    backup,
    restore,
)
from byzanz.tables.model.talk import KEPT
from byzanz.tables.storage import schema

from .services import Clock, open_service, seated


async def test_what_is_said_is_stored_and_in_a_backup(url: str, tmp_path: Path) -> None:
    async with open_service(url, automatic=False) as service:
        table, guests = await seated(service, people=3)
        await service.talk.say(table, guests[1], Phrase.HELLO)
        said = (await service.look(table)).said
        assert [(each.seat, each.phrase) for each in said] == [(1, Phrase.HELLO)]
    async with open_service(url, automatic=False, prefix="again") as service:
        assert (await service.look(table)).said == said
        backup(url, tmp_path / "backup.jsonl")
    other = f"sqlite:///{tmp_path / 'other.db'}"
    restore(tmp_path / "backup.jsonl", other)
    async with open_service(other, automatic=False) as service:
        assert (await service.look(table)).said == said


async def test_talk_changes_neither_the_decision_nor_the_time_of_the_last_use(
    sqlite_url: str,
) -> None:
    clock = Clock()
    async with open_service(sqlite_url, clock, automatic=False) as service:
        options = TableOptions(think_seconds=600)
        table, guests = await seated(service, people=3, options=options)
        before = await service.look(table, guests[0])
        clock.now += 500
        await service.talk.say(table, guests[0], Phrase.ONE_MOMENT)
        after = await service.look(table, guests[0])
        assert (after.decision, after.deadline) == (before.decision, before.deadline)
        assert after.version == before.version + 1
        (listed,) = await service.tables_of(guests[0])
        assert listed.active == clock.now - 500


async def test_a_table_keeps_only_the_last_things_said(sqlite_url: str) -> None:
    clock = Clock()
    async with open_service(sqlite_url, clock, automatic=False) as service:
        table, guests = await seated(service, people=3)
        for _ in range(KEPT + 5):
            clock.now += 60
            await service.talk.say(table, guests[0], Phrase.AGAIN)
        said = (await service.look(table)).said
        assert [each.number for each in said] == list(range(5, KEPT + 5))
        count = await service.store.run(
            lambda connection: connection.scalar(select(func.count()).select_from(schema.sayings))
        )
        assert count == KEPT


async def test_nobody_inherits_what_somebody_else_said_on_their_seat(sqlite_url: str) -> None:
    async with open_service(sqlite_url, automatic=False) as service:
        host = (await service.guests.create("Host", "en")).id
        one, two = [(await service.guests.create(name, "en")).id for name in ("One", "Two")]
        table = await service.create(host, NewTable((Host(), Open(), Open())))
        await service.join(table, one, 1)
        await service.talk.say(table, one, Phrase.OUCH)
        await service.leave(table, one)
        await service.join(table, two, 1)
        assert (await service.look(table)).said == ()


@pytest.mark.parametrize("guest", [0, 1])
async def test_only_the_host_switches_talk(sqlite_url: str, guest: int) -> None:
    async with open_service(sqlite_url, automatic=False) as service:
        table, guests = await seated(service, people=3)
        if guest:
            with pytest.raises(Declined) as declined:
                await service.talk.switch(table, guests[guest], on=False)
            assert declined.value.reason is TableReason.NOT_HOST
            return
        await service.talk.switch(table, guests[0], on=False)
    async with open_service(sqlite_url, automatic=False, prefix="again") as service:
        view = await service.look(table, guests[0])
        assert (view.options.talk, view.may_talk) == (False, False)
