"""Taking back: who may do it, what is taken back, what is kept, and how bots then answer."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from sqlalchemy import select

from byzanz.notation import judge, parse_action
from byzanz.rules import ALL_CARDS, Bid, Card, Deal, Pass, View
from byzanz.tables import (
    Accepted,
    Answer,
    BotSeat,
    Declined,
    Host,
    NewTable,
    Refused,
    Stage,
    TableReason,
    TableService,
    TableView,
)
from byzanz.tables.storage import schema

from .services import act, bots_done, chosen, environment, open_service, play_out, seated


async def undo(service: TableService, table: str, guest: str, key: str = "undo") -> Answer:
    """Take back the guest's last decision, as the guest's view names it."""
    number = (await service.look(table, guest)).undo
    return await service.undo(table, guest, 10**6 if number is None else number, key)


async def log_of(service: TableService, table: str) -> list[tuple[int, int, str, str]]:
    """Return number, seat, action and actor of the log."""
    log = schema.log
    query = select(log.c.number, log.c.seat, log.c.action, log.c.by).where(log.c.table_id == table)
    return await service.store.run(
        lambda c: [tuple(row) for row in c.execute(query.order_by(log.c.number))]
    )


def game_of(table_view: TableView) -> View:
    assert table_view.view is not None
    return table_view.view


async def test_against_bots_a_decision_is_taken_back_with_the_bots_answers(url: str) -> None:
    async with open_service(url) as service:
        table, (ada,) = await seated(service, people=1, bots=3)
        first = await service.look(table, ada)
        assert first.undo is None
        assert await refusal(undo(service, table, ada, "early")) is TableReason.NOTHING_TO_UNDO
        await act(service, table, ada, Pass(), "one")
        await bots_done(service, table, [ada])
        later = await service.look(table, ada)
        assert later.number > 1
        assert later.undo == 0
        answer = await undo(service, table, ada)
        assert isinstance(answer, Accepted)
        again = await service.look(table, ada)
        assert game_of(again) == game_of(first)
        assert (again.number, again.undone, again.undone_by, again.undo) == (0, 1, 0, None)
        assert again.version > later.version
        assert again.decision is not None
        assert later.decision is not None
        assert again.decision > later.decision
        log = await log_of(service, table)
        assert [number for number, *_ in log] == list(range(len(log)))
        assert log[-1][1:] == (0, "undo 0", "person")
        assert len(log) == later.number + 1


async def test_undos_can_be_repeated_and_a_restart_replays_them(url: str) -> None:
    async with open_service(url) as service:
        table, (ada,) = await seated(service, people=1, bots=2)
        views = []
        for number in range(4):
            await bots_done(service, table, [ada])
            views.append(await service.look(table, ada))
            await act(service, table, ada, chosen(views[-1]), f"play {number}")
        await bots_done(service, table, [ada])
        for number, before in enumerate(reversed(views)):
            if number < 3:
                assert isinstance(await undo(service, table, ada, f"undo {number}"), Accepted)
                assert game_of(await service.look(table, ada)) == game_of(before)
        kept = await service.look(table, ada)
        assert kept.undone == 3
    async with open_service(url, prefix="later") as service:
        assert await service.look(table, ada) == kept
        await play_out(service, table, [ada])
        record = await service.record(table)
        (verdict,) = judge(io.BytesIO(record.encode()))
        assert verdict.error is None
        assert json.loads(record.splitlines()[0])["undone"] == 3
        over = await service.look(table, ada)
        assert over.stage is Stage.FINISHED
        assert over.number == len((await service.replay(table)).plays)
        assert over.undo is None
        assert await refusal(undo(service, table, ada, "late")) is TableReason.FINISHED


async def test_a_record_without_undos_has_no_key_for_them(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, guests = await seated(service, people=1, bots=2)
        await play_out(service, table, guests)
        assert "undone" not in json.loads((await service.record(table)).splitlines()[0])


async def test_the_same_decision_made_again_gets_the_same_answers_of_the_bots(url: str) -> None:
    async with open_service(url) as service:
        ada = (await service.guests.create("Ada", "en")).id
        table = await service.create(ada, NewTable((Host(), *[BotSeat("novice")] * 3)))
        for number in range(6):
            await bots_done(service, table, [ada])
            before = await service.look(table, ada)
            action = chosen(before)
            await act(service, table, ada, action, f"play {number}")
            await bots_done(service, table, [ada])
            after = await service.look(table, ada)
            assert isinstance(await undo(service, table, ada, f"undo {number}"), Accepted)
            await act(service, table, ada, action, f"again {number}")
            await bots_done(service, table, [ada])
            assert game_of(await service.look(table, ada)) == game_of(after)


async def test_a_repeated_undo_takes_back_one_decision(url: str) -> None:
    async with open_service(url) as service:
        table, (ada,) = await seated(service, people=1, bots=2)
        for number in range(2):
            await bots_done(service, table, [ada])
            await act(service, table, ada, chosen(await service.look(table, ada)), f"{number}")
        await bots_done(service, table, [ada])
        last = (await service.look(table, ada)).undo
        assert last is not None
        good = await service.undo(table, ada, last, "key")
        assert isinstance(good, Accepted)
        assert await service.undo(table, ada, last, "key") == good
        assert (await service.look(table, ada)).undone == 1
        other = await service.undo(table, ada, last, "other key")
        assert isinstance(other, Refused)
        assert other.code is TableReason.STALE_DECISION
        reused = await act(service, table, ada, Pass(), "key")
        assert isinstance(reused, Refused)
        assert reused.code is TableReason.KEY_REUSED
    async with open_service(url, prefix="later") as service:
        assert await service.undo(table, ada, last, "key") == good
        with pytest.raises(Declined) as declined:
            await service.undo(table, ada, last, "")
        assert declined.value.reason is TableReason.BAD_KEY


async def test_with_people_an_action_is_taken_back_until_somebody_acts(url: str) -> None:
    async with open_service(url) as service:
        table, (ada, ben, eve) = await seated(service, people=3)
        before = await service.look(table, ada)
        await act(service, table, ada, Pass(), "a")
        assert [(await service.look(table, guest)).undo for guest in (ada, ben, eve)] == [
            0,
            None,
            None,
        ]
        assert isinstance(await undo(service, table, ada), Accepted)
        assert game_of(await service.look(table, ada)) == game_of(before)
        await act(service, table, ada, Pass(), "b")
        await act(service, table, ben, Pass(), "c")
        late = await service.look(table, ada)
        assert late.undo is None
        refused = await service.undo(table, ada, 2, "late")
        assert isinstance(refused, Refused)
        assert refused.code is TableReason.ANSWERED_SINCE
        assert await refusal(service.undo(table, "nobody", 0, "x")) is TableReason.NOT_YOUR_SEAT


async def test_with_people_an_action_that_showed_a_hidden_card_stays(url: str) -> None:
    async with open_service(url) as service:
        table, (ada, *others) = await seated(service, people=4)
        hand = game_of(await service.look(table, ada)).hand
        goods = [card for card in hand if card is not Card.M]
        await act(service, table, ada, Bid((goods[0],)), "bid")
        assert (await service.look(table, ada)).undo is None
        refused = await service.undo(table, ada, 0, "undo bid")
        assert isinstance(refused, Refused)
        assert refused.code is TableReason.SHOWN_SINCE
        for guest in others:
            await act(service, table, guest, Pass(), "pass")
        offer = game_of(await service.look(table, ada)).offer
        await act(service, table, ada, parse_action(f"give {offer[0]}"), "give")
        turned = await service.look(table, ada)
        assert len(game_of(turned).offer) == 4
        assert turned.undo is None
        answer = await service.undo(table, ada, 4, "undo give")
        assert isinstance(answer, Refused)
        assert answer.code is TableReason.SHOWN_SINCE


async def test_a_stale_answer_is_refused_after_an_undo(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, (ada, ben, _) = await seated(service, people=3)
        await act(service, table, ada, Pass(), "a")
        seen = await service.look(table, ben)
        await undo(service, table, ada)
        hand = game_of(await service.look(table, ada)).hand
        await act(service, table, ada, Bid((min(c for c in hand if c is not Card.M),)), "b")
        answer = await service.act(table, ben, Pass(), decision=seen.decision, key="late")
        assert isinstance(answer, Refused)
        assert answer.code is TableReason.STALE_DECISION


async def test_an_answer_that_a_bot_computed_during_an_undo_is_dropped(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, (ada,) = await seated(service, people=1, bots=3)
        for number in range(12):  # the bots may be at any point of their answers
            await act(service, table, ada, Pass(), f"play {number}")
            assert isinstance(await undo(service, table, ada, f"undo {number}"), Accepted)
        assert (await service.look(table, ada)).number == 0
        assert await bots_done(service, table, [ada])
        assert (await service.look(table, ada)).waiting_for == (0,)


async def test_sales_taken_back_are_not_made_again_by_a_late_click(sqlite_url: str) -> None:
    deal = Deal.of(
        [Card.C1, Card.C2, Card.C3, Card.M, *_others(Card.C1, Card.C2, Card.C3, Card.M)], 3
    )
    fixed = replace(environment(), deal=lambda _: deal)
    async with open_service(sqlite_url, automatic=False, environment=fixed) as service:
        table, (ada,) = await seated(service, people=1, bots=2)
        sale = parse_action("sell C1 C2 C3")
        sold = await service.act(table, ada, sale, sale=0, key="one")
        assert isinstance(sold, Accepted)
        assert isinstance(await undo(service, table, ada), Accepted)
        again = await service.look(table, ada)
        assert again.sale == 1
        late = await service.act(table, ada, sale, sale=0, key="two")
        assert isinstance(late, Refused)
        assert isinstance(await service.act(table, ada, sale, sale=1, key="three"), Accepted)


def _others(*dealt: Card) -> list[Card]:
    rest = list(ALL_CARDS)
    for card in dealt:
        rest.remove(card)
    return rest


async def refusal(asked: object) -> object:
    """Return the code of a refused request."""
    answer = await asked  # type: ignore[misc]
    assert isinstance(answer, Refused)
    return answer.code
