"""Locked tables tell strangers nothing, and a game ended by vote keeps its hidden cards hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from websockets.exceptions import InvalidStatus

from byzanz.tables import Stage, TableOptions
from byzanz.tables.model.passwords import hash_password
from tests.random_games import finished

from .comparing import Point, Servers, redealt
from .fixed_server import Course, FixedServer, Plan, two_servers
from .recorder import Recorder, compare
from .requests import exports

HASH = hash_password("blue card", b"0" * 16)
STEP = 20


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with two_servers(tmp_path_factory.mktemp("worlds")) as running:
        yield running


def course(server: FixedServer, seed: int, plan: Plan) -> Course:
    return Course.of(finished(plan.players, seed=seed), plan, server.people)


def with_tables(given: Course, **changes: object) -> Course:
    tables = tuple(replace(table, **changes) for table in given.tables)  # type: ignore[arg-type]
    return replace(given, tables=tables)


def paths(table: str) -> tuple[str, ...]:
    page, api = f"/table/{table}", f"/api/tables/{table}"
    return page, f"{page}/story", f"{page}/qr.svg", f"{page}/odds", api, *exports(api, page)


@pytest.mark.parametrize("observer", [None, 3])
def test_a_stranger_learns_nothing_of_a_locked_table(
    servers: Servers, observer: int | None
) -> None:
    recorders = []
    plans = Plan("locked", 3, TableOptions()), Plan("locked", 3, TableOptions(memory_aid=False))
    for seed, (server, plan) in enumerate(zip(servers, plans, strict=True)):
        steps = (STEP, 2 * STEP)[seed]
        server.load(with_tables(course(server, seed, plan), password=HASH), steps)
        with Recorder(server, "locked", observer, "de") as recorder:
            for path in paths("locked"):
                recorder.get(path)
            if observer is not None:
                recorder.post("/api/tables/locked/join", {"password": "red card"})
                recorder.post("/api/tables/locked/admission", {"password": "red card"})
            recorder.send("/table/locked/join", [("name", "Eve")], "text/html")
            recorder.send("/table/locked/password", [("password", "red card")], "text/html")
            with pytest.raises(InvalidStatus):
                recorder.open_sockets()
        server.clear("locked")
        recorders.append(recorder)
    assert compare(*recorders, "locked") > 1000


@pytest.mark.parametrize("observer", [None, 0, 2])
def test_a_game_ended_by_vote_keeps_its_hidden_cards_hidden(
    servers: Servers, observer: int | None
) -> None:
    plan = Plan("ended", 4, TableOptions())
    one = course(servers[0], 7, plan)
    recorders = []
    for server, each in zip(servers, (one, redealt(one, Point(STEP, observer, 7))), strict=True):
        chairs = tuple(replace(chair, votes_end=True) for chair in one.tables[STEP].chairs)
        server.load(with_tables(each, stage=Stage.ENDED, chairs=chairs), STEP, observer)
        with Recorder(server, "ended", observer, "hu") as recorder:
            for path in paths("ended"):
                # These open the whole deal; the QR code names the port.
                if not path.endswith(("record", "proof", "verify", "qr.svg")):
                    recorder.get(path)
            recorder.post("/api/tables/ended/vote", {})
            recorder.open_sockets()
        server.clear("ended")
        recorders.append(recorder)
    assert compare(*recorders, "ended") > 1000
