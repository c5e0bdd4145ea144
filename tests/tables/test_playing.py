"""Playing: whole games, named decisions, and the same answer to the same key."""

from __future__ import annotations

import asyncio
import io

import pytest

from byzanz.notation import judge, parse_action
from byzanz.rules import Bid, Pass, Reason, Sell
from byzanz.tables import (
    Accepted,
    BotSeat,
    Declined,
    Host,
    NewTable,
    Open,
    Refused,
    Stage,
    TableOptions,
    TableReason,
)

from .services import act, bots_done, chosen, open_service, play_out, seated


async def test_a_game_with_people_and_bots_ends_and_its_record_is_legal(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=2, bots=2)
        await play_out(service, table, guests)
        over = await service.look(table)
        assert over.stage is Stage.FINISHED
        assert over.result is not None
        (verdict,) = judge(io.BytesIO((await service.record(table)).encode()))
        assert verdict.error is None
        game = await service.replay(table)
        assert game.result == over.result
        assert over.number == len(game.plays)


async def test_bots_alone_play_on_when_everybody_has_left(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=3)
        for guest in guests:
            await service.leave(table, guest)
        over = await bots_done(service, table, [])
        assert over.stage is Stage.FINISHED
        assert [sitter.left for sitter in over.sitters] == [True] * 3
        assert not any(sitter.host for sitter in over.sitters)


async def test_subscribers_get_every_version_in_order(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=1, bots=3)
        versions: list[int] = []

        async def watching() -> None:
            async with service.subscribe(table) as table_views:
                async for table_view in table_views:
                    versions.append(table_view.version)
                    assert not table_view.skipped
                    if table_view.stage is Stage.FINISHED:
                        return

        watcher = asyncio.create_task(watching())
        await asyncio.sleep(0)
        await play_out(service, table, guests)
        await watcher
        assert len(versions) > 20
        first = versions[0]
        assert sorted(set(versions)) == list(range(first, first + len(set(versions))))
        assert versions == sorted(versions)


async def test_another_seats_sale_leaves_a_pending_bid_valid(sqlite_url: str) -> None:
    async with open_service(sqlite_url, seed=SALE_SEED) as service:
        table, guests = await seated(service, people=3)
        for number in range(400):
            table_view = await service.look(table)
            turn = table_view.waiting_for[0]
            for other, guest in enumerate(guests):
                theirs = await service.look(table, guest)
                assert theirs.view is not None
                if other == turn or not theirs.view.options.sales:
                    continue
                pending = await service.look(table, guests[turn])
                action = chosen(pending)
                sale = theirs.view.options.sales[0]
                sold = await service.act(table, guest, sale, sale=theirs.sale, key="sale")
                assert isinstance(sold, Accepted)
                played = await service.act(
                    table,
                    guests[turn],
                    action,
                    decision=pending.decision,
                    sale=pending.sale,
                    key="pending",
                )
                assert isinstance(played, Accepted)
                return
            action = chosen(await service.look(table, guests[turn]))
            await act(service, table, guests[turn], action, str(number))
        raise AssertionError("nobody could sell out of turn")


SALE_SEED = 1


async def test_two_clicks_on_one_set_sell_one_set(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, guests = await seated(service, people=3)
        for number in range(400):
            table_view = await service.look(table)
            for guest in guests:
                theirs = await service.look(table, guest)
                assert theirs.view is not None
                if theirs.view.options.sales:
                    sale = theirs.view.options.sales[0]
                    first = await service.act(table, guest, sale, sale=theirs.sale, key="one")
                    again = await service.act(table, guest, sale, sale=theirs.sale, key="two")
                    assert isinstance(first, Accepted)
                    assert isinstance(again, Refused)
                    assert again.code is TableReason.STALE_DECISION
                    return
            turn = table_view.waiting_for[0]
            action = chosen(await service.look(table, guests[turn]))
            await act(service, table, guests[turn], action, str(number))
        raise AssertionError("nobody could sell")


async def test_in_the_final_sale_seats_finish_in_any_order(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, guests = await seated(service, people=3)
        while len((await service.look(table)).waiting_for) < 3:
            await play_out(service, table, guests, most=1)
        table_views = [await service.look(table, guest) for guest in guests]
        for guest, table_view in zip(reversed(guests), reversed(table_views), strict=True):
            done = await service.act(
                table, guest, parse_action("done"), decision=table_view.decision, key="done"
            )
            assert isinstance(done, Accepted)
        assert (await service.look(table)).stage is Stage.FINISHED


async def test_a_repeated_key_gets_the_same_answer_even_after_a_restart(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=3)
        table_view = await service.look(table, guests[0])
        good = await service.act(table, guests[0], Pass(), decision=table_view.decision, key="a")
        early = await service.act(
            table, guests[0], Pass(), decision=good.table_view.decision, key="b"
        )
        assert isinstance(good, Accepted)
        assert isinstance(early, Refused)
        assert early.code is Reason.ALREADY_PASSED
        assert early.rule == "R3.5"
        low = await service.act(
            table, guests[1], Bid(()), decision=good.table_view.decision, key="c"
        )
        decisions = (table_view.decision, good.table_view.decision)
    async with open_service(url, prefix="other") as service:
        assert await service.act(table, guests[0], Pass(), decision=decisions[0], key="a") == good
        assert await service.act(table, guests[0], Pass(), decision=decisions[1], key="b") == early
        assert await service.act(table, guests[1], Bid(()), decision=decisions[1], key="c") == low
        assert (await service.look(table)).number == 1


async def test_a_key_used_for_something_else_is_refused(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=3)
        await service.act(table, guests[0], Pass(), decision=0, key="a")
        reused = await service.act(table, guests[0], Pass(), decision=1, key="a")
        assert isinstance(reused, Refused)
        assert reused.code is TableReason.KEY_REUSED
        other = await service.act(table, guests[1], Pass(), decision=1, key="a")
        assert isinstance(other, Accepted), "each guest has their own keys"


async def test_two_clicks_at_once_play_one_action(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=3)
        same = await asyncio.gather(
            *[service.act(table, guests[0], Pass(), decision=0, key="a") for _ in range(5)]
        )
        assert all(answer == same[0] and isinstance(answer, Accepted) for answer in same)
        answers = await asyncio.gather(
            *[service.act(table, guests[1], Pass(), decision=1, key=str(n)) for n in range(5)]
        )
        assert sum(isinstance(answer, Accepted) for answer in answers) == 1
        for answer in answers:
            if isinstance(answer, Refused):
                assert answer.code is TableReason.STALE_DECISION
                assert answer.table_view.number == 2, "the refusal contains the current table"
        assert (await service.look(table)).number == 2


async def test_nobody_can_act_for_another_seat(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, guests = await seated(service, people=3)
        stranger = (await service.guests.create("Eve", "en")).id
        for guest in (stranger, "nobody"):
            answer = await service.act(table, guest, Pass(), decision=0, key="a")
            assert isinstance(answer, Refused)
            assert answer.code is TableReason.NOT_YOUR_SEAT
            assert answer.table_view.seat is None
        answer = await service.act(table, guests[1], Pass(), decision=0, key="a")
        assert isinstance(answer, Refused)
        assert answer.code is Reason.NOT_YOUR_TURN
        assert (await service.look(table)).number == 0


async def test_an_action_must_name_the_current_decision(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, guests = await seated(service, people=3)
        for decision in (None, 1, -1):
            answer = await service.act(
                table, guests[0], Pass(), decision=decision, key=f"k{decision}"
            )
            assert isinstance(answer, Refused)
            assert answer.code is TableReason.STALE_DECISION
        unsold = await service.act(
            table, guests[0], parse_action("sell C1 C1 C1"), decision=0, key="s"
        )
        assert isinstance(unsold, Refused)
        assert unsold.code is TableReason.STALE_DECISION
        assert isinstance(parse_action("sell C1 C1 C1"), Sell)
        for key in ("", "x" * 65):
            with pytest.raises(Declined) as declined:
                await service.act(table, guests[0], Pass(), decision=0, key=key)
            assert declined.value.reason is TableReason.BAD_KEY


async def test_nothing_is_played_before_the_start_or_after_the_end(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        host = (await service.guests.create(None, "en")).id
        plan = NewTable((Host(), Open(), BotSeat("greedy")), TableOptions())
        table = await service.create(host, plan)
        early = await service.act(table, host, Pass(), decision=0, key="a")
        assert isinstance(early, Refused)
        assert early.code is TableReason.NOT_STARTED
        assert early.table_view.view is None
        await service.start(table, host)
        await play_out(service, table, [host])
        late = await service.act(table, host, Pass(), decision=0, key="b")
        assert isinstance(late, Refused)
        assert late.code is TableReason.FINISHED


async def test_an_action_is_played_even_if_its_request_is_cancelled(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=3)
        asking = asyncio.create_task(service.act(table, guests[0], Pass(), decision=0, key="a"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        async with asyncio.timeout(20), service.subscribe(table) as table_views:
            async for table_view in table_views:
                if table_view.number == 1:
                    break
        answer = await service.act(table, guests[0], Pass(), decision=0, key="a")
        assert isinstance(answer, Accepted)
        assert (await service.look(table)).number == 1
