"""Shared deals: the same game for everybody, one try each, and nothing shown before the end."""

from __future__ import annotations

import time
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from byzanz.bots.bot import StatelessBot
from byzanz.rules import Action, Chance, Deal, Pass, View
from byzanz.tables import (
    Declined,
    Guest,
    Refused,
    SharedDeal,
    Stage,
    Standing,
    TableReason,
    TableService,
    backup,
    days_before,
    restore,
)
from byzanz.tables.model import commands
from byzanz.tables.model.commands import Creation
from byzanz.tables.model.shared_deals import daily_deal, dealt, is_day, steady_bots
from byzanz.tables.model.table import Table
from byzanz.tables.service.bot_pool import BotPool
from byzanz.tables.storage import deal_rows, schema

from .services import Clock, act, open_service, play_out

BOTS = ("novice", "greedy")
DAY = 24 * 3600.0
NOW = Clock().now
TODAY = "2023-11-14"


async def guest(service: TableService, name: str = "Ann") -> str:
    return (await service.guests.create(name, "en")).id


async def finished(service: TableService, deal: str, name: str = "Ann") -> tuple[str, str]:
    """Play the deal to the end as somebody new; return the guest and the table."""
    player = await guest(service, name)
    table = await service.deals.play(deal, player)
    await play_out(service, table, [player], viewer=player)
    return player, table


async def reason(command: Awaitable[object]) -> TableReason:
    with pytest.raises(Declined) as declined:
        await command
    return declined.value.reason


def test_the_deal_of_a_day_follows_from_the_secret_and_the_date() -> None:
    one = daily_deal(TODAY, BOTS, "secret", NOW)
    assert one == daily_deal(TODAY, BOTS, "secret", NOW)
    deals = {
        (day, secret): dealt(daily_deal(day, BOTS, secret, NOW), secret)
        for day in (TODAY, *days_before(TODAY, 30))
        for secret in ("secret", "other")
    }
    assert len({cards.deck for cards, _ in deals.values()}) == len(deals)
    assert len({seed for _, seed in deals.values()}) == len(deals)
    seats = {daily_deal(day, BOTS, "secret", NOW).seat for day in days_before(TODAY, 60)}
    assert seats == {0, 1, 2, 3}


def test_a_day_in_the_future_or_long_ago_has_no_deal() -> None:
    daily_deal(days_before(TODAY, 365)[-1], BOTS, "secret", NOW)
    for day in ("2023-11-15", "2022-11-13", "2023-11-31", "x"):
        with pytest.raises(Declined):
            daily_deal(day, BOTS, "secret", NOW)
    assert not is_day("20231114")


def test_bots_whose_play_depends_on_time_play_no_shared_deal() -> None:
    offered = (
        "random",
        "passive",
        "emperor",
        "strategist@2s",
        "py:bot.py:Bot",
        "level9",
        "level10",
    )
    assert steady_bots(offered) == ("passive", "level9")


async def test_equal_play_gives_equal_games_whoever_plays(url: str) -> None:
    async with open_service(url, bots=BOTS, seed=5) as service:
        tables = [(await finished(service, TODAY, name))[1] for name in ("Ann", "Ben")]
        assert tables[0] != tables[1]
        players = await service.deals.find(TODAY)
        games = []
        for table in tables:
            owner = next(each for each in await _tries(service, TODAY) if each.table == table).guest
            games.append(await service.replay(table, owner))
        assert games[0].deal == games[1].deal
        for seat in range(players.players):  # in the final sale they act in any order
            acted = [[play for play in game.plays if play.seat == seat] for game in games]
            assert acted[0] == acted[1]
        assert games[0].result == games[1].result


async def _tries(service: TableService, deal: str) -> tuple[deal_rows.Try, ...]:
    return await service.store.run(lambda connection: deal_rows.tries_at(connection, deal))


async def test_a_guest_has_one_try_and_it_is_ranked_on_its_day(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock, bots=BOTS) as service:
        assert service.deals.today == TODAY
        ann = await guest(service)
        table = await service.deals.play(TODAY, ann)
        assert await service.deals.play(TODAY, ann) == table
        standing = await service.deals.standing(TODAY, ann)
        assert (standing.table, standing.ranked, standing.finished) == (table, True, False)
        yesterday = days_before(TODAY, 1)[0]
        await service.deals.play(yesterday, ann)
        assert not (await service.deals.standing(yesterday, ann)).ranked
        assert await reason(service.deals.play("2023-11-15", ann)) is TableReason.NO_SUCH_DEAL
        clock.now += DAY
        assert service.deals.today == "2023-11-15"
        assert await service.deals.play(TODAY, ann) == table
        assert (await service.deals.standing(TODAY, ann)).ranked
        ben = await guest(service)
        await service.deals.play(TODAY, ben)
        assert not (await service.deals.standing(TODAY, ben)).ranked


async def test_nothing_can_be_taken_back(sqlite_url: str) -> None:
    async with open_service(sqlite_url, bots=BOTS, automatic=False) as service:
        ann = await guest(service)
        deal = await service.deals.create(ann, ("novice", "novice"), 0)
        table = await service.deals.play(deal.id, ann)
        assert (await service.look(table, ann)).waiting_for == (0,)
        await act(service, table, ann, Pass(), "a")
        table_view = await service.look(table, ann)
        assert (table_view.undo, table_view.shared_deal) == (None, deal.id)
        answer = await service.undo(table, ann, 0, "u")
        assert isinstance(answer, Refused)
        assert answer.code is TableReason.NO_UNDO


async def test_only_whoever_has_finished_the_deal_sees_it(url: str) -> None:
    async with open_service(url, bots=BOTS) as service:
        ann, table = await finished(service, TODAY)
        ben = await guest(service, "Ben")
        own = await service.deals.play(TODAY, ben)

        async def views(viewer: str | None, seen: str) -> None:
            for command in (
                service.look(seen, viewer),
                service.replay(seen, viewer),
                service.record(seen, viewer),
                service.act(seen, viewer or "", Pass(), decision=0, key="k"),
                service.undo(seen, viewer or "", 0, key="u"),
            ):
                assert await reason(command) is TableReason.NOT_PLAYED
            with pytest.raises(Declined):
                async with service.subscribe(seen, viewer):
                    pass

        for viewer in (None, ben, "nobody"):
            await views(viewer, table)
        await views(ann, own)  # a game in play is nobody else's to see
        assert await reason(service.deals.tries(TODAY, ben)) is TableReason.NOT_PLAYED
        before = await service.deals.standing(TODAY, ben)
        assert (before.finished_by, before.profits, before.profit) == (1, None, None)
        await play_out(service, own, [ben], viewer=ben)
        await service.look(table, ben)
        await service.look(own, ann)
        assert await service.record(table, ben) == await service.record(table, ann)
        assert (await service.deals.standing(TODAY, ben)).profits is not None
        assert len(await service.deals.tries(TODAY, ben)) == 2
        assert await reason(service.look(table, None)) is TableReason.NOT_PLAYED


def test_the_standing_compares_profits() -> None:
    def standing(profit: int, profits: tuple[int, ...], *, ranked: bool = True) -> Standing:
        return Standing(
            deal="d",
            players=4,
            seat=0,
            bots=(),
            finished_by=len(profits),
            ranked=ranked,
            finished=True,
            profit=profit,
            profits=profits,
        )

    assert standing(20, (30, 20, 20, 10)).rank == 2
    assert standing(20, (30, 20, 20, 10)).beaten == pytest.approx(1 / 3)
    assert standing(9, (9,)).beaten is None
    assert standing(9, (8,), ranked=False).beaten == 1.0
    assert (standing(9, (9,)).rank, standing(1, (3, 2), ranked=False).rank) == (1, 3)


async def test_a_rematch_has_a_deal_of_its_own(sqlite_url: str) -> None:
    async with open_service(sqlite_url, bots=BOTS) as service:
        ann, table = await finished(service, TODAY)
        again = await service.rematch(table, ann, rotated=True)
        assert (await service.look(again, ann)).shared_deal is None
        assert (await service.look(again)).stage is Stage.PLAYING  # everybody may watch it
        deal = (await service.replay(table, ann)).deal
        await play_out(service, again, [ann])
        assert (await service.replay(again)).deal != deal


async def test_a_deal_for_friends_needs_bots_that_do_not_depend_on_time(sqlite_url: str) -> None:
    async with open_service(sqlite_url, bots=(*BOTS, "emperor")) as service:
        ann = await guest(service)
        for bots, seat, why in (
            (("emperor", "novice"), 0, TableReason.UNKNOWN_BOT),
            (("novice",), 0, TableReason.BAD_PLAN),
            (("novice",) * 6, 0, TableReason.BAD_PLAN),
            (("novice",) * 2, 3, TableReason.NOT_A_SEAT),
        ):
            assert await reason(service.deals.create(ann, bots, seat)) is why
        deal = await service.deals.create(ann, ("greedy", "novice"), 1)
        assert await service.deals.find(deal.id) == deal
        table = await service.deals.play(deal.id, ann)
        found = await service.look(table, ann)
        assert [sitter.bot for sitter in found.sitters] == ["greedy", None, "novice"]
        assert await reason(service.deals.find("none")) is TableReason.NO_SUCH_DEAL
        assert await reason(service.deals.find("\0")) is TableReason.NO_SUCH_DEAL


async def test_tries_are_forgotten_kept_in_backups_and_unused_deals_are_deleted(
    url: str, tmp_path: Path
) -> None:
    clock, file = Clock(), tmp_path / "backup.jsonl"
    async with open_service(url, clock, bots=BOTS) as service:
        ann, _ = await finished(service, TODAY)
        ben, _ = await finished(service, TODAY, "Ben")
        made = await service.deals.create(ann, ("novice", "novice"))
        await service.guests.forget(ann)
        assert (await service.deals.standing(TODAY, ben)).finished_by == 1
        assert (await service.deals.find(made.id)).host is None
        standing = await service.deals.standing(TODAY, ben)
        backup(url, file)
        clock.now += 31 * DAY
        await service.maintenance.clean_up()
        assert await reason(service.deals.find(made.id)) is TableReason.NO_SUCH_DEAL
        assert (await service.deals.standing(TODAY, ben)).finished_by == 1
    other = f"sqlite:///{tmp_path}/restored.db"
    restore(file, other)
    assert f'"{ann}"' not in file.read_text(encoding="utf-8")
    async with open_service(other, Clock(), bots=BOTS, automatic=False) as service:
        assert await service.deals.standing(TODAY, ben) == standing


async def test_a_thousand_players_are_compared_within_a_moment(url: str) -> None:
    async with open_service(url, bots=BOTS) as service:
        ann, table = await finished(service, TODAY)
        await service.store.run(lambda connection: add_tries(connection, TODAY, table, 1000))
        took = []
        for _ in range(5):
            start = time.perf_counter()
            standing = await service.deals.standing(TODAY, ann)
            leaders = await service.deals.leaders(TODAY, ann, 3)
            took.append(time.perf_counter() - start)
        assert standing.finished_by == len(standing.profits or ()) == 1001
        assert [each.profit for each in leaders] == [30, 30, 30]
        assert min(took) < 0.2
        stranger = (await service.guests.create("Ben", "en")).id
        assert await reason(service.deals.leaders(TODAY, stranger, 3)) is TableReason.NOT_PLAYED


def add_tries(connection, deal: str, like: str, count: int) -> None:  # noqa: ANN001
    """Add finished tries of so many other guests, as copies of one."""
    tables, results = schema.tables, schema.results
    table = connection.execute(select(tables).where(tables.c.id == like)).mappings().one()
    result = connection.execute(select(results).where(results.c.table_id == like)).mappings().one()
    ids = [f"copy-{number:04}" for number in range(count)]
    seats = schema.seats
    mine = select(seats).where(seats.c.table_id == like, seats.c.guest.is_not(None))
    seat = connection.execute(mine).mappings().one()
    connection.execute(insert(tables), [{**table, "id": each} for each in ids])
    copies = [{**seat, "table_id": each, "guest": f"g-{each}"} for each in ids]
    connection.execute(insert(seats), copies)
    connection.execute(
        insert(results),
        [
            {**result, "table_id": each, "guest": f"g-{each}", "profit": number % 31}
            for number, each in enumerate(ids)
        ],
    )
    connection.execute(
        insert(schema.tries),
        [
            {"deal": deal, "guest": f"g-{each}", "table_id": each, "ranked": True, "started": 0.0}
            for each in ids
        ],
    )


class Noting(StatelessBot):
    """Passes, and notes what chance would decide."""

    noted: list[int] = []  # noqa: RUF012

    def choose(self, view: View) -> Action:
        self.noted.append(self.chance.word())
        return Pass()


async def test_a_sale_out_of_turn_does_not_change_what_chance_decides() -> None:
    async def seed_of(table: Table) -> int:
        pool = BotPool(1, 10.0, lambda _, seed: Noting(Chance(seed)))
        await pool.choose(table, 1)
        pool.close()
        return Noting.noted[-1]

    plan, ann = SharedDeal("x", 0.0, 0, ("novice",) * 2).plan, Guest("ann", None, "en", 0, 0)
    creation = Creation("t", lambda players: Deal.from_seed(players, 1), 7, 0.0)
    shared = replace(commands.create(ann, plan, creation), shared_deal="x", decision=3)
    asked = [await seed_of(replace(shared, number=number)) for number in (3, 4)]
    assert asked[0] == asked[1]
    assert await seed_of(replace(shared, decision=4)) != asked[0]
    own = replace(shared, shared_deal=None)
    assert await seed_of(replace(own, number=3)) != await seed_of(replace(own, number=4))
