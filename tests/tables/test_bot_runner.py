"""Bots at tables: a bot cannot stall a table, and a restart does not change its answers."""

from __future__ import annotations

import asyncio
import time

import pytest
from sqlalchemy import select

from byzanz.bots import Bot, make_bot
from byzanz.bots.random_bot import RandomBot
from byzanz.rules import Action, Bid, Chance, Pass, Phase, Sell, View
from byzanz.tables import Accepted, BotSeat, Host, NewTable, Stage, TableOptions
from byzanz.tables.storage import schema

from .services import act, bots_done, chosen, limits, open_service, play_out, seated


class Raising(Bot):
    def choose(self, view: View) -> Action:
        raise RuntimeError("no idea")


class Cheating(Bot):
    interrupts = True

    def choose(self, view: View) -> Action:
        return Bid(())

    def sale(self, view: View) -> Sell | None:
        return Sell(view.hand[:2])


class Nonsense(Bot):
    """Answers with objects that are not actions, or with actions that have no valid cards."""

    interrupts = True

    def choose(self, view: View) -> Action:
        return Bid(("x",)) if self.chance.below(2) else "pass"  # type: ignore[arg-type,return-value]

    def sale(self, view: View) -> Sell | None:
        return Sell(("x",) * 3) if self.chance.below(2) else Pass()  # type: ignore[arg-type,return-value]


class Silent(Bot):
    def choose(self, view: View) -> Action:
        time.sleep(0.3)
        return make_bot("greedy", 0).choose(view)


class Peeping(Bot):
    """Plays like greedy and keeps the views that it gets."""

    seen: list[View] = []  # noqa: RUF012

    def choose(self, view: View) -> Action:
        self.seen.append(view)
        return make_bot("greedy", 0).choose(view)


class Patient(RandomBot):
    """Plays at random, but only on its turn: the order of sales out of turn is not fixed."""

    interrupts = False


def only(kind: type[Bot]):  # noqa: ANN201
    return lambda name, seed: kind(Chance(seed))


def missing(name: str, seed: int) -> Bot:
    raise LookupError(name)


@pytest.mark.parametrize("maker", [only(Raising), only(Cheating), only(Nonsense), missing])
async def test_a_failing_bot_never_stalls_a_table(sqlite_url: str, maker: object) -> None:
    async with open_service(sqlite_url, maker=maker) as service:
        table, guests = await seated(service, people=1, bots=2)
        await play_out(service, table, guests)
        assert (await service.look(table)).stage is Stage.FINISHED


async def test_a_silent_bot_is_replaced_by_a_safe_action_and_blocks_nobody(sqlite_url: str) -> None:
    settings = limits(bot_timeout_seconds=0.05, bot_threads=1)
    async with open_service(sqlite_url, maker=only(Silent), limits=settings) as service:
        table, guests = await seated(service, people=1, bots=2)
        await play_out(service, table, guests, most=3)
        assert (await service.look(table)).number >= 3


async def test_options_do_not_hide_anything_from_bots(sqlite_url: str) -> None:
    Peeping.seen.clear()
    options = TableOptions(memory_aid=False, open_profit=False)
    async with open_service(sqlite_url, maker=only(Peeping)) as service:
        table, guests = await seated(service, people=1, bots=2, options=options)
        await play_out(service, table, guests)
        game = await service.replay(table)
    assert {view.seat for view in Peeping.seen} == {1, 2}
    assert any(view.gone and view.players[0].known for view in Peeping.seen)
    assert any(len(view.course) > len(game.course) // 2 for view in Peeping.seen)


async def test_bots_play_the_same_game_through_restarts(url: str, tmp_path: object) -> None:
    records = []
    for restarts in (0, 6):
        address = f"sqlite:///{tmp_path}/again{restarts}.db" if restarts else url
        async with open_service(address, maker=only(Patient)) as service:
            guest = (await service.guests.create("Ann", "en")).id
            seats = (Host(), BotSeat("random"), BotSeat("random"))
            table = await service.create(guest, NewTable(seats))
        for _ in range(restarts):
            async with open_service(address, prefix="later", maker=only(Patient)) as service:
                await bots_done(service, table, [guest])
                await play_out(service, table, [guest], most=4)
        async with open_service(address, prefix="later", maker=only(Patient)) as service:
            await play_out(service, table, [guest])
            records.append(await service.record(table))
    assert records[0] == records[1]


async def test_after_a_restart_bots_play_on_by_themselves(url: str) -> None:
    async with open_service(url, automatic=False) as service:
        table, guests = await seated(service, people=3)
        for guest in guests:
            await service.leave(table, guest)
        assert (await service.look(table)).number == 0
    async with open_service(url) as service:
        for _ in range(2000):
            listed = await service.store.run(_stage_of(table))
            if listed == Stage.FINISHED:
                return
        raise AssertionError("no bot played on")


def _stage_of(table: str):  # noqa: ANN202
    query = select(schema.tables.c.stage).where(schema.tables.c.id == table)
    return lambda connection: connection.scalar(query)


async def test_r3_11_the_only_card_of_the_last_offer_is_given_by_the_table(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=5)
        while True:
            table_view = await service.look(table)
            (seat,) = table_view.waiting_for
            assert table_view.view is not None
            if table_view.view.phase is Phase.MARKET:
                break
            if len(table_view.view.offer) > 1:
                guest = guests[seat]
                action = chosen(await service.look(table, guest))
                answer = await act(service, table, guest, action, f"{table_view.version}")
                assert isinstance(answer, Accepted), answer
            else:
                await asyncio.sleep(0.01)
        *_, last = await service.store.run(_log_of(table))
        assert (last.by, last.action.split()[0]) == ("table", "give")


def _log_of(table: str):  # noqa: ANN202
    log = schema.log
    query = select(log).where(log.c.table_id == table).order_by(log.c.number)
    return lambda connection: connection.execute(query).all()
