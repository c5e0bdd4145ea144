"""Backup and restore lose nothing, and forgetting a guest leaves nothing behind."""

from __future__ import annotations

import asyncio
import json
import stat
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import func, select

from byzanz.rules import Deal, Pass
from byzanz.tables import (
    Accepted,
    AlreadyServed,
    Declined,
    Environment,
    NotForgotten,
    NotRestored,
    Stage,
    TableReason,
    TableService,
    UnknownSchema,
    backup,
    forget,
    restore,
)
from byzanz.tables.storage import schema

from .databases import Postgres
from .services import environment, open_service, play_out, seated


def new_deals() -> Environment:
    """Return an environment that deals differently each time, so that no rematch is the same."""
    seeds = count(1)
    return replace(environment(), deal=lambda players: Deal.from_seed(players, next(seeds)))


async def played_on(service: TableService) -> tuple[str, str, list[str]]:
    """Create a finished table and one in play with the same people."""
    done, _ = await seated(service, people=1, bots=2)
    guest = (await service.look(done)).sitters[0]
    assert guest.host
    table, guests = await seated(service, people=3)
    await play_out(service, table, guests)
    again = await service.rematch(table, guests[0])
    await service.act(again, guests[0], Pass(), decision=0, key="kept")
    return table, again, guests


async def test_a_backup_while_serving_restores_everything(
    url: str, postgres: Postgres, tmp_path: Path
) -> None:
    file = tmp_path / "backup.jsonl"
    async with open_service(url, environment=new_deals()) as service:
        table, again, guests = await played_on(service)
        backup(url, file)
        record, table_view = await service.record(table), await service.look(again, guests[1])
        secret = await service.secret("cookies")
        backup(url, file)
        await service.act(again, guests[1], Pass(), decision=1, key="later")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for other in (postgres.empty(), f"sqlite:///{tmp_path}/restored.db"):
        restore(file, other)
        async with open_service(other, prefix="later", automatic=False) as service:
            assert await service.record(table) == record
            assert await service.look(again, guests[1]) == table_view
            assert await service.secret("cookies") == secret
            kept = await service.act(again, guests[0], Pass(), decision=0, key="kept")
            assert isinstance(kept, Accepted)
            assert (await service.look(again)).number == 1
        again_file = tmp_path / "again.jsonl"
        backup(other, again_file)
        assert sorted(_rows(again_file)) == sorted(_rows(file))


def _rows(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


async def test_only_a_complete_backup_is_restored_and_only_into_an_empty_database(
    url: str, tmp_path: Path
) -> None:
    file = tmp_path / "backup.jsonl"
    async with open_service(url) as service:
        await seated(service, people=3)
        with pytest.raises(AlreadyServed):
            restore(file, url)
    backup(url, file)
    with pytest.raises(NotRestored, match="not empty"):
        restore(file, url)
    lines = _rows(file)
    header = json.loads(lines[0])
    for broken, why in (
        (lines[:-1], "last line is missing"),
        ([*lines[:3], *lines[4:]], "incomplete: "),
        (lines[1:], "not a backup"),
        ([lines[0], "{"], "not JSON"),
        ([lines[0], "[]"], "not an object"),
        ([lines[0], '{"type":"row","table":"x","row":{}}'], "unknown table"),
        ([], "not a backup"),
    ):
        target = tmp_path / "target.db"
        file.write_text("\n".join(broken), encoding="utf-8")
        with pytest.raises(NotRestored, match=why):
            restore(file, f"sqlite:///{target}")
    file.write_text(json.dumps({**header, "revision": "9999"}), encoding="utf-8")
    with pytest.raises(UnknownSchema):
        restore(file, f"sqlite:///{target}")


async def test_a_forgotten_guest_is_nowhere_in_the_database(url: str, tmp_path: Path) -> None:
    async with open_service(url, environment=new_deals()) as service:
        table, again, guests = await played_on(service)
        await service.guests.update(guests[1], "Unmistakable", "en")
        await service.act(again, guests[1], Pass(), decision=1, key="mine")
        await service.guests.pass_token(guests[1])
        waiting, _ = await seated(service, people=2, bots=1)
        record = await service.record(table)
    await asyncio.to_thread(forget, url, guests[1])
    with pytest.raises(NotForgotten):
        await asyncio.to_thread(forget, url, guests[1])
    file = tmp_path / "after.jsonl"
    backup(url, file)
    text = file.read_text(encoding="utf-8")
    assert "Unmistakable" not in text
    assert guests[1] not in text
    assert guests[2] in text
    async with open_service(url, prefix="later") as service:
        assert await service.guests.get(guests[1]) is None
        finished = await service.look(table)
        assert finished.stage is Stage.FINISHED
        assert finished.sitters[1].name is None
        assert (await service.record(table)).count("\n") == record.count("\n")
        playing = await service.look(again)
        assert (playing.sitters[1].left, playing.sitters[1].name) == (True, None)
        assert playing.sitters[1].bot is not None
        with pytest.raises(Declined) as declined:
            await service.join(waiting, guests[1])
        assert declined.value.reason is TableReason.NO_SUCH_GUEST


async def test_when_the_host_is_forgotten_the_next_person_is_host(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=3)
        await service.guests.forget(guests[0])
        assert (await service.look(table, guests[1])).is_host
        for guest in guests[1:]:
            await service.guests.forget(guest)
        count = select(func.count()).select_from(schema.guests)
        assert await service.store.run(lambda connection: connection.scalar(count)) == 0


async def test_a_backup_follows_no_link_and_is_private_from_the_beginning(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with open_service(sqlite_url, automatic=False) as service:
        await seated(service, people=3)
    folder, victim = tmp_path / "backups", tmp_path / "victim"
    folder.mkdir()
    victim.write_text("precious", encoding="utf-8")
    victim.chmod(0o644)
    file = folder / "backup.jsonl"
    for planted in ("backup.jsonl", "backup.jsonl.part"):
        (folder / planted).symlink_to(victim)
    backup(sqlite_url, file)
    assert victim.read_text(encoding="utf-8") == "precious"
    assert not file.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (folder / "backup.jsonl.part").unlink()
    (folder / "backup.jsonl.part").touch(0o644)  # left by somebody who wants to read it
    with (folder / "backup.jsonl.part").open(encoding="utf-8") as planted_file:
        backup(sqlite_url, file)
        assert planted_file.read() == ""
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
