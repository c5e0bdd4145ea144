"""Ratings: which games count, for whom, and that they can be computed again."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from scripts.rate_bots import rated
from sqlalchemy import select

from byzanz.arena.bot_ratings import bot_skills
from byzanz.arena.skill import SURE, Skill, rate, rate_all
from byzanz.bots import LEVELS
from byzanz.tables import (
    BotSeat,
    Declined,
    Host,
    NewTable,
    Stage,
    TableOptions,
    TableReason,
    TableService,
    backup,
    recompute_ratings,
    restore,
)
from byzanz.tables.model.ratings import MOST_MEETINGS, RatedSeat, rated_skills
from byzanz.tables.storage import schema

from .services import Clock, limits, open_service, play_out, seated

RATED = TableOptions(rated=True, think_seconds=600)
QUICK = limits(hide_thinking_times=False)
GAMES = Path(__file__).parents[1] / "data" / "bot_games.jsonl"


async def finished(
    service: TableService, people: int = 2, bots: int = 2, options: TableOptions = RATED
) -> tuple[str, list[str]]:
    table, guests = await seated(service, people=people, bots=bots, options=options)
    await play_out(service, table, guests)
    return table, guests


def results(players: int) -> list[tuple[list[str], list[int]]]:
    rows = [json.loads(line) for line in GAMES.read_text(encoding="utf-8").splitlines()]
    return [(row["bots"], row["places"]) for row in rows if row["players"] == players]


def test_ten_bots_are_recovered_in_the_right_order_from_2000_games() -> None:
    """The bots are ``random`` and nine levels, in the order that other games have shown."""
    games, bots = results(4), ["random", *LEVELS[:-1]]
    skills = rate_all(games)
    assert len(games) == 2000
    assert sorted(bots, key=lambda name: skills[name].mu) == bots
    assert all(skills[name].sigma < SURE for name in LEVELS[:-1])
    for name in LEVELS[:-1]:  # the committed ratings come from other games
        assert skills[name].mu == pytest.approx(bot_skills(4)[name].mu, abs=4)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_level_is_rated_above_the_one_below(players: int) -> None:
    skills = bot_skills(players)
    assert sorted(LEVELS, key=lambda name: skills[name].mu) == list(LEVELS)
    assert not any(skills[name].provisional for name in LEVELS)
    assert {"random", "greedy", "novice", "trader", "passive"} <= skills.keys()


def test_the_committed_ratings_follow_from_the_committed_games() -> None:
    rows = [json.loads(line) for line in GAMES.read_text(encoding="utf-8").splitlines()]
    for players, ratings in rated(rows).items():
        found = {name: list(skill) for name, skill in bot_skills(int(players)).items()}
        assert found == ratings


def test_a_win_raises_a_rating_and_makes_it_surer() -> None:
    one, two, three = rate([Skill()] * 3, [1, 2, 2])
    assert one.mu > Skill().mu > two.mu == three.mu
    assert one.sigma < Skill().sigma
    assert Skill().points == 1500
    assert Skill().provisional


def test_whoever_abandons_is_last_and_the_others_are_compared_without_them() -> None:
    seats = [
        RatedSeat(0, "a", None, 1, abandoned=True),
        RatedSeat(1, "b", None, 2, abandoned=False),
        RatedSeat(2, None, "level5", 3, abandoned=False),
    ]
    before = [Skill(), Skill(), bot_skills(3)["level5"]]
    after = rated_skills(seats, before)
    assert after[0] == rate(before, [4, 2, 3])[0]
    assert after[0].mu < Skill().mu
    assert after[1] == rate(before[1:], [2, 3])[0]
    assert after[2] == before[2]


async def test_a_finished_rated_game_is_rated_with_its_results(url: str) -> None:
    async with open_service(url, limits=QUICK) as service:
        table, guests = await finished(service)
        changes = await service.ratings.changes(table)
        board = await service.ratings.leaders(4)
        result = await service.result(table)
        assert [change.person for change in changes] == [True, True, False, False]
        assert {row.guest for row in board} == set(guests)
        assert [row.games for row in board] == [1, 1]
        for change in changes[2:]:
            assert change.before == change.after == bot_skills(4)["greedy"]
        best = max(range(4), key=lambda seat: result.profit[seat])
        if best < 2:
            assert changes[best].after.mu > changes[best].before.mu
        assert await service.ratings.leaders(3) == ()
        assert await service.ratings.rank(guests[0], 4) is None  # still provisional


async def test_games_without_the_option_are_not_rated(sqlite_url: str) -> None:
    async with open_service(sqlite_url, limits=QUICK) as service:
        table, _ = await finished(service, options=TableOptions())
        assert await service.ratings.changes(table) == ()
        assert await service.ratings.leaders(4) == ()


async def test_a_rated_table_has_no_hints_odds_or_undo(sqlite_url: str) -> None:
    options = TableOptions(rated=True, think_seconds=600, hints="always", odds="always")  # type: ignore[arg-type]
    async with open_service(sqlite_url, limits=QUICK) as service:
        table, (guest,) = await seated(service, people=1, bots=2, options=options)
        view = await service.look(table, guest)
        assert not view.may_hint
        assert not view.may_odds
        assert view.undo is None


@pytest.mark.parametrize(
    ("options", "bot", "reason"),
    [
        (TableOptions(rated=True), "level5", TableReason.RATED_NEEDS_TIME),
        (RATED, "emperor", TableReason.UNRATED_BOT),
    ],
)
def test_a_rated_table_needs_a_time_limit_and_rated_bots(
    options: TableOptions, bot: str, reason: TableReason
) -> None:
    with pytest.raises(Declined) as declined:
        NewTable((Host(), BotSeat(bot), BotSeat(bot)), options)
    assert declined.value.reason is reason


async def test_people_from_one_address_are_not_rated_together(sqlite_url: str) -> None:
    async with open_service(sqlite_url, limits=QUICK) as service:
        table, guests = await seated(service, people=2, bots=1, options=RATED)
        for guest in guests:
            service.note_address(guest, "198.51.100.7")
        await play_out(service, table, guests)
        assert (await service.look(table)).stage is Stage.FINISHED
        assert await service.ratings.changes(table) == ()
        rows = await service.store.run(
            lambda connection: connection.execute(select(schema.rated_networks)).all()
        )
        assert rows == []  # deleted when the game ends


async def test_one_address_alone_is_rated(sqlite_url: str) -> None:
    async with open_service(sqlite_url, limits=QUICK) as service:
        table, guests = await seated(service, people=2, bots=1, options=RATED)
        for number, guest in enumerate(guests):
            service.note_address(guest, f"198.51.100.{number}")
        await play_out(service, table, guests)
        assert len(await service.ratings.changes(table)) == 3


async def test_the_same_people_are_rated_together_only_a_few_times_a_day(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock, limits=QUICK) as service:
        table, guests = await finished(service, people=2, bots=1)
        rated = []
        for _ in range(MOST_MEETINGS):
            table = await service.rematch(table, guests[0])
            await play_out(service, table, guests)
            rated.append(bool(await service.ratings.changes(table)))
        assert rated == [True] * (MOST_MEETINGS - 1) + [False]
        clock.now += 24 * 3600 + 1
        table = await service.rematch(table, guests[0])
        await play_out(service, table, guests)
        assert await service.ratings.changes(table)


async def test_leaving_counts_as_the_last_place(sqlite_url: str) -> None:
    async with open_service(sqlite_url, limits=QUICK) as service:
        table, guests = await seated(service, people=3, options=RATED)
        await service.leave(table, guests[0])
        await play_out(service, table, guests[1:])
        changes = await service.ratings.changes(table)
        assert changes[0].abandoned
        assert changes[0].after.mu < changes[0].before.mu
        (own,) = await service.ratings.of(guests[0])
        assert own.skill == changes[0].after


async def test_ratings_are_forgotten_and_computed_again(url: str) -> None:
    async with open_service(url, limits=QUICK) as service:
        table, guests = await finished(service)
        for _ in range(3):
            table = await service.rematch(table, guests[0])
            await play_out(service, table, guests)
        before = await service.ratings.of(guests[1])
        changes = await service.ratings.changes(table)
        await service.guests.forget(guests[0])
        assert await service.ratings.of(guests[0]) == ()
        assert len(await service.ratings.leaders(4)) == 1
    assert await asyncio.to_thread(recompute_ratings, url) == 4
    async with open_service(url, limits=QUICK) as service:
        assert await service.ratings.of(guests[1]) == before
        assert await service.ratings.changes(table) == changes
        await service.ratings.withdraw(guests[1])
        rows = await service.store.run(lambda c: c.execute(select(schema.rated_seats)).all())
        assert rows == []  # nobody is left in these games


async def test_recomputing_repairs_ratings(sqlite_url: str) -> None:
    async with open_service(sqlite_url, limits=QUICK) as service:
        _, guests = await finished(service)
        before = await service.ratings.leaders(4)
        await service.store.run(lambda c: c.execute(schema.ratings.delete()) and None)
        assert await service.ratings.of(guests[0]) == ()
    await asyncio.to_thread(recompute_ratings, sqlite_url)
    async with open_service(sqlite_url, limits=QUICK) as service:
        assert await service.ratings.leaders(4) == before


async def test_ratings_are_in_a_backup(sqlite_url: str, tmp_path: Path) -> None:
    async with open_service(sqlite_url, limits=QUICK) as service:
        table, _ = await finished(service)
        before = await service.ratings.leaders(4), await service.ratings.changes(table)
    backup(sqlite_url, tmp_path / "backup.jsonl")
    other = f"sqlite:///{tmp_path / 'other.db'}"
    restore(tmp_path / "backup.jsonl", other)
    async with open_service(other, limits=QUICK) as service:
        after = await service.ratings.leaders(4), await service.ratings.changes(table)
    assert after == before


async def test_results_and_ratings_are_stored_together_or_not_at_all(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_service(sqlite_url, limits=QUICK) as service:
        table, guests = await seated(service, people=3, options=RATED)

        def fails(*_: object) -> None:
            raise RuntimeError("killed")

        monkeypatch.setattr("byzanz.tables.storage.table_rows.rate_finished", fails)
        with pytest.raises(RuntimeError, match="killed"):
            await play_out(service, table, guests)
        monkeypatch.undo()
        assert (await service.look(table)).stage is Stage.PLAYING
        assert await service.history.games(guests[0]) == ()
        await play_out(service, table, guests)
        assert len(await service.ratings.changes(table)) == 3
        assert len(await service.history.games(guests[0])) == 1
