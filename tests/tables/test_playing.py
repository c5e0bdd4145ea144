"""A table in play: whole games, decisions that are named, answers that stay the same."""

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

from .hosting import act, bots_done, chosen, house, play_out, seated


async def test_a_game_with_people_and_bots_ends_and_its_record_is_legal(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=2, bots=2)
        await play_out(home, table, guests)
        over = await home.look(table)
        assert over.stage is Stage.FINISHED
        assert over.result is not None
        (verdict,) = judge(io.BytesIO((await home.record(table)).encode()))
        assert verdict.error is None
        game = await home.replay(table)
        assert game.result == over.result
        assert over.number == len(game.plays)


async def test_bots_alone_play_on_when_everybody_has_left(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=3)
        for guest in guests:
            await home.leave(table, guest)
        over = await bots_done(home, table, [])
        assert over.stage is Stage.FINISHED
        assert [sitter.left for sitter in over.sitters] == [True] * 3
        assert not any(sitter.host for sitter in over.sitters)


async def test_every_version_is_seen_once_and_in_order(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=1, bots=3)
        versions: list[int] = []

        async def watching() -> None:
            async with home.watch(table) as sights:
                async for sight in sights:
                    versions.append(sight.version)
                    assert not sight.skipped
                    if sight.stage is Stage.FINISHED:
                        return

        watcher = asyncio.create_task(watching())
        await asyncio.sleep(0)
        await play_out(home, table, guests)
        await watcher
        assert len(versions) > 20
        first = versions[0]
        assert sorted(set(versions)) == list(range(first, first + len(set(versions))))
        assert versions == sorted(versions)


async def test_another_seats_sale_leaves_a_pending_bid_valid(sqlite_url: str) -> None:
    async with house(sqlite_url, seed=SALE_SEED) as home:
        table, guests = await seated(home, people=3)
        for number in range(400):
            sight = await home.look(table)
            turn = sight.waiting_for[0]
            for other, guest in enumerate(guests):
                theirs = await home.look(table, guest)
                assert theirs.view is not None
                if other == turn or not theirs.view.options.sales:
                    continue
                pending = await home.look(table, guests[turn])
                action = chosen(pending)
                sale = theirs.view.options.sales[0]
                sold = await home.act(table, guest, sale, sale=theirs.sale, key="sale")
                assert isinstance(sold, Accepted)
                played = await home.act(
                    table,
                    guests[turn],
                    action,
                    decision=pending.decision,
                    sale=pending.sale,
                    key="pending",
                )
                assert isinstance(played, Accepted)
                return
            action = chosen(await home.look(table, guests[turn]))
            await act(home, table, guests[turn], action, str(number))
        raise AssertionError("nobody could sell out of turn")


SALE_SEED = 1


async def test_two_clicks_on_one_set_sell_one_set(sqlite_url: str) -> None:
    async with house(sqlite_url) as home:
        table, guests = await seated(home, people=3)
        for number in range(400):
            sight = await home.look(table)
            for guest in guests:
                theirs = await home.look(table, guest)
                assert theirs.view is not None
                if theirs.view.options.sales:
                    sale = theirs.view.options.sales[0]
                    first = await home.act(table, guest, sale, sale=theirs.sale, key="one")
                    again = await home.act(table, guest, sale, sale=theirs.sale, key="two")
                    assert isinstance(first, Accepted)
                    assert isinstance(again, Refused)
                    assert again.code is TableReason.STALE_DECISION
                    return
            turn = sight.waiting_for[0]
            action = chosen(await home.look(table, guests[turn]))
            await act(home, table, guests[turn], action, str(number))
        raise AssertionError("nobody could sell")


async def test_in_the_final_sale_one_seats_done_leaves_anothers_pending(sqlite_url: str) -> None:
    async with house(sqlite_url) as home:
        table, guests = await seated(home, people=3)
        while len((await home.look(table)).waiting_for) < 3:
            await play_out(home, table, guests, most=1)
        sights = [await home.look(table, guest) for guest in guests]
        for guest, sight in zip(reversed(guests), reversed(sights), strict=True):
            done = await home.act(
                table, guest, parse_action("done"), decision=sight.decision, key="done"
            )
            assert isinstance(done, Accepted)
        assert (await home.look(table)).stage is Stage.FINISHED


async def test_the_answer_to_a_key_is_the_same_also_after_a_restart(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=3)
        sight = await home.look(table, guests[0])
        good = await home.act(table, guests[0], Pass(), decision=sight.decision, key="a")
        early = await home.act(table, guests[0], Pass(), decision=good.sight.decision, key="b")
        assert isinstance(good, Accepted)
        assert isinstance(early, Refused)
        assert early.code is Reason.ALREADY_PASSED
        assert early.rule == "R3.5"
        low = await home.act(table, guests[1], Bid(()), decision=good.sight.decision, key="c")
        decisions = (sight.decision, good.sight.decision)
    async with house(url, prefix="other") as home:
        assert await home.act(table, guests[0], Pass(), decision=decisions[0], key="a") == good
        assert await home.act(table, guests[0], Pass(), decision=decisions[1], key="b") == early
        assert await home.act(table, guests[1], Bid(()), decision=decisions[1], key="c") == low
        assert (await home.look(table)).number == 1


async def test_a_key_used_for_something_else_is_refused(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=3)
        await home.act(table, guests[0], Pass(), decision=0, key="a")
        reused = await home.act(table, guests[0], Pass(), decision=1, key="a")
        assert isinstance(reused, Refused)
        assert reused.code is TableReason.KEY_REUSED
        other = await home.act(table, guests[1], Pass(), decision=1, key="a")
        assert isinstance(other, Accepted), "a key is its guest's own"


async def test_two_clicks_at_once_play_one_action(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=3)
        same = await asyncio.gather(
            *[home.act(table, guests[0], Pass(), decision=0, key="a") for _ in range(5)]
        )
        assert all(answer == same[0] and isinstance(answer, Accepted) for answer in same)
        answers = await asyncio.gather(
            *[home.act(table, guests[1], Pass(), decision=1, key=str(n)) for n in range(5)]
        )
        assert sum(isinstance(answer, Accepted) for answer in answers) == 1
        for answer in answers:
            if isinstance(answer, Refused):
                assert answer.code is TableReason.STALE_DECISION
                assert answer.sight.number == 2, "the loser is given the table as it is"
        assert (await home.look(table)).number == 2


async def test_nobody_acts_for_another(sqlite_url: str) -> None:
    async with house(sqlite_url) as home:
        table, guests = await seated(home, people=3)
        stranger = (await home.welcome("Eve", "en")).id
        for guest in (stranger, "nobody"):
            answer = await home.act(table, guest, Pass(), decision=0, key="a")
            assert isinstance(answer, Refused)
            assert answer.code is TableReason.NOT_YOUR_SEAT
            assert answer.sight.seat is None
        answer = await home.act(table, guests[1], Pass(), decision=0, key="a")
        assert isinstance(answer, Refused)
        assert answer.code is Reason.NOT_YOUR_TURN
        assert (await home.look(table)).number == 0


async def test_an_action_must_name_what_it_answers(sqlite_url: str) -> None:
    async with house(sqlite_url) as home:
        table, guests = await seated(home, people=3)
        for decision in (None, 1, -1):
            answer = await home.act(table, guests[0], Pass(), decision=decision, key=f"k{decision}")
            assert isinstance(answer, Refused)
            assert answer.code is TableReason.STALE_DECISION
        unsold = await home.act(
            table, guests[0], parse_action("sell C1 C1 C1"), decision=0, key="s"
        )
        assert isinstance(unsold, Refused)
        assert unsold.code is TableReason.STALE_DECISION
        assert isinstance(parse_action("sell C1 C1 C1"), Sell)
        for key in ("", "x" * 65):
            with pytest.raises(Declined) as declined:
                await home.act(table, guests[0], Pass(), decision=0, key=key)
            assert declined.value.reason is TableReason.BAD_KEY


async def test_nothing_is_played_before_the_start_or_after_the_end(sqlite_url: str) -> None:
    async with house(sqlite_url) as home:
        host = (await home.welcome(None, "en")).id
        plan = NewTable((Host(), Open(), BotSeat("greedy")), TableOptions())
        table = await home.create(host, plan)
        early = await home.act(table, host, Pass(), decision=0, key="a")
        assert isinstance(early, Refused)
        assert early.code is TableReason.NOT_STARTED
        assert early.sight.view is None
        await home.start(table, host)
        await play_out(home, table, [host])
        late = await home.act(table, host, Pass(), decision=0, key="b")
        assert isinstance(late, Refused)
        assert late.code is TableReason.FINISHED


async def test_an_action_goes_on_when_its_asker_goes_away(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=3)
        asking = asyncio.create_task(home.act(table, guests[0], Pass(), decision=0, key="a"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        async with asyncio.timeout(20), home.watch(table) as sights:
            async for sight in sights:
                if sight.number == 1:
                    break
        answer = await home.act(table, guests[0], Pass(), decision=0, key="a")
        assert isinstance(answer, Accepted)
        assert (await home.look(table)).number == 1
