"""Finished games: their results are stored, found, counted, exported and forgotten."""

from __future__ import annotations

import asyncio
import io
import time
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select, update

from byzanz.coach.results import VERSION, Luck, Review, SeatReview
from byzanz.notation import judge, write_action
from byzanz.rules import Sell, kept, profit
from byzanz.tables import (
    MIXED,
    PEOPLE,
    BotSeat,
    Estimate,
    GameFilter,
    GameResult,
    Guest,
    Host,
    LuckSoFar,
    NewTable,
    Outcome,
    TableService,
    backup,
    place,
    restore,
    statistics,
)
from byzanz.tables.model import commands
from byzanz.tables.model.commands import Creation
from byzanz.tables.model.statistics import set_profit
from byzanz.tables.model.table import Actor, LogEntry
from byzanz.tables.service.records import record_from_log, record_of
from byzanz.tables.storage import schema, table_rows
from tests.random_games import finished as random_game

from .services import Clock, open_service, play_out, seated


async def finished(service: TableService, people: int, bots: int) -> tuple[str, list[str]]:
    table, guests = await seated(service, people=people, bots=bots)
    await play_out(service, table, guests)
    return table, guests


def game(**changes: object) -> GameResult:
    """Return a result, with some changes."""
    plain: dict[str, object] = {
        "table": "t",
        "seat": 0,
        "finished": 0.0,
        "players": 4,
        "place": 2,
        "profit": 10,
        "share": 0.0,
        "sold": (),
        "opponents": "level1",
        "undone": 0,
        "hints": 0,
    }
    return GameResult(**{**plain, **changes})  # type: ignore[arg-type]


WON = {"place": 1, "share": 1.0}


async def test_a_finished_game_has_a_result_for_every_person(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock) as service:
        table, guests = await seated(service, people=2, bots=2)
        assert await service.history.games(guests[0]) == ()
        clock.now += 60
        await play_out(service, table, guests)
        played = await service.replay(table)
        for seat, guest in enumerate(guests):
            (found,) = await service.history.games(guest)
            sold = [
                play.action.cards
                for play in played.plays
                if play.seat == seat and isinstance(play.action, Sell)
            ]
            assert found == game(
                table=table,
                seat=seat,
                finished=clock.now,
                place=place(played.result, seat),
                profit=played.result.profit[seat],
                share=(seat in played.result.winners) / len(played.result.winners),
                sold=found.sold,
                opponents=PEOPLE,
            )
            assert [set_profit(cards) for cards in found.sold] == [
                profit([kept(cards)]) for cards in sold
            ]
            assert sum(map(set_profit, found.sold)) == found.profit


async def test_whoever_left_for_good_has_no_result(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=2, bots=1)
        await service.leave(table, guests[1])
        await play_out(service, table, guests[:1])
        assert len(await service.history.games(guests[0])) == 1
        assert await service.history.games(guests[1]) == ()


async def test_the_opponents_are_one_bot_different_bots_or_people(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        for others in (("greedy", "greedy"), ("greedy", "random")):
            guest = (await service.guests.create(None, "en")).id
            seats = [BotSeat(bot) for bot in others]
            table = await service.create(guest, NewTable((seats[0], Host(), seats[1])))
            await play_out(service, table, [guest])
            (found,) = await service.history.games(guest)
            assert found.opponents == (others[0] if len(set(others)) == 1 else MIXED)
            assert await service.history.opponents(guest) == (found.opponents,)


async def test_filters_choose_games(url: str) -> None:
    async with open_service(url) as service:
        table, (guest,) = await finished(service, people=1, bots=2)
        rows = [
            game(table="a", finished=1.0, **WON),
            game(table="b", finished=2.0, players=3),
            game(table="c", finished=3.0, opponents="level2"),
        ]
        await _store(service, table, guest, rows)

        async def found(**wanted: object) -> str:
            games = await service.history.games(guest, GameFilter(**wanted))  # type: ignore[arg-type]
            return "".join(each.table for each in games)

        assert await found() == "cba"
        assert await found(players=4) == "ca"
        assert await found(opponents="level2") == "c"
        assert await found(outcome=Outcome.WON) == "a"
        assert await found(outcome=Outcome.LOST) == "cb"
        assert await found(since=2.0, players=3) == "b"
        assert await found(since=4.0) == ""


async def _store(service: TableService, like: str, guest: str, games: list[GameResult]) -> None:
    """Replace the guest's results by these; each gets a copy of the table for its own."""

    def job(connection) -> None:  # noqa: ANN001
        t, r = schema.tables, schema.results
        row = connection.execute(select(t).where(t.c.id == like)).mappings().one()
        chairs = table_rows.load_table(connection, like)
        assert chairs is not None
        connection.execute(delete(r))
        connection.execute(insert(t), [{**row, "id": each.table} for each in games])
        s = schema.seats
        sitting = connection.execute(select(s).where(s.c.table_id == like)).mappings().all()
        connection.execute(
            insert(s), [{**seat, "table_id": each.table} for each in games for seat in sitting]
        )
        connection.execute(
            insert(r),
            [
                {
                    **{name: getattr(each, name) for name in each.__struct_fields__[1:]},
                    "sold": ", ".join(each.sold),
                    "table_id": each.table,
                    "guest": guest,
                }
                for each in games
            ],
        )

    await service.store.run(job)


async def test_games_finished_before_results_were_stored_are_added_once(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock, automatic=True) as service:
        table, guests = await finished(service, people=2, bots=1)
        before = [await service.history.games(guest) for guest in guests]
        clock.now += 1000
        await service.rematch(table, guests[0])  # which is a later change of the table
        await service.store.run(
            lambda connection: connection.execute(delete(schema.results)) and None
        )
        assert await service.history.games(guests[0]) == ()
        for _ in range(2):
            await service.history.fill()
            assert [await service.history.games(guest) for guest in guests] == before


async def test_the_records_of_all_games_are_exported_oldest_first(sqlite_url: str) -> None:
    clock = Clock()
    async with open_service(sqlite_url, clock) as service:
        first, guests = await finished(service, people=1, bots=2)
        clock.now += 10
        second = await service.rematch(first, guests[0])
        await play_out(service, second, guests)
        text = "".join([record async for record in service.history.records(guests[0])])
        assert text == await service.record(first) + await service.record(second)
        assert [verdict.error for verdict in judge(io.BytesIO(text.encode()))] == [None, None]


async def test_results_are_forgotten_with_the_guest_and_deleted_with_the_table(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await finished(service, people=2, bots=1)
        await service.guests.forget(guests[0])
        assert await service.history.games(guests[0]) == ()
        await service.history.fill()  # nothing brings them back
        assert len(await service.history.games(guests[1])) == 1
        await service.store.run(lambda connection: table_rows.drop_table(connection, table))
        assert await service.history.games(guests[1]) == ()


async def test_results_are_in_a_backup(url: str, tmp_path: Path) -> None:
    file, other = tmp_path / "backup.jsonl", f"sqlite:///{tmp_path}/restored.db"
    async with open_service(url) as service:
        _, guests = await finished(service, people=1, bots=2)
        found = await service.history.games(guests[0])
        backup(url, file)
    restore(file, other)
    async with open_service(other, automatic=False) as service:
        assert await service.history.games(guests[0]) == found != ()


def test_statistics_of_no_games_are_empty() -> None:
    found = statistics(())
    assert (found.games, found.won, found.streak, found.profit) == (0, 0, 0, None)
    assert (found.best_set, found.favourite) == (None, None)
    assert found.by_opponents == found.by_players == ()


def test_statistics_count_games_newest_first() -> None:
    found = statistics(
        [
            game(profit=20, **WON, sold=("C4 C1 M", "M M M"), table="new"),
            game(profit=10, place=1, share=0.5, players=3, sold=("W3 W2 W1",)),
            game(profit=6, opponents=PEOPLE, sold=("C4 C3 C2",), table="old"),
            game(profit=4, **WON, opponents="level2"),
        ]
    )
    assert (found.games, found.won, found.streak) == (4, 3, 2)
    assert found.profit is not None
    assert found.profit.value == 10
    assert (found.profit.low or 0) < 10 < (found.profit.high or 0)
    assert found.best_set is not None
    assert (found.best_set.cards, found.best_set.profit) == ("M M M", 5)
    assert found.favourite is not None
    assert (found.favourite.good, found.favourite.sets) == ("C", 2)
    assert [each.group for each in found.by_opponents] == ["level1", "level2", PEOPLE]
    first = found.by_opponents[0]
    assert (first.games, first.wins.value) == (2, 0.75)
    assert first.fair == pytest.approx((1 / 4 + 1 / 3) / 2)
    assert [each.group for each in found.by_players] == ["3", "4"]
    assert found.by_opponents[1].wins.low is None  # one game tells nothing of the spread


def test_the_best_set_is_the_first_of_equal_ones() -> None:
    found = statistics(
        [game(sold=("C4 C1 M",), table="new"), game(sold=("W4 W4 W1",), table="old")]
    )
    assert found.best_set is not None
    assert found.best_set.table == "old"


def test_statistics_of_a_thousand_games_are_quick() -> None:
    games = [
        game(
            place=1 + number % 4,
            share=float(number % 4 == 0),
            profit=number % 23,
            opponents=f"level{1 + number % 10}",
            players=3 + number % 4,
            sold=("C4 C1 M", "W3 W2 W1", "M M M"),
        )
        for number in range(1000)
    ]
    statistics(games[:50])
    start = time.process_time()
    statistics(games)
    assert time.process_time() - start < 0.1


@pytest.mark.parametrize("seed", range(24))
def test_a_record_from_the_log_is_the_record_of_the_replayed_table(seed: int) -> None:
    """Also with ties for the win, and with decisions that were taken back."""
    game = random_game(3 + seed % 4, seed=seed)
    guest = Guest("g", "Anna", "en", 0.0, 0.0)
    seats = (Host(), *[BotSeat("greedy")] * (len(game.deal.hands) - 1))
    made = Creation("t", lambda _: game.deal, 1, 1e9)
    begun = commands.create(guest, NewTable(seats), made)
    taken = 2 * seed if seed % 2 else None
    log: list[LogEntry] = []
    for step, play in enumerate(game.plays):
        log.append(LogEntry(len(log), 0.0, play.seat, write_action(play.action), Actor.PERSON))
        if step == taken:
            log.append(LogEntry(len(log), 0.0, play.seat, f"undo {log[-1].number}", Actor.PERSON))
            log.append(LogEntry(len(log), 0.0, play.seat, log[-2].action, Actor.PERSON))
    table = begun
    for entry in log:
        table = table_rows.replayed(table, entry)
    assert table.undone == (taken is not None and taken < len(game.plays))
    assert record_from_log(begun, game.deal, log) == record_of(table)


async def test_a_review_adds_accuracy_and_luck_to_the_results(sqlite_url: str) -> None:
    async def reviewer(record: str, worlds: int, progress: object) -> Review:
        luck = Luck(start=33.0, end=100.0, luck=12.5, own=-5.0, rest=59.5)
        own = SeatReview(0, (), 80.0, (), luck)
        return Review(VERSION, "net", 2, 3, len(record.splitlines()) - 2, (own,))

    async with open_service(sqlite_url, reviewer=reviewer) as service:
        table, guests = await finished(service, people=1, bots=2)
        assert statistics(await service.history.games(guests[0])).luck is None
        await service.reviews.request(table, guests[0])
        async with asyncio.timeout(60):
            while (await service.reviews.status(table, guests[0])).state != "done":
                await asyncio.sleep(0.02)
        (result,) = await service.history.games(guests[0])
        assert (result.accuracy, result.luck) == (0.8, 12.5)
        assert statistics([result, game()]).luck == LuckSoFar(1, 12.5, Estimate(12.5))
        unlucky = statistics([game(luck=-10.0), game(luck=-14.0)]).luck
        assert unlucky is not None
        average = unlucky.average
        assert average.low is not None
        assert average.high is not None
        assert average.low < average.value == -12 < average.high
        r = schema.results
        await service.store.run(
            lambda connection: (
                connection.execute(update(r).values(accuracy=None, luck=None)) and None
            )
        )
        await service.reviews.fill()  # as for reviews of earlier versions
        assert await service.history.games(guests[0]) == (result,)
