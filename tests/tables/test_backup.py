"""Backup, restore and forgetting: nothing is lost, and what is forgotten is gone."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import pytest
from sqlalchemy import func, select

from byzanz.rules import Pass
from byzanz.tables import (
    Accepted,
    AlreadyServed,
    Declined,
    House,
    Stage,
    TableReason,
    UnknownSchema,
    backup,
    forget,
    restore,
)
from byzanz.tables.storage import schema
from byzanz.tables.storage.backup import NotForgotten, NotRestored

from .databases import Postgres
from .hosting import house, play_out, seated


async def lived_in(home: House) -> tuple[str, str, list[str]]:
    """A finished table and one in play of the same people."""
    done, _ = await seated(home, people=1, bots=2)
    guest = (await home.look(done)).sitters[0]
    assert guest.host
    table, guests = await seated(home, people=3)
    await play_out(home, table, guests)
    again = await home.rematch(table, guests[0])
    await home.act(again, guests[0], Pass(), decision=0, key="kept")
    return table, again, guests


async def test_a_backup_while_serving_restores_everything(
    url: str, postgres: Postgres, tmp_path: Path
) -> None:
    file = tmp_path / "backup.jsonl"
    async with house(url) as home:
        table, again, guests = await lived_in(home)
        backup(url, file)
        record, sight = await home.record(table), await home.look(again, guests[1])
        secret = await home.secret("cookies")
        backup(url, file)
        await home.act(again, guests[1], Pass(), decision=1, key="later")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for other in (postgres.fresh(), f"sqlite:///{tmp_path}/restored.db"):
        restore(file, other)
        async with house(other, prefix="later", automatic=False) as home:
            assert await home.record(table) == record
            assert await home.look(again, guests[1]) == sight
            assert await home.secret("cookies") == secret
            kept = await home.act(again, guests[0], Pass(), decision=0, key="kept")
            assert isinstance(kept, Accepted)
            assert (await home.look(again)).number == 1
        again_file = tmp_path / "again.jsonl"
        backup(other, again_file)
        assert sorted(_rows(again_file)) == sorted(_rows(file))


def _rows(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


async def test_only_a_whole_backup_is_restored_and_only_into_an_empty_database(
    url: str, tmp_path: Path
) -> None:
    file = tmp_path / "backup.jsonl"
    async with house(url) as home:
        await seated(home, people=3)
        with pytest.raises(AlreadyServed):
            restore(file, url)
    backup(url, file)
    with pytest.raises(NotRestored, match="not empty"):
        restore(file, url)
    lines = _rows(file)
    header = json.loads(lines[0])
    for broken, why in (
        (lines[:-1], "breaks off"),
        ([*lines[:3], *lines[4:]], "lacks rows"),
        (lines[1:], "no backup"),
        ([lines[0], "{"], "not JSON"),
        ([lines[0], "[]"], "not an object"),
        ([lines[0], '{"type":"row","table":"x","row":{}}'], "no table"),
        ([], "no backup"),
    ):
        target = tmp_path / "target.db"
        file.write_text("\n".join(broken), encoding="utf-8")
        with pytest.raises(NotRestored, match=why):
            restore(file, f"sqlite:///{target}")
    file.write_text(json.dumps({**header, "revision": "9999"}), encoding="utf-8")
    with pytest.raises(UnknownSchema):
        restore(file, f"sqlite:///{target}")


async def test_a_forgotten_guest_is_nowhere_in_the_database(url: str, tmp_path: Path) -> None:
    async with house(url) as home:
        table, again, guests = await lived_in(home)
        await home.rename(guests[1], "Unmistakable", "en")
        await home.act(again, guests[1], Pass(), decision=1, key="mine")
        await home.pass_token(guests[1])
        waiting, _ = await seated(home, people=2, bots=1)
        record = await home.record(table)
    await asyncio.to_thread(forget, url, guests[1])
    with pytest.raises(NotForgotten):
        await asyncio.to_thread(forget, url, guests[1])
    file = tmp_path / "after.jsonl"
    backup(url, file)
    told = file.read_text(encoding="utf-8")
    assert "Unmistakable" not in told
    assert guests[1] not in told
    assert guests[2] in told
    async with house(url, prefix="later") as home:
        assert await home.guest(guests[1]) is None
        finished = await home.look(table)
        assert finished.stage is Stage.FINISHED
        assert finished.sitters[1].name is None
        assert (await home.record(table)).count("\n") == record.count("\n")
        playing = await home.look(again)
        assert (playing.sitters[1].left, playing.sitters[1].name) == (True, None)
        assert playing.sitters[1].bot is not None
        with pytest.raises(Declined) as declined:
            await home.join(waiting, guests[1])
        assert declined.value.reason is TableReason.NO_SUCH_GUEST


async def test_a_forgotten_host_leaves_the_table_to_the_next(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=3)
        await home.forget(guests[0])
        assert (await home.look(table, guests[1])).is_host
        for guest in guests[1:]:
            await home.forget(guest)
        count = select(func.count()).select_from(schema.guests)
        assert await home.store.run(lambda connection: connection.scalar(count)) == 0
