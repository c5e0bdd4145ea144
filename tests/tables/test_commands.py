"""Commands to a table: join, start, leave, replace, return, rematch; and idle tables."""

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
    NewTable,
    Open,
    Refused,
    Replaced,
    Stage,
    TableOptions,
    TableReason,
    TableService,
)
from byzanz.tables.storage import listing, schema

from .services import Clock, bots_done, holds, limits, open_service, play_out, seated

DAY = 24 * 3600


async def guest(service: TableService, name: str | None = "Ann") -> str:
    return (await service.guests.create(name, "en")).id


async def reason(asked: object) -> TableReason:
    with pytest.raises(Declined) as declined:
        await asked  # type: ignore[misc]
    return declined.value.reason


async def test_with_bots_alone_the_game_begins_at_once(url: str) -> None:
    async with open_service(url) as service:
        ann = await guest(service)
        table = await service.create(ann, NewTable((BotSeat("random"), Host(), BotSeat("greedy"))))
        table_view = await bots_done(service, table, [ann])
        assert table_view.stage is Stage.PLAYING
        mine = await service.look(table, ann)
        assert (mine.seat, mine.is_host, mine.waiting_for) == (1, True, (1,))
        assert [sitter.bot for sitter in mine.sitters] == ["random", None, "greedy"]
        assert [sitter.name for sitter in mine.sitters] == [None, "Ann", None]


async def test_people_join_by_link_and_the_last_one_begins_the_game(url: str) -> None:
    async with open_service(url) as service:
        ann, ben, eve = [await guest(service, name) for name in ("Ann", "Ben", "Eve")]
        table = await service.create(ann, NewTable((Host(), Open(), Open())))
        opened = await service.look(table)
        assert opened.stage is Stage.OPEN
        assert opened.view is None
        assert [sitter.open for sitter in opened.sitters] == [False, True, True]
        assert await service.join(table, ben, 2) == 2
        assert await reason(service.join(table, eve, 2)) is TableReason.SEAT_TAKEN
        assert await reason(service.join(table, eve, 3)) is TableReason.NOT_A_SEAT
        assert await reason(service.join(table, eve, -1)) is TableReason.NOT_A_SEAT
        assert await reason(service.join(table, ben)) is TableReason.ALREADY_SEATED
        assert await reason(service.join(table, "nobody")) is TableReason.NO_SUCH_GUEST
        assert await service.join(table, eve) == 1
        assert (await service.look(table)).stage is Stage.PLAYING
        late = await guest(service)
        assert await reason(service.join(table, late)) is TableReason.TABLE_FULL
        assert (await service.look(table, late)).seat is None


async def test_the_host_begins_with_bots_on_open_seats(url: str) -> None:
    async with open_service(url) as service:
        ann, ben = await guest(service), await guest(service)
        table = await service.create(ann, NewTable((Host(), Open(), Open())))
        await service.join(table, ben)
        assert await reason(service.start(table, ben)) is TableReason.NOT_HOST
        assert await reason(service.start(table, ann, "cmd:true")) is TableReason.UNKNOWN_BOT
        await service.start(table, ann, "novice")
        table_view = await service.look(table)
        assert [sitter.bot for sitter in table_view.sitters] == [None, None, "novice"]
        assert await reason(service.start(table, ann)) is TableReason.ALREADY_STARTED


async def test_a_plan_has_three_to_six_seats_and_one_host(sqlite_url: str) -> None:
    for seats in ((Host(), Open()), (Host(), *[Open()] * 6), (Open(),) * 3, (Host(),) * 3):
        with pytest.raises(Declined) as declined:
            NewTable(seats)
        assert declined.value.reason is TableReason.BAD_PLAN
    for seconds in (0, 59, 15 * DAY):
        with pytest.raises(Declined) as declined:
            TableOptions(think_seconds=seconds)
        assert declined.value.reason is TableReason.BAD_TIME
    async with open_service(
        sqlite_url, limits=limits(tables_per_guest=2), bots=("greedy",)
    ) as service:
        ann = await guest(service)
        for bot in ("random", "cmd:rm", "greedy@9s"):
            plan = NewTable((Host(), BotSeat(bot), Open()))
            assert await reason(service.create(ann, plan)) is TableReason.UNKNOWN_BOT
        plan = NewTable((Host(), BotSeat("greedy"), Open()))
        await service.create(ann, plan)
        await service.create(ann, plan)
        assert await reason(service.create(ann, plan)) is TableReason.TOO_MANY_TABLES
        assert await reason(service.create("nobody", plan)) is TableReason.NO_SUCH_GUEST


async def test_unfinished_tables_left_to_bots_count_for_the_limit(url: str) -> None:
    async with open_service(url, limits=limits(tables_per_guest=2), automatic=False) as service:
        ann = await guest(service)
        plan = NewTable((Host(), BotSeat("greedy"), BotSeat("greedy")))
        for _ in range(2):
            await service.leave(await service.create(ann, plan), ann)
        assert await reason(service.create(ann, plan)) is TableReason.TOO_MANY_TABLES


async def test_leaving_an_open_table_frees_the_seat_and_the_next_person_is_host(url: str) -> None:
    async with open_service(url) as service:
        ann, ben = await guest(service, "Ann"), await guest(service, "Ben")
        table = await service.create(ann, NewTable((Host(), Open(), Open())))
        await service.join(table, ben)
        await service.leave(table, ann)
        table_view = await service.look(table, ben)
        assert table_view.is_host
        assert [sitter.open for sitter in table_view.sitters] == [True, False, True]
        assert await reason(service.leave(table, ann)) is TableReason.NOT_YOUR_SEAT
        await service.leave(table, ben)
        assert (await service.look(table)).stage is Stage.EXPIRED
        assert await reason(service.join(table, ann)) is TableReason.EXPIRED


async def test_a_bot_takes_over_for_good_when_a_player_leaves(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=3)
        await service.leave(table, guests[0])
        table_view = await bots_done(service, table, guests)
        assert table_view.number >= 1
        sitter = table_view.sitters[0]
        assert (sitter.bot, sitter.left, sitter.standing_in) == ("greedy", True, False)
        assert (await service.look(table, guests[0])).seat is None
        assert (await service.look(table, guests[1])).is_host
        await service.come_back(table, guests[0])
        assert (await service.look(table)).sitters[0].bot == "greedy"


async def test_the_host_replaces_an_absent_player_until_they_return(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=3)
        assert await reason(service.replace(table, guests[1], 0)) is TableReason.NOT_HOST
        assert await reason(service.replace(table, guests[0], 9)) is TableReason.NOT_A_SEAT
        async with service.subscribe(table, guests[1]):
            assert await reason(service.replace(table, guests[0], 1)) is TableReason.NOT_ABSENT
        await service.replace(table, guests[0], 1, "novice")
        assert await reason(service.replace(table, guests[0], 1)) is TableReason.NOT_A_PERSON
        table_view = await service.look(table, guests[1])
        assert (table_view.sitters[1].bot, table_view.sitters[1].standing_in) == ("greedy", True)
        assert table_view.seat == 1, "the seat still belongs to its owner"
        async with service.subscribe(table, guests[1]) as table_views:
            table_view = await anext(table_views)
            assert (table_view.sitters[1].bot, table_view.sitters[1].standing_in) == (None, False)


async def test_a_stand_in_ends_when_the_owner_acts(sqlite_url: str) -> None:
    async with open_service(sqlite_url, automatic=False) as service:  # or the bot would act first
        table, guests = await seated(service, people=3)
        await service.replace(table, guests[0], 0)
        assert (await service.look(table)).sitters[0].standing_in
        answer = await service.act(table, guests[0], Pass(), decision=0, key="a")
        assert isinstance(answer, Accepted)
        assert not answer.table_view.sitters[0].standing_in


async def test_a_bot_stands_in_after_the_time_limit_until_the_owner_returns(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock) as service:
        table, guests = await seated(service, 3, options=TableOptions(think_seconds=60))
        await holds(service, table)
        table_view = await service.look(table, guests[0])
        assert table_view.deadline == clock.now + 60
        assert await reason(service.replace(table, guests[0], 1)) is TableReason.HAS_TIME_LIMIT
        clock.now += 59
        await service.clock.tick()
        assert not (await service.look(table)).sitters[0].standing_in
        clock.now += 1
        await service.clock.tick()
        table_view = await bots_done(service, table, guests)
        assert table_view.sitters[0].standing_in
        assert table_view.waiting_for == (1,)
        assert table_view.deadline == clock.now + 60
        clock.now += 30
        await service.come_back(table, guests[0])
        table_view = await service.look(table)
        assert not table_view.sitters[0].standing_in
        assert table_view.deadline == clock.now + 30, (
            "the return of another player must not extend the time"
        )


async def test_a_stand_in_plays_one_action_if_only_bots_wait(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock) as service:
        table, guests = await seated(
            service, people=1, bots=2, options=TableOptions(think_seconds=60)
        )
        await holds(service, table)
        for _ in range(3):
            before = await bots_done(service, table, guests)
            assert before.waiting_for == (0,)
            assert before.deadline == clock.now + 60
            clock.now += 60
            await service.clock.tick()
            table_view = await bots_done(service, table, guests)
            assert table_view.number > before.number
            assert not table_view.sitters[0].standing_in


async def test_clocks_run_during_a_restart(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock) as service:
        table, _ = await seated(service, 3, options=TableOptions(think_seconds=3600))
    clock.now += 3601
    async with open_service(url, clock, prefix="other") as service:
        table_view = await bots_done_after_timeout(service, table)
        assert table_view.sitters[0].standing_in
        assert not table_view.sitters[1].standing_in


async def bots_done_after_timeout(service: TableService, table: str):  # noqa: ANN201
    async with asyncio.timeout(20), service.subscribe(table) as table_views:
        async for table_view in table_views:
            if table_view.number:
                return table_view
    raise AssertionError("nobody stood in")


async def test_another_seats_sale_gives_no_more_time(sqlite_url: str) -> None:
    clock = Clock()
    async with open_service(sqlite_url, clock) as service:
        options = TableOptions(think_seconds=600)
        table, guests = await seated(service, people=3, options=options)
        for _ in range(400):
            table_view = await service.look(table)
            for guest_ in guests:
                theirs = await service.look(table, guest_)
                assert theirs.view is not None
                if theirs.seat not in table_view.waiting_for and theirs.view.options.sales:
                    clock.now += 10
                    sale = theirs.view.options.sales[0]
                    await service.act(table, guest_, sale, sale=theirs.sale, key="s")
                    assert (await service.look(table)).deadline == table_view.deadline
                    return
            await play_out(service, table, guests, most=1)
        raise AssertionError("nobody could sell")


async def test_idle_tables_expire_and_are_later_deleted(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock) as service:
        ann = await guest(service)
        waiting = await service.create(ann, NewTable((Host(), Open(), Open())))
        playing, _ = await seated(service, people=3)
        done, people = await seated(service, people=1, bots=2)
        await play_out(service, done, people)
        clock.now += 1 * DAY + 1
        await service.maintenance.clean_up()
        assert (await service.look(waiting)).stage is Stage.EXPIRED
        assert (await service.look(playing)).stage is Stage.PLAYING
        clock.now += 30 * DAY
        await service.maintenance.clean_up()
        expired = await service.look(playing)
        assert expired.stage is Stage.EXPIRED
        assert expired.view is None, "an unfinished game stays hidden"
        assert await reason(service.replay(playing)) is TableReason.NOT_FINISHED
        assert (await service.look(done)).stage is Stage.FINISHED
        clock.now += 30 * DAY + 1
        await service.maintenance.clean_up()
        for gone in (waiting, playing):
            assert await reason(service.look(gone)) is TableReason.NO_SUCH_TABLE
        assert (await service.look(done)).stage is Stage.FINISHED


async def test_finished_tables_are_deleted_after_the_time_that_is_set(sqlite_url: str) -> None:
    clock = Clock()
    kept = limits(finished_table_seconds=2 * DAY)
    async with open_service(sqlite_url, clock, limits=kept) as service:
        table, people = await seated(service, people=1, bots=2)
        await play_out(service, table, people)
        clock.now += 1 * DAY
        await service.maintenance.clean_up()
        assert (await service.look(table)).stage is Stage.FINISHED
        clock.now += 2 * DAY
        await service.maintenance.clean_up()
        assert await reason(service.look(table)) is TableReason.NO_SUCH_TABLE


async def test_a_table_that_cannot_be_loaded_does_not_stop_the_clocks_of_others(
    sqlite_url: str,
) -> None:
    clock = Clock()
    async with open_service(sqlite_url, clock, automatic=False) as service:
        timed = TableOptions(think_seconds=60)
        damaged, table = [(await seated(service, 3, options=timed))[0] for _ in range(2)]
        damage = update(schema.tables).where(schema.tables.c.id == damaged).values(options="none")
        await service.store.run(lambda connection: connection.execute(damage).rowcount)
        service._tables._tables[damaged].stale = True
        clock.now += 61
        await service.clock.tick()
        assert (await service.look(table)).sitters[0].standing_in


async def test_unfinished_tables_are_listed_first(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock) as service:
        ann = await guest(service)
        waiting = await service.create(ann, NewTable((Host(), Open(), Open())))
        clock.now += 60
        done = await service.create(ann, NewTable((Host(), BotSeat("greedy"), BotSeat("greedy"))))
        await play_out(service, done, [ann])
        assert [each.table for each in await service.tables_of(ann)] == [waiting, done]


async def test_a_new_name_is_shown_at_unfinished_tables_only(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock) as service:
        ann = await guest(service, "Ann")
        waiting = await service.create(ann, NewTable((Host(), Open(), Open())))
        done = await service.create(ann, NewTable((Host(), BotSeat("greedy"), BotSeat("greedy"))))
        await play_out(service, done, [ann])
        before = await service.look(done)
        await service.guests.update(ann, "Zoe", "en")
        assert (await service.look(waiting)).sitters[0].name == "Zoe"
        assert (await service.look(done)).version == before.version
        assert '"Ann"' in await service.record(done)


async def test_a_text_with_a_nul_character_is_refused(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service)
        assert await reason(service.look("\0")) is TableReason.NO_SUCH_TABLE
        assert await reason(service.guests.redeem("\0")) is TableReason.BAD_PASS
        acting = service.act(table, guests[0], Pass(), decision=0, key="a\0")
        assert await reason(acting) is TableReason.BAD_KEY


async def test_a_rematch_seats_the_same_people_and_is_created_once(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=2, bots=1)
        assert await reason(service.rematch(table, guests[0])) is TableReason.NOT_FINISHED
        await play_out(service, table, guests)
        stranger = await guest(service)
        assert await reason(service.rematch(table, stranger)) is TableReason.NOT_YOUR_SEAT
        first, second = await asyncio.gather(
            service.rematch(table, guests[1]), service.rematch(table, guests[0], invite=True)
        )
        assert first == second
        new = await service.look(first, guests[1])
        assert (new.stage, new.seat, new.is_host) == (Stage.PLAYING, 1, True)
        assert new.follows == table
        assert (await service.look(table)).followed_by == first
        assert [sitter.bot for sitter in new.sitters] == [None, None, "greedy"]


async def test_a_rotated_rematch_gives_everybody_the_right_neighbours_cards(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=3)
        await play_out(service, table, guests)
        deal = (await service.replay(table)).deal
        again = await service.rematch(table, guests[0], rotated=True)
        for one in guests[1:]:
            assert await service.rematch(table, one, rotated=True) == again
        for seat, one in enumerate(guests):
            table_view = await service.look(again, one)
            assert table_view.seat == (seat + 1) % 3
            assert table_view.view is not None
            assert table_view.view.hand == tuple(sorted(deal.hands[table_view.seat]))


async def test_names_are_normalised_or_refused(url: str) -> None:
    async with open_service(url) as service:
        ann = await service.guests.create("  Ann   of\tByzanz ", "en")
        assert ann.name == "Ann of Byzanz"
        for name in ("", "  ", "x" * 25, "a\u202eb", "a\x00b", "\u200b"):
            assert await reason(service.guests.create(name, "en")) is TableReason.BAD_NAME
        table = await service.create(ann.id, NewTable((Host(), Open(), Open())))
        version = (await service.look(table)).version
        await service.guests.update(ann.id, "Änne", "de")
        table_view = await service.look(table)
        assert table_view.sitters[0].name == "Änne"
        assert table_view.version > version
        found = await service.guests.get(ann.id)
        assert found is not None
        assert (found.name, found.language) == ("Änne", "de")
        assert await service.guests.get("nobody") is None
        assert await reason(service.guests.update("nobody", "X", "en")) is TableReason.NO_SUCH_GUEST


async def test_a_personal_link_works_once_and_expires(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock) as service:
        ann = await guest(service)
        token = await service.guests.pass_token(ann)
        assert (await service.guests.redeem(token)).id == ann
        assert await reason(service.guests.redeem(token)) is TableReason.BAD_PASS
        assert await reason(service.guests.redeem("guessed")) is TableReason.BAD_PASS
        older = await service.guests.pass_token(ann)
        old = await service.guests.pass_token(ann)
        assert await reason(service.guests.redeem(older)) is TableReason.BAD_PASS, "one at a time"
        clock.now += DAY + 1
        assert await reason(service.guests.redeem(old)) is TableReason.BAD_PASS


async def test_lists_show_listed_tables_and_my_own(url: str) -> None:
    async with open_service(url) as service:
        ann, ben = await guest(service), await guest(service)
        plan = (Host(), Open(), Open())
        private = await service.create(ann, NewTable(plan))
        listed = await service.create(ann, NewTable(plan, TableOptions(listed=True)))
        assert [entry.table for entry in await service.lobby()] == [listed]
        await service.join(listed, ben)
        (entry,) = await service.tables_of(ben)
        assert (entry.table, entry.seat, entry.waiting_for) == (listed, 1, ())
        assert {entry.table for entry in await service.tables_of(ann)} == {private, listed}
        await service.start(listed, ann)
        (entry,) = await service.lobby(ann)
        assert (entry.stage, entry.seat) == (Stage.PLAYING, 0)
        assert 0 in entry.waiting_for
        await service.leave(listed, ben)
        assert await service.tables_of(ben) == ()


async def test_an_unfinished_game_has_no_replay_and_no_record(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, _ = await seated(service, people=3)
        assert await reason(service.replay(table)) is TableReason.NOT_FINISHED
        assert await reason(service.record(table)) is TableReason.NOT_FINISHED
        for missing in ("none", "x" * 1000, ""):
            assert await reason(service.look(missing)) is TableReason.NO_SUCH_TABLE
        with pytest.raises(Declined):
            async with service.subscribe("none"):
                pass
        assert (service.figures["tables"], service.figures["watches"]) == (1, 0)


def test_every_reason_has_a_message_and_every_message_a_reason() -> None:
    assert set(TABLE_REASONS) == {reason.value for reason in TableReason}
    parameters = {"longest": 24, "fewest": 3, "most": 6, "shortest": 60, "last": 11, "least": 1}
    parameters |= {"digits": 32}
    for code in TableReason:
        sentence = explain_table(code, parameters=parameters)
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "{" not in sentence


async def test_a_player_who_polls_cannot_be_replaced(sqlite_url: str) -> None:
    clock = Clock()
    settings = limits(polling_presence_seconds=60)
    async with open_service(sqlite_url, clock, limits=settings) as service:
        table, guests = await seated(service, people=3)
        clock.now += 61
        await service.look(table, guests[1])
        async with service.subscribe(table, guests[2]):
            pass
        for seat in (1, 2):
            found = await reason(service.replace(table, guests[0], seat, "random"))
            assert found is TableReason.NOT_ABSENT
        clock.now += 61
        await service.replace(table, guests[0], 1, "random")
        await service.look(table, guests[2])
        assert await reason(service.replace(table, guests[0], 2)) is TableReason.NOT_ABSENT


async def test_a_stand_in_is_as_strong_as_the_bots_of_the_table(sqlite_url: str) -> None:
    async with open_service(sqlite_url, automatic=False) as service:
        guests = [(await service.guests.create(None, "en")).id for _ in range(3)]
        seats = (Host(), Open(), Open(), BotSeat("level2"), BotSeat("level7"))
        table = await service.create(guests[0], NewTable(seats))
        for guest in guests[1:]:
            await service.join(table, guest)
        for seat in (1, 2):
            await service.replace(table, guests[0], seat, "random")
            assert (await service.look(table)).sitters[seat].bot == "level7"


async def test_a_player_who_polls_is_shown_as_present(sqlite_url: str) -> None:
    clock = Clock()
    settings = limits(polling_presence_seconds=60)
    async with open_service(sqlite_url, clock, limits=settings, automatic=False) as service:
        table, guests = await seated(service, people=3)
        async with service.subscribe(table) as table_views:
            assert (await anext(table_views)).present == (False, False, False)
            await service.look(table, guests[1])
            assert (await anext(table_views)).present == (False, True, False)
            clock.now += 61
            service.maintenance.evict()
            assert (await anext(table_views)).present == (False, False, False)


async def test_a_closed_page_is_not_taken_for_polling(sqlite_url: str) -> None:
    settings = limits(polling_presence_seconds=60)
    async with open_service(sqlite_url, limits=settings, automatic=False) as service:
        table, guests = await seated(service, people=3)
        await service.look(table, guests[1])
        async with service.subscribe(table, guests[1]) as table_views:
            assert (await anext(table_views)).present == (False, True, False)
        assert (await service.look(table)).present == (False, False, False)


async def test_a_replaced_player_is_told_why_until_they_act(url: str) -> None:
    async with open_service(url, automatic=False) as service:
        table, guests = await seated(service, people=3)
        await service.replace(table, guests[0], 0)
        await service.replace(table, guests[0], 1)
    async with open_service(url, automatic=False, prefix="later") as service:
        assert (await service.look(table, guests[0])).replaced is Replaced.HOST
        assert (await service.look(table, guests[2])).replaced is None
        assert (await service.look(table)).replaced is None
        await service.come_back(table, guests[1])
        assert (await service.look(table, guests[1])).replaced is Replaced.HOST
        await service.cancel(table, guests[1])
        assert (await service.look(table, guests[1])).replaced is None
        await service.cancel(table, guests[0])  # a bot still plays
        assert (await service.look(table, guests[0])).replaced is Replaced.HOST
        answer = await service.act(table, guests[0], Pass(), decision=0, key="a")
        assert answer.table_view.replaced is None


async def test_acting_takes_the_seat_back_even_if_the_bot_was_faster(url: str) -> None:
    async with open_service(url, automatic=False) as service:
        table, guests = await seated(service, people=3)
        await service.replace(table, guests[0], 1)
        answer = await service.act(table, guests[1], Pass(), decision=77, key="late")
        assert isinstance(answer, Refused)
        assert answer.code is TableReason.STALE_DECISION
        assert not answer.table_view.sitters[1].standing_in
        await service.replace(table, guests[0], 2)
        undone = await service.undo(table, guests[2], 0, "undo")
        assert isinstance(undone, Refused)
    async with open_service(url, automatic=False, prefix="later") as service:
        sitters = (await service.look(table)).sitters
        assert [sitter.standing_in for sitter in sitters] == [False, False, False]


async def test_one_guest_and_one_address_cannot_fill_the_lobby(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "_MOST_TABLES", 20)
    clock, plan = Clock(), NewTable((Host(), Open(), Open()), TableOptions(listed=True))
    async with open_service(url, clock, automatic=False) as service:
        victim = await guest(service)
        service.note_address(victim, "192.0.2.1")
        table = await service.create(victim, plan)
        for _ in range(8):
            attacker = await guest(service)
            service.note_address(attacker, "198.51.100.7")
            for _ in range(3):
                clock.now += 1
                await service.create(attacker, plan)
        assert await reason(service.create(attacker, plan)) is TableReason.TOO_MANY_LISTED
        await service.create(attacker, NewTable(plan.seats))  # not listed
        listed = [each.table for each in await service.lobby()]
        assert len(listed) == 20
        assert table in listed


async def test_one_guest_cannot_sit_everywhere(url: str) -> None:
    async with open_service(url, limits=limits(seats_per_guest=2), automatic=False) as service:
        ann = await guest(service)
        plan = NewTable((Host(), Open(), Open()))
        tables = [await service.create(await guest(service), plan) for _ in range(3)]
        for table in tables[:2]:
            await service.join(table, ann)
        assert await reason(service.join(tables[2], ann)) is TableReason.TOO_MANY_SEATS
        assert await reason(service.create(ann, plan)) is TableReason.TOO_MANY_SEATS
        await service.leave(tables[0], ann)
        await service.join(tables[2], ann)
