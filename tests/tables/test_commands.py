"""A table's life: who sits down, leaves, is replaced, comes back; and when nobody comes."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import update

from byzanz.messages.table_refusals import TABLE_REASONS, explain_table
from byzanz.rules import Pass
from byzanz.tables import (
    Accepted,
    BotSeat,
    Declined,
    Host,
    House,
    NewTable,
    Open,
    Stage,
    TableOptions,
    TableReason,
)
from byzanz.tables.storage import schema

from .hosting import Clock, bots_done, house, limits, play_out, seated

DAY = 24 * 3600


async def guest(home: House, name: str | None = "Ann") -> str:
    return (await home.welcome(name, "en")).id


async def reason(asked: object) -> TableReason:
    with pytest.raises(Declined) as declined:
        await asked  # type: ignore[misc]
    return declined.value.reason


async def test_with_bots_alone_the_game_begins_at_once(url: str) -> None:
    async with house(url) as home:
        ann = await guest(home)
        table = await home.create(ann, NewTable((BotSeat("random"), Host(), BotSeat("greedy"))))
        sight = await bots_done(home, table, [ann])
        assert sight.stage is Stage.PLAYING
        mine = await home.look(table, ann)
        assert (mine.seat, mine.is_host, mine.waiting_for) == (1, True, (1,))
        assert [sitter.bot for sitter in mine.sitters] == ["random", None, "greedy"]
        assert [sitter.name for sitter in mine.sitters] == [None, "Ann", None]


async def test_people_join_by_link_and_the_last_one_begins_the_game(url: str) -> None:
    async with house(url) as home:
        ann, ben, eve = [await guest(home, name) for name in ("Ann", "Ben", "Eve")]
        table = await home.create(ann, NewTable((Host(), Open(), Open())))
        opened = await home.look(table)
        assert opened.stage is Stage.OPEN
        assert opened.view is None
        assert [sitter.open for sitter in opened.sitters] == [False, True, True]
        assert await home.join(table, ben, 2) == 2
        assert await reason(home.join(table, eve, 2)) is TableReason.SEAT_TAKEN
        assert await reason(home.join(table, eve, 3)) is TableReason.NOT_A_SEAT
        assert await reason(home.join(table, eve, -1)) is TableReason.NOT_A_SEAT
        assert await reason(home.join(table, ben)) is TableReason.ALREADY_SEATED
        assert await reason(home.join(table, "nobody")) is TableReason.NO_SUCH_GUEST
        assert await home.join(table, eve) == 1
        assert (await home.look(table)).stage is Stage.PLAYING
        late = await guest(home)
        assert await reason(home.join(table, late)) is TableReason.TABLE_FULL
        assert (await home.look(table, late)).seat is None


async def test_the_host_begins_with_bots_on_open_seats(url: str) -> None:
    async with house(url) as home:
        ann, ben = await guest(home), await guest(home)
        table = await home.create(ann, NewTable((Host(), Open(), Open())))
        await home.join(table, ben)
        assert await reason(home.start(table, ben)) is TableReason.NOT_HOST
        assert await reason(home.start(table, ann, "cmd:true")) is TableReason.UNKNOWN_BOT
        await home.start(table, ann, "novice")
        sight = await home.look(table)
        assert [sitter.bot for sitter in sight.sitters] == [None, None, "novice"]
        assert await reason(home.start(table, ann)) is TableReason.ALREADY_STARTED


async def test_a_plan_has_three_to_six_seats_and_one_host(sqlite_url: str) -> None:
    for seats in ((Host(), Open()), (Host(), *[Open()] * 6), (Open(),) * 3, (Host(),) * 3):
        with pytest.raises(Declined) as declined:
            NewTable(seats)
        assert declined.value.reason is TableReason.BAD_PLAN
    for seconds in (0, 59, 15 * DAY):
        with pytest.raises(Declined) as declined:
            TableOptions(think_seconds=seconds)
        assert declined.value.reason is TableReason.BAD_TIME
    async with house(sqlite_url, limits=limits(tables_per_guest=2), bots=("greedy",)) as home:
        ann = await guest(home)
        for bot in ("random", "cmd:rm", "greedy@9s"):
            plan = NewTable((Host(), BotSeat(bot), Open()))
            assert await reason(home.create(ann, plan)) is TableReason.UNKNOWN_BOT
        plan = NewTable((Host(), BotSeat("greedy"), Open()))
        await home.create(ann, plan)
        await home.create(ann, plan)
        assert await reason(home.create(ann, plan)) is TableReason.TOO_MANY_TABLES
        assert await reason(home.create("nobody", plan)) is TableReason.NO_SUCH_GUEST


async def test_tables_left_to_bots_count_until_they_are_over(url: str) -> None:
    async with house(url, limits=limits(tables_per_guest=2), automatic=False) as home:
        ann = await guest(home)
        plan = NewTable((Host(), BotSeat("greedy"), BotSeat("greedy")))
        for _ in range(2):
            await home.leave(await home.create(ann, plan), ann)
        assert await reason(home.create(ann, plan)) is TableReason.TOO_MANY_TABLES


async def test_who_leaves_an_open_table_frees_the_seat_and_the_next_is_host(url: str) -> None:
    async with house(url) as home:
        ann, ben = await guest(home, "Ann"), await guest(home, "Ben")
        table = await home.create(ann, NewTable((Host(), Open(), Open())))
        await home.join(table, ben)
        await home.leave(table, ann)
        sight = await home.look(table, ben)
        assert sight.is_host
        assert [sitter.open for sitter in sight.sitters] == [True, False, True]
        assert await reason(home.leave(table, ann)) is TableReason.NOT_YOUR_SEAT
        await home.leave(table, ben)
        assert (await home.look(table)).stage is Stage.EXPIRED
        assert await reason(home.join(table, ann)) is TableReason.EXPIRED


async def test_who_leaves_a_game_is_played_for_by_a_bot_for_good(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=3)
        await home.leave(table, guests[0])
        sight = await bots_done(home, table, guests)
        assert sight.number >= 1
        sitter = sight.sitters[0]
        assert (sitter.bot, sitter.left, sitter.standing_in) == ("greedy", True, False)
        assert (await home.look(table, guests[0])).seat is None
        assert (await home.look(table, guests[1])).is_host
        await home.come_back(table, guests[0])
        assert (await home.look(table)).sitters[0].bot == "greedy"


async def test_the_host_replaces_an_absent_player_until_they_are_back(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=3)
        assert await reason(home.replace(table, guests[1], 0)) is TableReason.NOT_HOST
        assert await reason(home.replace(table, guests[0], 9)) is TableReason.NOT_A_SEAT
        async with home.watch(table, guests[1]):
            assert await reason(home.replace(table, guests[0], 1)) is TableReason.NOT_ABSENT
        await home.replace(table, guests[0], 1, "novice")
        assert await reason(home.replace(table, guests[0], 1)) is TableReason.NOT_A_PERSON
        sight = await home.look(table, guests[1])
        assert (sight.sitters[1].bot, sight.sitters[1].standing_in) == ("novice", True)
        assert sight.seat == 1, "the seat stays its owner's"
        async with home.watch(table, guests[1]) as sights:
            sight = await anext(sights)
            assert (sight.sitters[1].bot, sight.sitters[1].standing_in) == (None, False)


async def test_an_action_of_the_owner_ends_the_standing_in(sqlite_url: str) -> None:
    async with house(sqlite_url, automatic=False) as home:  # or the bot would be first
        table, guests = await seated(home, people=3)
        await home.replace(table, guests[0], 0)
        assert (await home.look(table)).sitters[0].standing_in
        answer = await home.act(table, guests[0], Pass(), decision=0, key="a")
        assert isinstance(answer, Accepted)
        assert not answer.sight.sitters[0].standing_in


async def test_time_that_is_up_lets_a_bot_stand_in_until_the_owner_returns(url: str) -> None:
    clock = Clock()
    async with house(url, clock) as home:
        table, guests = await seated(home, 3, options=TableOptions(think_seconds=60))
        sight = await home.look(table, guests[0])
        assert sight.deadline == clock.now + 60
        assert await reason(home.replace(table, guests[0], 1)) is TableReason.HAS_TIME_LIMIT
        clock.now += 59
        await home.upkeep.tick()
        assert not (await home.look(table)).sitters[0].standing_in
        clock.now += 1
        await home.upkeep.tick()
        sight = await bots_done(home, table, guests)
        assert sight.sitters[0].standing_in
        assert sight.waiting_for == (1,)
        assert sight.deadline == clock.now + 60
        clock.now += 30
        await home.come_back(table, guests[0])
        sight = await home.look(table)
        assert not sight.sitters[0].standing_in
        assert sight.deadline == clock.now + 30, "another's return gives no more time"


async def test_who_plays_with_bots_alone_loses_a_decision_not_the_game(url: str) -> None:
    clock = Clock()
    async with house(url, clock) as home:
        table, guests = await seated(home, people=1, bots=2, options=TableOptions(think_seconds=60))
        for _ in range(3):
            before = await bots_done(home, table, guests)
            assert before.waiting_for == (0,)
            assert before.deadline == clock.now + 60
            clock.now += 60
            await home.upkeep.tick()
            sight = await bots_done(home, table, guests)
            assert sight.number > before.number
            assert not sight.sitters[0].standing_in


async def test_clocks_go_on_over_a_restart(url: str) -> None:
    clock = Clock()
    async with house(url, clock) as home:
        table, _ = await seated(home, 3, options=TableOptions(think_seconds=3600))
    clock.now += 3601
    async with house(url, clock, prefix="other") as home:
        sight = await bots_done_after_timeout(home, table)
        assert sight.sitters[0].standing_in
        assert not sight.sitters[1].standing_in


async def bots_done_after_timeout(home: House, table: str):  # noqa: ANN201
    async with asyncio.timeout(20), home.watch(table) as sights:
        async for sight in sights:
            if sight.number:
                return sight
    raise AssertionError("nobody stood in")


async def test_another_seats_sale_gives_no_more_time(sqlite_url: str) -> None:
    clock = Clock()
    async with house(sqlite_url, clock) as home:
        options = TableOptions(think_seconds=600)
        table, guests = await seated(home, people=3, options=options)
        for _ in range(400):
            sight = await home.look(table)
            for guest_ in guests:
                theirs = await home.look(table, guest_)
                assert theirs.view is not None
                if theirs.seat not in sight.waiting_for and theirs.view.options.sales:
                    clock.now += 10
                    sale = theirs.view.options.sales[0]
                    await home.act(table, guest_, sale, sale=theirs.sale, key="s")
                    assert (await home.look(table)).deadline == sight.deadline
                    return
            await play_out(home, table, guests, most=1)
        raise AssertionError("nobody could sell")


async def test_idle_tables_expire_and_later_vanish(url: str) -> None:
    clock = Clock()
    async with house(url, clock) as home:
        ann = await guest(home)
        waiting = await home.create(ann, NewTable((Host(), Open(), Open())))
        playing, _ = await seated(home, people=3)
        done, people = await seated(home, people=1, bots=2)
        await play_out(home, done, people)
        clock.now += 1 * DAY + 1
        await home.upkeep.sweep()
        assert (await home.look(waiting)).stage is Stage.EXPIRED
        assert (await home.look(playing)).stage is Stage.PLAYING
        clock.now += 30 * DAY
        await home.upkeep.sweep()
        expired = await home.look(playing)
        assert expired.stage is Stage.EXPIRED
        assert expired.view is None, "what was not finished leaks nothing"
        assert await reason(home.replay(playing)) is TableReason.NOT_FINISHED
        assert (await home.look(done)).stage is Stage.FINISHED
        clock.now += 30 * DAY + 1
        await home.upkeep.sweep()
        for gone in (waiting, playing):
            assert await reason(home.look(gone)) is TableReason.NO_SUCH_TABLE
        assert (await home.look(done)).stage is Stage.FINISHED


async def test_one_table_that_cannot_be_loaded_does_not_keep_others_from_their_time(
    sqlite_url: str,
) -> None:
    clock = Clock()
    async with house(sqlite_url, clock, automatic=False) as home:
        hurried = TableOptions(think_seconds=60)
        spoilt, table = [(await seated(home, 3, options=hurried))[0] for _ in range(2)]
        mischief = update(schema.tables).where(schema.tables.c.id == spoilt).values(options="none")
        await home.store.run(lambda connection: connection.execute(mischief).rowcount)
        home._hall._lives[spoilt].doubtful = True
        clock.now += 61
        await home.upkeep.tick()
        assert (await home.look(table)).sitters[0].standing_in


async def test_unfinished_tables_are_listed_first(url: str) -> None:
    clock = Clock()
    async with house(url, clock) as home:
        ann = await guest(home)
        waiting = await home.create(ann, NewTable((Host(), Open(), Open())))
        clock.now += 60
        done = await home.create(ann, NewTable((Host(), BotSeat("greedy"), BotSeat("greedy"))))
        await play_out(home, done, [ann])
        assert [each.table for each in await home.tables_of(ann)] == [waiting, done]


async def test_another_name_is_for_tables_not_finished(url: str) -> None:
    clock = Clock()
    async with house(url, clock) as home:
        ann = await guest(home, "Ann")
        waiting = await home.create(ann, NewTable((Host(), Open(), Open())))
        done = await home.create(ann, NewTable((Host(), BotSeat("greedy"), BotSeat("greedy"))))
        await play_out(home, done, [ann])
        before = await home.look(done)
        await home.rename(ann, "Zoe", "en")
        assert (await home.look(waiting)).sitters[0].name == "Zoe"
        assert (await home.look(done)).version == before.version
        assert '"Ann"' in await home.record(done)


async def test_a_text_that_no_database_holds_is_refused_like_any_other(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home)
        assert await reason(home.look("\0")) is TableReason.NO_SUCH_TABLE
        assert await reason(home.redeem("\0")) is TableReason.BAD_PASS
        acting = home.act(table, guests[0], Pass(), decision=0, key="a\0")
        assert await reason(acting) is TableReason.BAD_KEY


async def test_a_rematch_seats_the_same_people_and_is_one_for_all(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=2, bots=1)
        assert await reason(home.rematch(table, guests[0])) is TableReason.NOT_FINISHED
        await play_out(home, table, guests)
        stranger = await guest(home)
        assert await reason(home.rematch(table, stranger)) is TableReason.NOT_YOUR_SEAT
        first, second = await asyncio.gather(
            home.rematch(table, guests[1]), home.rematch(table, guests[0], rotated=True)
        )
        assert first == second
        new = await home.look(first, guests[1])
        assert (new.stage, new.seat, new.is_host) == (Stage.PLAYING, 1, True)
        assert new.follows == table
        assert (await home.look(table)).followed_by == first
        assert [sitter.bot for sitter in new.sitters] == [None, None, "greedy"]


async def test_a_rotated_rematch_gives_everybody_the_right_neighbours_cards(url: str) -> None:
    async with house(url) as home:
        table, guests = await seated(home, people=3)
        await play_out(home, table, guests)
        deal = (await home.replay(table)).deal
        again = await home.rematch(table, guests[0], rotated=True)
        for seat, one in enumerate(guests):
            sight = await home.look(again, one)
            assert sight.seat == (seat + 1) % 3
            assert sight.view is not None
            assert sight.view.hand == tuple(sorted(deal.hands[sight.seat]))


async def test_names_are_shown_as_chosen_or_refused(url: str) -> None:
    async with house(url) as home:
        ann = await home.welcome("  Ann   of\tByzanz ", "en")
        assert ann.name == "Ann of Byzanz"
        for name in ("", "  ", "x" * 25, "a\u202eb", "a\x00b", "\u200b"):
            assert await reason(home.welcome(name, "en")) is TableReason.BAD_NAME
        table = await home.create(ann.id, NewTable((Host(), Open(), Open())))
        version = (await home.look(table)).version
        await home.rename(ann.id, "Änne", "de")
        sight = await home.look(table)
        assert sight.sitters[0].name == "Änne"
        assert sight.version > version
        found = await home.guest(ann.id)
        assert found is not None
        assert (found.name, found.language) == ("Änne", "de")
        assert await home.guest("nobody") is None
        assert await reason(home.rename("nobody", "X", "en")) is TableReason.NO_SUCH_GUEST


async def test_a_personal_link_works_once_and_not_for_long(url: str) -> None:
    clock = Clock()
    async with house(url, clock) as home:
        ann = await guest(home)
        token = await home.pass_token(ann)
        assert (await home.redeem(token)).id == ann
        assert await reason(home.redeem(token)) is TableReason.BAD_PASS
        assert await reason(home.redeem("guessed")) is TableReason.BAD_PASS
        older = await home.pass_token(ann)
        old = await home.pass_token(ann)
        assert await reason(home.redeem(older)) is TableReason.BAD_PASS, "one at a time"
        clock.now += DAY + 1
        assert await reason(home.redeem(old)) is TableReason.BAD_PASS


async def test_lists_show_what_is_listed_and_what_is_mine(url: str) -> None:
    async with house(url) as home:
        ann, ben = await guest(home), await guest(home)
        plan = (Host(), Open(), Open())
        private = await home.create(ann, NewTable(plan))
        listed = await home.create(ann, NewTable(plan, TableOptions(listed=True)))
        assert [entry.table for entry in await home.lobby()] == [listed]
        await home.join(listed, ben)
        (entry,) = await home.tables_of(ben)
        assert (entry.table, entry.seat, entry.waiting_for) == (listed, 1, ())
        assert {entry.table for entry in await home.tables_of(ann)} == {private, listed}
        await home.start(listed, ann)
        (entry,) = await home.lobby(ann)
        assert (entry.stage, entry.seat) == (Stage.PLAYING, 0)
        assert 0 in entry.waiting_for
        await home.leave(listed, ben)
        assert await home.tables_of(ben) == ()


async def test_what_is_not_finished_is_not_replayed(sqlite_url: str) -> None:
    async with house(sqlite_url) as home:
        table, _ = await seated(home, people=3)
        assert await reason(home.replay(table)) is TableReason.NOT_FINISHED
        assert await reason(home.record(table)) is TableReason.NOT_FINISHED
        for missing in ("none", "x" * 1000, ""):
            assert await reason(home.look(missing)) is TableReason.NO_SUCH_TABLE
        with pytest.raises(Declined):
            async with home.watch("none"):
                pass
        assert home.figures == {"tables": 1, "watches": 0}


def test_every_reason_has_a_sentence_and_every_sentence_a_reason() -> None:
    assert set(TABLE_REASONS) == {reason.value for reason in TableReason}
    parameters = {"longest": 24, "fewest": 3, "most": 6, "shortest": 60}
    for code in TableReason:
        sentence = explain_table(code, parameters=parameters)
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "{" not in sentence
