"""People can vote to end a game that somebody has abandoned. Nobody there is outvoted."""

from __future__ import annotations

import json
from io import BytesIO

import pytest

from byzanz.notation import judge
from byzanz.rules import Pass
from byzanz.tables import (
    Accepted,
    Declined,
    GameFilter,
    Stage,
    TableOptions,
    TableReason,
    TableService,
)

from .services import Clock, act, limits, open_service, seated

PATIENT = limits(polling_presence_seconds=60, abandoned_game_seconds=600)


async def deserted(service: TableService, clock: Clock) -> tuple[str, str, list[str]]:
    """Return a table that waits for a person for too long, that person, and the other two."""
    table, people = await seated(service)
    (seat,) = (await service.look(table)).waiting_for
    gone = people.pop(seat)
    clock.now += 601
    for guest in people:
        await service.look(table, guest)
    return table, gone, people


async def test_the_game_ends_without_a_result_when_everybody_there_has_voted(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock, limits=PATIENT) as service:
        table, gone, (ann, ben) = await deserted(service, clock)
        await service.vote_to_end(table, ann)
        view = await service.look(table, ben)
        voters = view.end_votes
        assert (view.stage, len(voters), len(view.abandoned)) == (Stage.PLAYING, 1, 1)
    async with open_service(url, clock, prefix="later", limits=PATIENT) as service:
        await service.look(table, ann)
        assert (await service.look(table)).end_votes == voters  # votes survive a restart
        await service.vote_to_end(table, ben)
        ended = await service.look(table, ben)
        assert (ended.stage, ended.waiting_for, ended.result) == (Stage.ENDED, (), None)
        assert len(ended.end_votes) == 2
        for guest in (ann, ben, gone):
            assert await service.history.games(guest, GameFilter()) == ()
            assert await service.tables_of(guest) == ()
        answer = await act(service, table, gone, Pass(), "late")
        assert not isinstance(answer, Accepted)
        assert answer.code is TableReason.ENDED
    async with open_service(url, clock, prefix="last", limits=PATIENT) as service:
        assert (await service.look(table)).stage is Stage.ENDED
        record = await service.record(table)
        assert json.loads(record.splitlines()[0])["ended"] == {"votes": list(ended.end_votes)}
        (verdict,) = judge(BytesIO(record.encode()))  # readers see a legal game without a result
        assert (verdict.reason, verdict.record is not None) == ("no-result", True)
        with pytest.raises(Declined):
            await service.replay(table)


async def test_nobody_who_is_there_can_be_outvoted(sqlite_url: str) -> None:
    clock = Clock()
    async with open_service(sqlite_url, clock, limits=PATIENT) as service:
        table, _, (ann, ben) = await deserted(service, clock)
        for _ in range(3):
            await service.vote_to_end(table, ann)
        assert (await service.look(table, ben)).stage is Stage.PLAYING
        await service.vote_to_end(table, ann, wants=False)
        await service.vote_to_end(table, ben)
        assert (await service.look(table, ben)).stage is Stage.PLAYING


async def test_one_person_alone_can_end_a_game_that_all_others_abandoned(sqlite_url: str) -> None:
    clock = Clock()
    async with open_service(sqlite_url, clock, limits=PATIENT) as service:
        table, people = await seated(service, people=2, bots=1)
        (seat,) = (await service.look(table)).waiting_for
        stayed = people[1 - seat]
        for seconds, ends in ((599, False), (2, True)):
            clock.now += seconds
            if not ends:
                with pytest.raises(Declined) as declined:
                    await service.vote_to_end(table, stayed)
                assert declined.value.reason is TableReason.NOT_ABANDONED
            else:
                await service.vote_to_end(table, stayed)
        assert (await service.look(table)).stage is Stage.ENDED


async def test_an_open_table_or_a_recent_request_is_no_absence(sqlite_url: str) -> None:
    clock = Clock()
    async with open_service(sqlite_url, clock, limits=PATIENT) as service:
        table, gone, (ann, ben) = await deserted(service, clock)
        await service.vote_to_end(table, ann)
        async with service.subscribe(table, gone):
            with pytest.raises(Declined) as declined:
                await service.vote_to_end(table, ben)
            assert declined.value.reason is TableReason.NOT_ABANDONED
        clock.now += 61
        async with service.subscribe(table, gone):
            pass
        with pytest.raises(Declined):
            await service.vote_to_end(table, ben)
        assert isinstance(await act(service, table, gone, Pass(), "back"), Accepted)
        assert (await service.look(table)).end_votes == ()  # whoever plays on ends the vote


async def test_a_vote_is_withdrawn_by_acting_and_spectators_cannot_vote(sqlite_url: str) -> None:
    clock = Clock()
    async with open_service(sqlite_url, clock, limits=PATIENT) as service:
        table, people = await seated(service)
        watcher = (await service.guests.create("Wanda", "en")).id
        await service.leave(table, people[2])  # whoever leaves for good is gone at once
        for guest in people[:2]:
            await service.look(table, guest)
        with pytest.raises(Declined) as declined:
            await service.vote_to_end(table, watcher)
        assert declined.value.reason is TableReason.NOT_YOUR_SEAT
        view = await service.look(table)
        (seat,) = view.waiting_for
        if seat == 2:
            return
        await service.vote_to_end(table, people[seat])
        assert (await service.look(table)).end_votes == (seat,)
        assert isinstance(await act(service, table, people[seat], Pass(), "on"), Accepted)
        assert (await service.look(table)).end_votes == ()


async def test_with_a_time_limit_people_may_stay_away_until_their_time_is_up(
    sqlite_url: str,
) -> None:
    clock = Clock()
    options = TableOptions(think_seconds=86400)
    async with open_service(sqlite_url, clock, limits=PATIENT, automatic=False) as service:
        table, people = await seated(service, people=2, bots=1, options=options)
        while not (waiting := set((await service.look(table)).waiting_for)) & {0, 1}:
            raise AssertionError(f"the table waits for {waiting}")
        (seat,) = waiting
        stayed = people[1 - seat]
        clock.now += 86000
        with pytest.raises(Declined) as declined:
            await service.vote_to_end(table, stayed)
        assert declined.value.reason is TableReason.NOT_ABANDONED
        clock.now += 401
        await service.clock.tick()
        await service.vote_to_end(table, stayed)
        assert (await service.look(table)).stage is Stage.ENDED
