"""Hints and odds at a table: who may have them, how they are counted, and what they tell."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial

import pytest

from byzanz.coach import odds
from byzanz.rules import Deal, Game, Pass
from byzanz.tables import Aid, Declined, TableOptions, TableReason, TableService
from byzanz.tables.service.bot_pool import BotPool
from tests.random_games import other_world

from .services import Clock, act, bots_done, environment, limits, open_service, play_out, seated

FEW = limits(hint_worlds=4)


async def refusal(answer: Awaitable[object]) -> TableReason:
    with pytest.raises(Declined) as caught:
        await answer
    return caught.value.reason


async def test_a_hint_is_counted_stored_and_named_in_the_record(url: str) -> None:
    async with open_service(url, limits=FEW) as service:
        table, (ada,) = await seated(service, people=1, bots=2)
        before = await service.look(table, ada)
        assert before.view is not None
        assert (before.hints, before.may_hint, before.may_odds) == (0, True, True)
        found = await service.aids.hint(table, ada, before.decision)
        assert found.action in before.view.options
        after = await service.look(table, ada)
        assert after.hints == 1
        assert after.version > before.version
        assert (after.decision, after.number) == (before.decision, before.number)
        assert await service.aids.hint(table, ada) is found  # asked again, it is not counted again
        assert (await service.look(table)).hints == 1
    async with open_service(url, limits=FEW, prefix="later") as service:
        assert (await service.look(table)).hints == 1
        assert (await service.aids.hint(table, ada)).hint == found.hint
        await play_out(service, table, [ada])
        assert json.loads((await service.record(table)).splitlines()[0])["hints"] == 2
        over = await service.look(table, ada)
        assert (over.hints, over.may_hint, over.may_odds) == (2, False, False)
        assert await refusal(service.aids.hint(table, ada)) is TableReason.FINISHED
        assert await refusal(service.aids.odds(table, ada)) is TableReason.FINISHED


async def test_a_record_without_hints_does_not_mention_them(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, (ada,) = await seated(service, people=1, bots=2)
        await play_out(service, table, [ada])
        assert "hints" not in json.loads((await service.record(table)).splitlines()[0])


@pytest.mark.parametrize(
    ("people", "options", "allowed"),
    [
        (1, TableOptions(), True),
        (1, TableOptions(hints=Aid.NEVER, odds=Aid.NEVER), False),
        (1, TableOptions(memory_aid=False), False),
        (1, TableOptions(open_profit=False), False),
        (1, TableOptions(memory_aid=False, hints=Aid.ALWAYS, odds=Aid.ALWAYS), True),
        (2, TableOptions(), False),
        (2, TableOptions(hints=Aid.ALWAYS, odds=Aid.ALWAYS), True),
    ],
)
async def test_the_options_say_who_may_have_hints_and_odds(
    sqlite_url: str, people: int, options: TableOptions, allowed: bool
) -> None:
    async with open_service(sqlite_url, limits=FEW, automatic=False) as service:
        table, guests = await seated(service, people, bots=4 - people, options=options)
        mine = await service.look(table, guests[0])
        assert (mine.may_hint, mine.may_odds) == (allowed, allowed)
        spectator = await service.look(table)
        assert not spectator.may_hint
        assert not spectator.may_odds
        if allowed:
            assert (await service.aids.odds(table, guests[0])).seat == 0
            assert (await service.aids.hint(table, guests[0])).hint.evaluation.seat == 0
        else:
            assert await refusal(service.aids.odds(table, guests[0])) is TableReason.NO_ODDS
            assert await refusal(service.aids.hint(table, guests[0])) is TableReason.NO_HINTS


async def test_hints_are_possible_once_the_other_people_have_left(sqlite_url: str) -> None:
    async with open_service(sqlite_url, automatic=False) as service:
        table, (ada, ben) = await seated(service, people=2, bots=1)
        assert not (await service.look(table, ada)).may_hint
        await service.leave(table, ben)
        assert (await service.look(table, ada)).may_hint


async def test_only_the_player_to_decide_gets_a_hint(sqlite_url: str) -> None:
    options = TableOptions(hints=Aid.ALWAYS)
    async with open_service(sqlite_url, limits=FEW, automatic=False) as service:
        table, (ada, ben, _) = await seated(service, people=3, options=options)
        stranger = (await service.guests.create("Zoe", "en")).id
        assert await refusal(service.aids.hint(table, ben)) is TableReason.NOTHING_TO_DECIDE
        assert await refusal(service.aids.hint(table, stranger)) is TableReason.NOT_YOUR_SEAT
        assert await refusal(service.aids.odds(table, stranger)) is TableReason.NOT_YOUR_SEAT
        assert await refusal(service.aids.hint(table, ada, 7)) is TableReason.STALE_DECISION
        assert (await service.look(table)).hints == 0


async def test_a_hint_for_a_decision_that_has_passed_is_dropped(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go = asyncio.Event(), asyncio.Event()
    compute = BotPool.compute

    async def slowly(self: BotPool, *work: object) -> object:
        asked.set()
        await go.wait()
        return await compute(self, *work)  # type: ignore[arg-type]

    monkeypatch.setattr(BotPool, "compute", slowly)
    async with open_service(sqlite_url, limits=FEW) as service:
        table, (ada,) = await seated(service, people=1, bots=2)
        hint = asyncio.create_task(service.aids.hint(table, ada))
        await asked.wait()
        await act(service, table, ada, Pass(), "one")
        await bots_done(service, table, [ada])
        go.set()
        assert await refusal(hint) is TableReason.STALE_DECISION
        assert (await service.look(table, ada)).hints == 0


async def test_two_requests_at_once_are_one_hint(sqlite_url: str) -> None:
    async with open_service(sqlite_url, limits=FEW) as service:
        table, (ada,) = await seated(service, people=1, bots=2)
        asked = [service.aids.hint(table, ada) for _ in range(2)]
        one, other = await asyncio.gather(*asked)
        assert one is other
        assert (await service.look(table, ada)).hints == 1


@pytest.mark.parametrize(
    "few",
    [limits(hint_worlds=2, hints_per_hour_per_guest=2), limits(hints_per_hour_per_address=2)],
)
async def test_hints_have_a_quota_that_fills_again(sqlite_url: str, few: object) -> None:
    clock = Clock()
    async with open_service(sqlite_url, clock, limits=few) as service:
        table, (ada,) = await seated(service, people=1, bots=2)
        for key in ("a", "b"):
            await service.aids.hint(table, ada)
            await next_decision(service, table, ada, key)
        assert await refusal(service.aids.hint(table, ada)) is TableReason.TOO_MANY_HINTS
        clock.now += 1800
        await service.aids.hint(table, ada)


async def test_a_failing_coach_is_told_and_not_counted(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> object:
        raise ArithmeticError

    async with open_service(sqlite_url, limits=FEW) as service:
        table, (ada,) = await seated(service, people=1, bots=2)
        with monkeypatch.context() as broken:
            broken.setattr(BotPool, "compute", fail)
            assert await refusal(service.aids.hint(table, ada)) is TableReason.NO_ANSWER
        assert (await service.look(table, ada)).hints == 0
        await service.aids.hint(table, ada)
        assert (await service.look(table, ada)).hints == 1


async def test_hints_and_odds_depend_on_the_own_view_alone(tmp_path: object) -> None:
    start = Game.start(Deal.from_seed(3, 5))
    found = []
    for number, game in enumerate((start, other_world(start, 0, 3))):
        where = replace(environment(), deal=partial(same_deal, game.deal))
        url = f"sqlite:///{tmp_path}/{number}.db"
        async with open_service(url, limits=FEW, environment=where) as service:
            table, (ada,) = await seated(service, people=1, bots=2)
            counted = await service.aids.odds(table, ada)
            assert counted == odds(game.view(0))
            found.append((await service.aids.hint(table, ada), counted))
    assert found[0] == found[1]


def same_deal(deal: Deal, players: int) -> Deal:
    assert len(deal.hands) == players
    return deal


async def test_a_rematch_begins_without_hints(sqlite_url: str) -> None:
    async with open_service(sqlite_url, limits=FEW) as service:
        table, (ada,) = await seated(service, people=1, bots=2)
        await service.aids.hint(table, ada)
        await play_out(service, table, [ada])
        assert (await service.look(await service.rematch(table, ada), ada)).hints == 0


async def next_decision(service: TableService, table: str, guest: str, key: str) -> None:
    """Pass, and wait until the guest has to decide again."""
    await act(service, table, guest, Pass(), key)
    await bots_done(service, table, [guest])
