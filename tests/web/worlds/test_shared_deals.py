"""A shared deal is the same to everybody who has not finished it, whatever its cards are.

The two servers have different secrets, so that the deals of a day differ. Others play them to the
end, with different results. The observer has not begun, and every byte must be the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from sqlalchemy import Connection

from byzanz.bots import make_bot
from byzanz.tables import SharedDeal
from byzanz.tables.model.commands import act_as_bot
from byzanz.tables.model.table import Change, Table
from byzanz.tables.service.live_tables import LiveTables
from byzanz.tables.storage import deal_rows

from .comparing import Servers
from .fixed_server import NOW, FixedServer, two_servers
from .leaks import Plant
from .recorder import Leak, Recorder, compare

DAY = "2023-11-14"
FRIENDS = "friends"
"""The id of a deal for friends."""
OBSERVER, PLAYER = 0, 1


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with two_servers(tmp_path_factory.mktemp("deals")) as running:
        for server, secret in zip(running, ("one", "other"), strict=True):
            server.do(server.service.store.secret("shared deals", secret))
            made = SharedDeal(FRIENDS, NOW, 1, ("greedy", "greedy"), server.people[PLAYER].id)
            server.do(server.service.store.run(partial(deal_rows.add_deal, deal=made)))
            for deal in (DAY, FRIENDS):
                server.do(_play(server, deal))
        yield running


async def _play(server: FixedServer, deal: str) -> None:
    """Play the deal as another guest to the end."""
    service, bot = server.service, make_bot("greedy", 1)
    table = await service.deals.play(deal, server.people[PLAYER].id)

    def step(found: Table) -> Change:
        assert found.game is not None
        seat = found.waiting_for[0]
        return act_as_bot(found, seat, bot.choose(found.game.view(seat)), NOW)

    while (await service._tables.change(table, step)).waiting_for:
        pass


def recorded(server: FixedServer) -> Recorder:
    """Record what the observer gets of a deal of the day and of a deal for friends."""
    with Recorder(server, "", OBSERVER, "en") as recorder:
        for path in ("/daily", f"/daily/{DAY}", "/api/daily", f"/api/daily/{DAY}", "/games", "/"):
            recorder.get(path)
        recorder.get(f"/duplicate/{FRIENDS}", {"host": "byzanz.test"})  # the page has its address
        recorder.get(f"/api/duplicates/{FRIENDS}")
        recorder.get(f"/api/duplicates/{FRIENDS}/results")
        for deal in (DAY, FRIENDS):
            _record_table(recorder, _finished(server, deal)[0])
    return recorder


def _record_table(recorder: Recorder, table: str) -> None:
    """Request another guest's finished table in every way."""
    api, page = f"/api/tables/{table}", f"/table/{table}"
    for path in (page, f"{page}/story", f"{page}/record", f"{page}/replay", f"{page}/result"):
        recorder.get(path)
    recorder.get(f"{page}/replay/steps?from=0&seat=1&open=1")
    recorder.get(f"{page}/result.png")
    for path in (api, f"{api}/record", f"{api}/replay?seat=1&step=2", f"{api}/ratings"):
        recorder.get(path)
    recorder.post(f"{api}/actions", {"action": "pass", "key": "k", "decision": 0})
    recorder.post(f"{api}/undo", {"undo": 0, "key": "u"})
    recorder.post(f"{api}/say", {"phrase": "hello"})
    for command in ("join", "leave", "rematch"):
        recorder.post(f"{api}/{command}", None if command == "leave" else {})


def test_nothing_of_a_deal_is_shown_to_whoever_has_not_finished_it(servers: Servers) -> None:
    for deal in (DAY, FRIENDS):
        games = [server.do(server.service.replay(*_finished(server, deal))) for server in servers]
        assert games[0].deal != games[1].deal
        assert games[0].result != games[1].result
    one, other = map(recorded, servers)
    assert compare(one, other, "shared deals") > 10_000


def _finished(server: FixedServer, deal: str) -> tuple[str, str]:
    """Return the other guest's table, and the guest."""
    guest = server.people[PLAYER].id
    table = server.do(server.service.deals.standing(deal, guest)).table
    assert table is not None
    return table, guest


def _visible(patch: pytest.MonkeyPatch) -> None:
    async def check(self: LiveTables, table: Table, guest: str | None) -> None:
        return None

    patch.setattr(LiveTables, "check_visible", check)


def _profits(patch: pytest.MonkeyPatch) -> None:
    def count(connection: Connection, deal: str) -> int:
        return sum(deal_rows.ranked_profits(connection, deal))

    patch.setattr(deal_rows, "count_ranked", count)


@pytest.mark.parametrize("plant", [_visible, _profits])
def test_a_planted_leak_is_found(
    servers: Servers, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        compare(*map(recorded, servers), "shared deals")
