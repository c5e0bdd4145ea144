"""Bots at the table: whatever they do, the table goes on; and a restart changes nothing."""

from __future__ import annotations

import asyncio
import time

import pytest
from sqlalchemy import select

from byzanz.bots import Bot, make_bot
from byzanz.bots.random_bot import RandomBot
from byzanz.rules import Action, Bid, Chance, Phase, Sell, View
from byzanz.tables import Accepted, BotSeat, Host, NewTable, Stage, TableOptions
from byzanz.tables.storage import schema

from .hosting import act, bots_done, chosen, house, limits, play_out, seated


class Raising(Bot):
    def choose(self, view: View) -> Action:
        raise RuntimeError("no idea")


class Cheating(Bot):
    interrupts = True

    def choose(self, view: View) -> Action:
        return Bid(())

    def sale(self, view: View) -> Sell | None:
        return Sell(view.hand[:2])


class Silent(Bot):
    def choose(self, view: View) -> Action:
        time.sleep(0.3)
        return make_bot("greedy", 0).choose(view)


class Peeping(Bot):
    """Plays as greedy does, and keeps what it was shown."""

    seen: list[View] = []  # noqa: RUF012

    def choose(self, view: View) -> Action:
        self.seen.append(view)
        return make_bot("greedy", 0).choose(view)


class Patient(RandomBot):
    """Plays by chance, but only on its turn: who is first out of turn is nobody's promise."""

    interrupts = False


def only(kind: type[Bot]):  # noqa: ANN201
    return lambda name, seed: kind(Chance(seed))


def missing(name: str, seed: int) -> Bot:
    raise LookupError(name)


@pytest.mark.parametrize("maker", [only(Raising), only(Cheating), missing])
async def test_a_failing_bot_never_stalls_a_table(sqlite_url: str, maker: object) -> None:
    async with house(sqlite_url, maker=maker) as home:
        table, guests = await seated(home, people=1, bots=2)
        await play_out(home, table, guests)
        assert (await home.look(table)).stage is Stage.FINISHED


async def test_a_silent_bot_is_answered_for_and_blocks_nobody(sqlite_url: str) -> None:
    settings = limits(bot_seconds=0.05, thinkers=1)
    async with house(sqlite_url, maker=only(Silent), limits=settings) as home:
        table, guests = await seated(home, people=1, bots=2)
        await play_out(home, table, guests, most=3)
        assert (await home.look(table)).number >= 3


async def test_a_bot_is_shown_its_whole_view_whatever_people_are_shown(sqlite_url: str) -> None:
    Peeping.seen.clear()
    options = TableOptions(memory_aid=False, open_profit=False)
    async with house(sqlite_url, maker=only(Peeping)) as home:
        table, guests = await seated(home, people=1, bots=2, options=options)
        await play_out(home, table, guests)
        game = await home.replay(table)
    assert {view.seat for view in Peeping.seen} == {1, 2}
    assert any(view.gone and view.players[0].known for view in Peeping.seen)
    assert any(len(view.course) > len(game.course) // 2 for view in Peeping.seen)


async def test_bots_play_the_same_game_through_restarts(url: str, tmp_path: object) -> None:
    records = []
    for restarts in (0, 6):
        address = f"sqlite:///{tmp_path}/again{restarts}.db" if restarts else url
        async with house(address, maker=only(Patient)) as home:
            guest = (await home.welcome("Ann", "en")).id
            seats = (Host(), BotSeat("random"), BotSeat("random"))
            table = await home.create(guest, NewTable(seats))
        for _ in range(restarts):
            async with house(address, prefix="later", maker=only(Patient)) as home:
                await bots_done(home, table, [guest])
                await play_out(home, table, [guest], most=4)
        async with house(address, prefix="later", maker=only(Patient)) as home:
            await play_out(home, table, [guest])
            records.append(await home.record(table))
    assert records[0] == records[1]


async def test_after_a_restart_bots_go_on_without_anybody_looking(url: str) -> None:
    async with house(url, automatic=False) as home:
        table, guests = await seated(home, people=3)
        for guest in guests:
            await home.leave(table, guest)
        assert (await home.look(table)).number == 0
    async with house(url) as home:
        for _ in range(2000):
            listed = await home.store.run(_stage_of(table))
            if listed == Stage.FINISHED:
                return
        raise AssertionError("no bot went on")


def _stage_of(table: str):  # noqa: ANN202
    query = select(schema.tables.c.stage).where(schema.tables.c.id == table)
    return lambda connection: connection.scalar(query)


async def test_r3_11_the_only_card_of_the_last_offer_is_given_by_the_table_itself(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=5)
        seats = dict(enumerate(guests))
        while True:
            sight = await home.look(table)
            (seat,) = sight.waiting_for
            assert sight.view is not None
            if sight.view.phase is Phase.MARKET:
                break
            if len(sight.view.offer) > 1:
                guest = seats[seat]
                action = chosen(await home.look(table, guest))
                answer = await act(home, table, guest, action, f"{sight.version}")
                assert isinstance(answer, Accepted), answer
            else:
                await asyncio.sleep(0.01)
        *_, last = await home.store.run(_lines_of(table))
        assert (last.by, last.action.split()[0]) == ("table", "give")


def _lines_of(table: str):  # noqa: ANN202
    lines = schema.log
    query = select(lines).where(lines.c.table_id == table).order_by(lines.c.number)
    return lambda connection: connection.execute(query).all()
