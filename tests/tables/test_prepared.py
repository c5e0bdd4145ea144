"""Prepared answers and automatic actions: played in time, dropped in time, seen by nobody else."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import select

from byzanz.notation import Malformed, parse_action, write_action
from byzanz.rules import ALL_CARDS, Bid, Card, Deal, Game, Pass, Phase, Take, worth
from byzanz.tables import (
    Accepted,
    Automatic,
    BotSeat,
    Declined,
    Dropped,
    Guest,
    Host,
    NewTable,
    Open,
    Prepared,
    PreparedBid,
    PreparedPass,
    PreparedTake,
    TableReason,
    TableService,
    TableView,
)
from byzanz.tables.model import automatic, commands
from byzanz.tables.model.table import Table
from byzanz.tables.model.view import table_view
from byzanz.tables.storage import schema

from .services import act, open_service, seated

HAND = (Card.C1, Card.G1, Card.S2, Card.W3)
"""The hand of seat 1 in the tests of this module."""


def deal(*hands: tuple[Card, ...]) -> Deal:
    """Return a deal for three with these hands."""
    rest = list(ALL_CARDS)
    for card in sum(hands, ()):
        rest.remove(card)
    return Deal.of([*sum(hands, ()), *rest], 3)


DEAL = deal((Card.C2, Card.G2, Card.O4, Card.S4), HAND, (Card.C1, Card.O2, Card.T3, Card.W4))


def playing(*plays: str, at: Table | None = None) -> Table:
    """Return a table of three people after these actions, each played by the seat on turn."""
    people = [Guest(name, name, "en", 0, 0) for name in ("ada", "ben", "eve")]
    table = at
    if table is None:
        plan = NewTable((Host(), Open(), Open()))
        table = commands.create(people[0], plan, commands.Creation("t", lambda _: DEAL, 1, 0.0))
        for guest in people[1:]:
            table = commands.join(table, guest, None, lambda _: DEAL, 0.0)
    for text in plays:
        assert table.game is not None
        seat = table.game.state.turn
        assert seat is not None
        table = commands.act_as_bot(table, seat, parse_action(text), 0.0).table
    return table


def prepared(table: Table, answer: Prepared, guest: str = "ben") -> Table:
    return automatic.prepare(table, guest, answer).table


def after_due(table: Table) -> tuple[Table, str]:
    """Return the table after the action that is due, and the action."""
    change = automatic.play_due(table, 0.0)
    assert change.entry is not None
    return change.table, f"{change.entry.by}: {change.entry.action}"


def bid(up_to: int, *cards: str, offer_card: int = 6, round_: int = 1) -> PreparedBid:
    return PreparedBid(round_, offer_card, up_to, cards)


def test_a_prepared_bid_raises_as_little_as_possible_with_its_cards_first() -> None:
    table = prepared(playing(), bid(6, "S2", "C1"))
    assert automatic.due_action(table) is None
    table, action = after_due(playing("pass", at=table))
    assert action == "prepared: bid S2"
    assert table.chairs[1].prepared == bid(6, "C1")
    table, action = after_due(playing("bid C1 O2", at=table))
    assert action == "prepared: bid C1 G1"
    assert table.chairs[1].prepared == bid(6)


def test_a_prepared_bid_uses_other_cards_within_its_limit_only() -> None:
    table = prepared(playing(), bid(3, "W3"))
    assert after_due(playing("bid C2", at=table))[1] == "prepared: bid W3"
    table = prepared(playing(), bid(4, "S2"))
    assert after_due(playing("bid C2", at=table))[1] == "prepared: bid C1 S2"
    table = prepared(playing(), bid(2, "W3"))  # this card alone exceeds the limit
    assert after_due(playing("pass", at=table))[1] == "prepared: bid C1"


def test_a_prepared_bid_finds_any_bid_between_the_highest_and_the_limit() -> None:
    hand = (Card.S2, Card.T2, Card.W3, Card.M)
    game = Game.start(deal((Card.C3, Card.G2, Card.G3, Card.O4), hand, (Card.O1,) * 4))
    table = prepared(replace(playing(), game=game), bid(4, "W3"))
    # no card fits beside the 3, but the two others fit together
    assert after_due(playing("bid C3", at=table))[1] == "prepared: bid S2 T2"


@pytest.mark.parametrize(
    ("answer", "plays", "why"),
    [
        (bid(3, "C1"), ("bid O4",), Dropped.OUTBID),
        (bid(4, "W3"), ("bid O4",), Dropped.OUTBID),
        (bid(6, "C1"), ("bid O4",), None),
    ],
)
def test_a_prepared_bid_is_dropped_when_its_limit_is_reached(
    answer: Prepared, plays: tuple[str, ...], why: Dropped | None
) -> None:
    table = playing(*plays, at=prepared(playing(), answer))
    assert table.chairs[1].dropped == why
    assert (table.chairs[1].prepared is None) == (why is not None)


def test_a_prepared_bid_is_dropped_when_its_cards_are_sold() -> None:
    hand = (Card.C1, Card.C2, Card.C3, Card.W3)
    table = replace(playing(), game=Game.start(deal((Card.G2,) * 4, hand, (Card.O1,) * 4)))
    table = prepared(table, bid(3, "C2"))
    request = commands.Request.of(
        "ben", "k", parse_action("sell C1 C2 C3"), decision=0, sale=0, at=0.0
    )
    sold = commands.act(table, request).table
    assert sold.chairs[1].prepared is None
    assert sold.chairs[1].dropped is Dropped.HAND_CHANGED


def test_a_prepared_pass_is_played_once_and_in_its_auction_only() -> None:
    table = prepared(playing(), PreparedPass(1, 6))
    table, action = after_due(playing("bid C2", at=table))
    assert action == "prepared: pass"
    assert table.chairs[1].prepared is None
    assert table.chairs[1].dropped is None


def test_the_winner_gets_no_notice_about_a_prepared_answer() -> None:
    table = prepared(playing("pass", "bid C1"), PreparedPass(1, 6))
    table = playing("pass", at=table)
    assert table.game is not None
    assert (table.game.state.phase, table.game.state.turn) == (Phase.GIVE, 1)
    assert (table.chairs[1].prepared, table.chairs[1].dropped) == (None, None)


@pytest.mark.parametrize("answer", [PreparedPass(1, 6), bid(5)])
def test_an_answer_for_an_auction_that_is_over_is_dropped_with_a_notice(answer: Prepared) -> None:
    table = prepared(playing("bid C2"), answer, "eve")
    table = playing("pass", "pass", at=table)  # as a bot that stands in would
    assert (table.chairs[2].prepared, table.chairs[2].dropped) == (None, Dropped.NEW_AUCTION)


def test_a_prepared_take_is_played_or_dropped_when_the_kind_is_gone() -> None:
    table = _market()
    assert table.game is not None
    state = table.game.state
    first, second, _ = state.takers
    kinds = list(dict.fromkeys(card.kind for card in state.market))
    assert len(kinds) >= 2
    owner = ("ada", "ben", "eve")[second]
    wanted = PreparedTake(1, kinds[0].letter)
    table = prepared(table, wanted, owner)
    gone = playing(f"take {kinds[0].letter}", at=table)
    assert gone.chairs[second].dropped is Dropped.KIND_GONE
    left = playing(f"take {kinds[1].letter}", at=table)
    while left.game is not None and left.game.state.phase is Phase.LIMIT:
        left = playing(f"discard {left.game.state.players[first].hand[0]}", at=left)
    after, action = after_due(left)
    assert action == f"prepared: take {kinds[0].letter}"
    assert after.chairs[second].prepared is None
    with pytest.raises(Declined):
        prepared(gone, wanted, ("ada", "ben", "eve")[first])


def _market() -> Table:
    """Return a table at the beginning of its first market, with more than one kind in it."""
    table = playing()
    while True:
        assert table.game is not None
        state = table.game.state
        if state.phase is Phase.MARKET:
            return table
        seat = state.turn
        assert seat is not None
        options = table.game.view(seat).options
        if state.phase is Phase.AUCTION and options.bids and not state.highest:
            action = write_action(Bid(options.bids[-1]))
        else:
            action = write_action(options.answers[0])
        table = playing(action, at=table)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (bid(3, offer_card=4), TableReason.STALE_DECISION),
        (bid(3, round_=2), TableReason.STALE_DECISION),
        (PreparedPass(2, 6), TableReason.STALE_DECISION),
        (PreparedTake(2, "W"), TableReason.STALE_DECISION),
        (bid(8), TableReason.BAD_PREPARED_BID),
        (bid(2), TableReason.BAD_PREPARED_BID),
        (bid(5, "T1"), TableReason.BAD_PREPARED_BID),
        (bid(5, "C1", "C1"), TableReason.BAD_PREPARED_BID),
        (bid(5, "M"), TableReason.BAD_PREPARED_BID),
    ],
)
def test_what_does_not_fit_cannot_be_prepared(answer: Prepared, reason: TableReason) -> None:
    with pytest.raises(Declined) as declined:
        prepared(playing("bid C2"), answer)
    assert declined.value.reason is reason


def test_a_player_who_is_out_of_the_auction_cannot_prepare_for_it() -> None:
    table = playing("pass")
    for answer in (PreparedPass(1, 6), bid(3)):
        with pytest.raises(Declined) as declined:
            prepared(table, answer, "ada")
        assert declined.value.reason is TableReason.CANNOT_PREPARE
    with pytest.raises(Malformed):
        prepared(table, bid(3, "X9"))


def test_nobody_else_sees_what_is_prepared_or_automatic() -> None:
    plain = playing()
    secret = prepared(plain, bid(5, "S2"))
    secret = automatic.automate(secret, "ben", Automatic(pass_beaten=True)).table
    for seat in (0, 2, None):
        assert table_view(secret, seat) == table_view(plain, seat)
    own = table_view(secret, 1)
    assert own.prepared == bid(5, "S2")
    assert own.automatic == Automatic(pass_beaten=True)
    assert secret.version == plain.version
    assert automatic.prepare(plain, "ben", bid(5)).private == "ben"


def test_the_last_kind_is_taken_automatically_if_the_owner_allows_it() -> None:
    table = _market()
    assert table.game is not None
    state = table.game.state
    kind = state.market[0].kind
    one = tuple(card for card in state.market if card.kind is kind)
    table = replace(table, game=replace(table.game, state=state._replace(market=one)))
    seat = state.takers[0]
    assert automatic.due_action(table) is None
    willing = automatic.automate(
        table, ("ada", "ben", "eve")[seat], Automatic(take_last=True)
    ).table
    assert automatic.due_action(willing) == (seat, Take(kind), "automatic")
    assert table_view(willing, seat).answering
    assert not table_view(willing, (seat + 1) % 3).answering


def test_a_hopeless_auction_is_passed_automatically_if_the_owner_allows_it() -> None:
    table = playing("bid O4 S4")
    assert worth(HAND) == 7
    assert automatic.due_action(table) is None
    willing = automatic.automate(table, "ben", Automatic(pass_beaten=True)).table
    assert automatic.due_action(willing) == (1, Pass(), "automatic")
    low = automatic.automate(playing("bid O4"), "ben", Automatic(pass_beaten=True)).table
    assert automatic.due_action(low) is None


def test_a_rematch_keeps_the_automatic_actions_and_leaving_drops_what_is_prepared() -> None:
    table = automatic.automate(playing(), "ben", Automatic(take_last=True)).table
    table = prepared(table, PreparedPass(1, 6))
    left = commands.leave(table, "ben", "greedy", 0.0)
    assert left.chairs[1].prepared is None
    chair = commands._chair_for_rematch(table.chairs[1], "greedy")
    assert chair.automatic.take_last
    assert chair.prepared is None
    assert commands.forget(table, "ben", "greedy", 0.0).chairs[1].automatic == Automatic()


# -- with a service and a database


async def next_view(service: TableService, table: str, guest: str, number: int) -> TableView:
    """Return the view once this many actions are played."""
    async with asyncio.timeout(20), service.subscribe(table, guest) as views:
        async for view in views:
            if view.number >= number:
                return view
    raise AssertionError("the table ended")


async def test_a_prepared_answer_survives_a_restart_and_is_played(url: str) -> None:
    async with open_service(url) as service:
        table, (ada, ben, _) = await seated(service, people=3)
        before = await service.look(table, ada)
        await service.prepare(table, ben, PreparedPass(1, 6))
        assert await service.look(table, ada) == before
    async with open_service(url, prefix="later") as service:
        assert (await service.look(table, ben)).prepared == PreparedPass(1, 6)
        answer = await act(service, table, ada, Pass(), "pass")
        assert isinstance(answer, Accepted)
        after = await next_view(service, table, ben, 2)
        assert after.waiting_for == (2,)
        assert after.prepared is None
        log = schema.log
        by = await service.store.run(
            lambda c: list(c.scalars(select(log.c.by).order_by(log.c.number)))
        )
        assert by == ["person", "prepared"]
        undone = await service.undo(table, ben, after.undo or -1, "undo")
        assert isinstance(undone, Accepted)
        assert (await service.look(table, ben)).waiting_for == (1,)


async def test_a_killed_server_plays_what_was_prepared_when_it_starts(url: str) -> None:
    async with open_service(url, automatic=False) as service:
        table, (ada, ben, _) = await seated(service, people=3)
        await service.prepare(table, ben, PreparedPass(1, 6))
        await act(service, table, ada, Pass(), "pass")  # the service stops before Ben's pass
    async with open_service(url, prefix="later") as service:
        assert (await next_view(service, table, ben, 2)).waiting_for == (2,)


async def test_only_the_owner_gets_a_frame_when_something_is_prepared(url: str) -> None:
    async with open_service(url) as service:
        table, (ada, ben, _) = await seated(service, people=3)
        async with service.subscribe(table, ada) as hers, service.subscribe(table, ben) as his:
            for _ in range(2):  # the first view and changes of presence
                await anext(hers)
            await anext(his)
            await service.prepare(table, ben, PreparedPass(1, 6))
            assert (await anext(his)).prepared == PreparedPass(1, 6)
            await service.cancel(table, ben)
            assert (await anext(his)).prepared is None
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await anext(hers)


async def test_players_on_pages_take_the_last_kind_automatically(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        ada = (await service.guests.create("Ada", "en")).id
        plan = NewTable((Host(), *[BotSeat("greedy")] * 5))
        table = await service.create(ada, plan, Automatic(take_last=True))
        asked = 0
        async with asyncio.timeout(60), service.subscribe(table, ada) as views:
            async for view in views:
                if view.result is not None:
                    break
                if 0 not in view.waiting_for or view.answering:
                    continue
                assert view.view is not None
                if view.view.phase is Phase.MARKET:
                    asked += 1
                    assert len({card.kind for card in view.view.market}) > 1
                action = view.view.options.answers[0]
                await service.act(
                    table, ada, action, decision=view.decision, key=f"key {view.version}"
                )
        assert asked
