"""The store: durable commits, one process, schema migrations and clear failures."""

from __future__ import annotations

import asyncio
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, insert, select, text

from byzanz.rules import Pass
from byzanz.tables import (
    BY_HAND,
    Accepted,
    AlreadyServed,
    Automatic,
    Store,
    StoreFailed,
    UnknownSchema,
)
from byzanz.tables.storage import schema
from byzanz.tables.storage.migrations import current, known, migrate
from byzanz.tables.storage.store import Conflict, make_engine

from .databases import Postgres
from .services import open_service, seated


def test_the_migrated_schema_is_the_one_the_code_uses(empty_url: str) -> None:
    engine = make_engine(empty_url)
    with engine.begin() as connection:
        migrate(connection)
        assert current(connection) == known()[-1]
        assert compare_metadata(MigrationContext.configure(connection), schema.METADATA) == []
        migrate(connection)
    engine.dispose()


async def test_a_table_of_the_first_revision_is_played_on(empty_url: str) -> None:
    engine = make_engine(empty_url)
    with engine.begin() as connection:
        migrate(connection, known()[0])
        for statement in REVISION_1.split(";\n"):
            connection.execute(text(statement.replace(":", "\\:")))
    engine.dispose()
    async with open_service(empty_url) as service:
        table_view = await service.look("old", "ann")
        assert (
            table_view.number,
            table_view.decision,
            table_view.version,
            table_view.waiting_for,
        ) == (1, 1, 7, (1,))
        assert isinstance(await service.act("old", "ben", Pass(), decision=1, key="k"), Accepted)
        mine = await service.look("old", "ben")
        assert (mine.undone, mine.prepared, mine.automatic) == (0, None, BY_HAND)
        await service.automate("old", "ben", Automatic(take_last=True))
        assert isinstance(await service.undo("old", "ben", mine.undo or -1, "u"), Accepted)
        assert (await service.look("old", "ben")).undone == 1


def test_a_newer_schema_is_refused(empty_url: str) -> None:
    engine = make_engine(empty_url)
    with engine.begin() as connection:
        migrate(connection)
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    store = Store.open(empty_url)
    with pytest.raises(UnknownSchema, match="newer"):
        store.serve()
    with pytest.raises(UnknownSchema):  # and the lock is released
        store.serve()


async def test_a_second_process_is_refused_until_the_first_ends(url: str) -> None:
    program = (
        "import sys, time; from byzanz.tables import Store\n"
        "Store.open(sys.argv[1]).serve(); print('serving', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, url], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "serving\n"
        with pytest.raises(AlreadyServed, match="another process"):
            Store.open(url).serve()
        other.kill()
    for _ in range(100):
        try:
            async with open_service(url):
                return
        except AlreadyServed:  # the server does not notice at once that a client has died
            await asyncio.sleep(0.05)
    raise AssertionError("the lock outlived its process")


async def test_several_services_share_a_postgresql_database(postgres: Postgres) -> None:
    url = postgres.fresh()
    async with open_service(url), open_service(url, prefix="other"):
        with pytest.raises(AlreadyServed):  # a restore, for example, must be alone
            Store.open(url).serve()
    Store.open(url).serve()


async def test_jobs_are_committed_together_and_fail_separately(url: str) -> None:
    store = Store.open(url)
    store.serve()
    names = [f"n{number}" for number in range(20)]

    def adding(name: str):  # noqa: ANN202
        def job(connection: Connection) -> str:
            connection.execute(insert(schema.secrets).values(name=name, value="x"))
            if name == "n7":
                raise ZeroDivisionError
            return name

        return job

    jobs = [store.run(adding(name)) for name in [*names, "n3"]]
    found = await asyncio.gather(*jobs, return_exceptions=True)
    assert found[:7] + found[8:20] == names[:7] + names[8:]
    assert isinstance(found[7], ZeroDivisionError)
    assert isinstance(found[20], Conflict)
    kept = await store.run(lambda c: set(c.scalars(select(schema.secrets.c.name))))
    assert kept == set(names) - {"n7"}
    store.close()
    with pytest.raises(StoreFailed):
        await store.run(lambda _: None)


async def test_a_cancelled_job_does_not_stop_the_store(sqlite_url: str) -> None:
    store = Store.open(sqlite_url)
    store.serve()
    for _ in range(50):
        asked = asyncio.create_task(store.run(lambda _: None))
        await asyncio.sleep(0)
        asked.cancel()
    assert await store.run(lambda _: "alive") == "alive"
    store.close()


async def test_a_failing_database_changes_nothing_and_the_table_goes_on(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, guests = await seated(service, people=3)
        broken = text("CREATE TRIGGER broken BEFORE INSERT ON log BEGIN SELECT raise_(); END")
        mended = text("DROP TRIGGER broken")
        await service.store.run(lambda connection: connection.execute(broken) and None)
        with pytest.raises(StoreFailed):
            await service.act(table, guests[0], Pass(), decision=0, key="a")
        assert (await service.look(table)).number == 0
        await service.store.run(lambda connection: connection.execute(mended) and None)
        answer = await service.act(table, guests[0], Pass(), decision=0, key="a")
        assert isinstance(answer, Accepted)


async def test_secrets_are_made_once(url: str) -> None:
    async with open_service(url) as service:
        first = await service.secret("cookies")
        assert await service.secret("other") != first
    async with open_service(url, prefix="later") as service:
        assert await service.secret("cookies") == first


async def test_sqlite_waits_for_the_disk_at_every_commit(sqlite_url: str) -> None:
    with make_engine(sqlite_url).connect() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
        connection.engine.dispose()
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 30000,
    }


def test_a_store_is_a_file_or_postgresql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for url in ("sqlite://", "sqlite:///:memory:", "mysql://host/name"):
        with pytest.raises(ValueError, match="URL must"):
            make_engine(url)
    assert make_engine("postgresql://h/n").url.drivername == "postgresql+psycopg"
    assert make_engine("postgres://h/n").url.drivername == "postgresql+psycopg"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if sys.platform == "linux":
        file = tmp_path / "byzanz" / "byzanz.db"
        assert make_engine().url.database == str(file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


REVISION_1 = (Path(__file__).parent / "revision_1.sql").read_text(encoding="utf-8").strip()


async def test_a_lock_whose_connection_broke_is_taken_again(postgres: Postgres) -> None:
    url = postgres.fresh()
    async with open_service(url) as service:
        _break_connections(url)
        guest = await service.guests.create("Ann", "en")
        with pytest.raises(AlreadyServed):
            Store.open(url).serve()
        assert await service.guests.get(guest.id) is not None


async def test_a_server_that_lost_its_lock_to_another_writes_nothing(postgres: Postgres) -> None:
    url = postgres.fresh()
    async with open_service(url, automatic=False) as first:
        _break_connections(url)
        other = Store.open(url)
        other.serve()  # does not share the lock
        with pytest.raises(StoreFailed):
            await first.guests.create("Ann", "en")
        other.close()
        assert (await first.guests.create("Cleo", "en")).name == "Cleo"  # the other has ended
        _break_connections(url)  # and the service still closes cleanly


def _break_connections(url: str) -> None:
    """End every connection to the database, as a restart of PostgreSQL would."""
    engine = make_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    engine.dispose()


def test_a_symbolic_link_uses_the_same_lock(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/byzanz.db")
    store.serve()
    (tmp_path / "link.db").symlink_to(tmp_path / "byzanz.db")
    with pytest.raises(AlreadyServed):
        Store.open(f"sqlite:///{tmp_path}/link.db").serve()
    store.close()
