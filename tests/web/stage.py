"""A server with tables at fixed positions, for screenshots and measurements."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from byzanz.notation import Record, judge
from byzanz.rules import Deal
from byzanz.tables import (
    Aid,
    BotSeat,
    Environment,
    Host,
    NewTable,
    Open,
    Store,
    TableOptions,
    TableService,
)
from byzanz.tables.model.commands import act_as_bot
from tests.tables.databases import sqlite

from .server import served

SCENES = Path(__file__).parents[1] / "data" / "scenes"
"""Each file is the record of a game up to the position; its header names the viewer's seat."""
NAME = "Ada"
_Tables = tuple[dict[str, str], str]
"""The ids of the tables by name, and the token that signs a browser in as their guest."""


@dataclass(frozen=True)
class Stage:
    """A running server with one table for each scene; the same guest sits at all of them."""

    url: str
    tables: dict[str, str]
    cookies: list[dict[str, str]]
    """The cookies that sign a browser in as the guest."""

    def address(self, scene: str) -> str:
        """Return the address of the scene's table."""
        return f"{self.url}/table/{self.tables[scene]}"


def scene(name: str) -> Record:
    """Return the record of a scene."""
    with (SCENES / f"{name}.jsonl").open("rb") as stream:
        record = next(iter(judge(stream))).record
    assert record is not None
    return record


@contextmanager
def stage(folder: Path, *only: str) -> Iterator[Stage]:
    """Run the server with these scenes, or with all.

    Only the person in the browser acts at its tables; bots do not play.
    """
    names = list(only) or sorted(path.stem for path in SCENES.glob("*.jsonl"))
    with _running(folder, _set_up(folder, names)) as running:
        yield running


@contextmanager
def meeting(folder: Path, *think_seconds: int) -> Iterator[Stage]:
    """Run the server with one new game of two people for each time limit.

    The tables have talk, hints and odds. Their names are the limits.
    """
    with _running(folder, _set_up_meeting(folder, think_seconds)) as running:
        yield running


@contextmanager
def _running(folder: Path, setting_up: Coroutine[Any, Any, _Tables]) -> Iterator[Stage]:
    with ThreadPoolExecutor(1) as aside:  # a browser's own loop may run in this thread
        tables, token = aside.submit(asyncio.run, setting_up).result()
    with served(folder, automatic=False) as running:
        client = httpx.Client(base_url=running.url)
        client.post(f"/pass/{token}", headers={"Origin": running.url})
        cookies = [
            {"name": cookie.name, "value": cookie.value or "", "url": running.url}
            for cookie in client.cookies.jar
        ]
        client.close()
        yield Stage(running.url, tables, cookies)


async def _set_up_meeting(folder: Path, limits: tuple[int, ...]) -> _Tables:
    store = Store.open(sqlite(folder))
    async with TableService(store, automatic=False) as service:
        host = await service.guests.create("Konstantina", "en")
        friend = await service.guests.create("Theodora", "en")
        tables = {}
        for limit in limits:
            options = TableOptions(think_seconds=limit, hints=Aid.ALWAYS, odds=Aid.ALWAYS)
            seats = (Host(), Open(), BotSeat("greedy"), BotSeat("greedy"))
            table = await service.create(host.id, NewTable(seats, options))
            await service.join(table, friend.id, 1)
            tables[str(limit)] = table
        token = await service.guests.pass_token(host.id)
    return tables, token


async def _set_up(folder: Path, names: list[str]) -> _Tables:
    deals: list[Deal] = []
    environment = Environment(deal=lambda _: deals[-1], ids=_Ids().next)
    store = Store.open(sqlite(folder))
    tables = {}
    async with TableService(store, environment=environment, automatic=False) as service:
        guest = await service.guests.create(NAME, "en")
        for name in names:
            record = scene(name)
            deals.append(record.deal)
            seats = [BotSeat("greedy")] * len(record.names)
            seats[record.extra["seat"]] = Host()  # type: ignore[call-overload]
            table = tables[name] = await service.create(guest.id, NewTable(tuple(seats)))
            for play in record.plays:
                await service._tables.change(
                    table, lambda t, p=play: act_as_bot(t, p.seat, p.action, time.time())
                )
        token = await service.guests.pass_token(guest.id)
    return tables, token


class _Ids:
    """Returns the same ids every time, so that the portraits are always the same."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> str:
        self._last += 1
        return f"scene-{self._last:03}"
