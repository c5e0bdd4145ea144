"""Table views show no hidden cards and no guest's id, and options hide more."""

from __future__ import annotations

import pytest

from byzanz.rules import Event, Game, Phase, Played, Sell, TurnedUp, profit
from byzanz.tables import Host, NewTable, Open, TableOptions, redact
from byzanz.tables.model import commands
from byzanz.tables.model.commands import Creation
from byzanz.tables.model.guests import Guest
from byzanz.tables.model.table import Stage, Table
from byzanz.tables.model.view import table_view
from tests.random_games import other_world, random_game

from .services import open_service, seated

OPTIONS = [
    TableOptions(memory_aid=aid, open_profit=open_)
    for aid in (True, False)
    for open_ in (True, False)
]


def at_table(game: Game, options: TableOptions) -> Table:
    """Return a table of people at which this game was played."""
    players = len(game.deal.hands)
    guests = [Guest(f"secret-{seat}", f"G{seat}", "en", 0, 0) for seat in range(players)]
    plan = NewTable((Host(), *[Open()] * (players - 1)), options)
    table = commands.create(guests[0], plan, Creation("t", lambda _: game.deal, 1, 0.0))
    for guest in guests[1:]:
        table = commands.join(table, guest, None, lambda _: game.deal, 0.0)
    for played in game.plays:
        table = commands.act_as_bot(table, played.seat, played.action, 0.0).table
    return table


def profits(table: Table, seat: int | None) -> tuple[int | None, ...]:
    """Return the profit of each seat as this seat sees it."""
    game = table_view(table, seat).game
    assert game is not None
    return tuple(game.profit(at) for at in range(len(table.chairs)))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("players", [3, 6])
def test_views_do_not_depend_on_unseen_cards(players: int, options: TableOptions) -> None:
    games = list(random_game(players, seed=players))
    for game in games[:: len(games) // 9]:
        table = at_table(game, options)
        for seat in (None, *range(players)):
            other = at_table(other_world(game, seat, seed=7), options)
            assert table_view(table, seat) == table_view(other, seat)


def sells(event: Event, seat: int) -> bool:
    """Return whether another seat sells in the event."""
    return isinstance(event, Played) and isinstance(event.action, Sell) and event.seat != seat


@pytest.mark.parametrize("options", OPTIONS)
def test_options_hide_information_but_no_legal_action(options: TableOptions) -> None:
    games = list(random_game(4, seed=3))
    for game in games[:-1:5]:
        for seat in range(4):
            view = game.view(seat)
            shown = redact(view, options)
            assert shown.hand == view.hand
            assert list(shown.options) == list(view.options)
            assert shown.options.answers == view.options.answers
            for at, player in enumerate(shown.players):
                whole = view.players[at]
                assert player.hand_size == whole.hand_size
                assert player.bid == whole.bid
                if not options.memory_aid:
                    assert player.known == ()
                if at != seat and not options.open_profit:
                    assert player.kept == ()
                if at == seat or options.open_profit:
                    assert player.kept == whole.kept
            if options.memory_aid and options.open_profit:
                assert (shown.gone, shown.course) == (view.gone, view.course)
            elif options.memory_aid:
                assert shown.gone == ()
                now = next(
                    at
                    for at, event in enumerate(view.course)
                    if isinstance(event, TurnedUp) and event.round == view.round
                )
                assert shown.course == tuple(
                    event
                    for at, event in enumerate(view.course)
                    if at >= now or not sells(event, seat)
                )
            else:
                assert shown.gone == ()
                rounds = {event.round for event in shown.course if isinstance(event, TurnedUp)}
                assert rounds == {view.round}
                offers = [
                    e for e in view.course if isinstance(e, TurnedUp) and e.round == view.round
                ]
                assert shown.course[0] == offers[0]
            assert shown.pool is not None


def test_closed_profit_is_shown_to_its_owner_only() -> None:
    game = next(
        game for game in random_game(3, seed=2) if sum(len(p.kept) for p in game.state.players) > 2
    )
    earned = tuple(profit(player.kept) for player in game.state.players)
    closed = at_table(game, TableOptions(open_profit=False))
    assert profits(closed, None) == (None, None, None)
    assert profits(closed, 1) == (None, earned[1], None)
    shown = table_view(closed, 1).game
    assert shown is not None
    assert shown.sets_sold == tuple(len(player.kept) for player in game.state.players)
    assert profits(at_table(game, TableOptions()), None) == earned


@pytest.mark.parametrize("options", OPTIONS)
def test_everything_is_shown_when_the_game_is_over(options: TableOptions) -> None:
    *_, game = random_game(3, seed=4)
    assert game.state.phase is Phase.OVER
    table = at_table(game, options)
    seen = table_view(table, 2)
    assert seen.stage is Stage.FINISHED
    assert seen.view == game.view(2)
    assert seen.result == game.result
    assert profits(table, 2) == game.result.profit


def test_there_is_no_result_before_the_end() -> None:
    for game in list(random_game(3, seed=4))[:-1:10]:
        assert table_view(at_table(game, TableOptions()), 0).result is None


async def test_no_view_has_a_guests_id(sqlite_url: str) -> None:
    async with open_service(sqlite_url, prefix="very-secret") as service:
        table, guests = await seated(service, people=2, bots=1)
        for guest in (None, *guests):
            text = repr(await service.look(table, guest)).replace(table, "")
            assert "very-secret" not in text
        lists = repr((*await service.lobby(), *await service.tables_of(guests[0]))).replace(
            table, ""
        )
        assert "very-secret" not in lists
