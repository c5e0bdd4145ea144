"""What people see: a View and less, never another's cards, never a guest's id."""

from __future__ import annotations

import pytest

from byzanz.rules import Game, Phase, TurnedUp, profit
from byzanz.tables import Host, NewTable, Open, TableOptions, redacted
from byzanz.tables.model.commands import Founding, founded, joined, moved
from byzanz.tables.model.guests import Guest
from byzanz.tables.model.table import Stage, Table
from byzanz.tables.model.view import sight
from tests.playing import other_world, wild_game

from .hosting import house, seated

OPTIONS = [
    TableOptions(memory_aid=aid, open_profit=open_)
    for aid in (True, False)
    for open_ in (True, False)
]


def at_table(game: Game, options: TableOptions) -> Table:
    """A table of people at which the game has been played."""
    players = len(game.deal.hands)
    guests = [Guest(f"secret-{seat}", f"G{seat}", "en", 0, 0) for seat in range(players)]
    plan = NewTable((Host(), *[Open()] * (players - 1)), options)
    table = founded(guests[0], plan, Founding("t", lambda _: game.deal, 1, 0.0))
    for guest in guests[1:]:
        table = joined(table, guest, None, lambda _: game.deal, 0.0)
    for played in game.plays:
        table = moved(table, played.seat, played.action, 0.0).table
    return table


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("players", [3, 6])
def test_two_worlds_look_alike_to_every_seat(players: int, options: TableOptions) -> None:
    games = list(wild_game(players, seed=players))
    for game in games[:: len(games) // 9]:
        table = at_table(game, options)
        for seat in (None, *range(players)):
            other = at_table(other_world(game, seat, seed=7), options)
            assert sight(table, seat) == sight(other, seat)


@pytest.mark.parametrize("options", OPTIONS)
def test_options_redact_and_leave_what_may_be_done(options: TableOptions) -> None:
    games = list(wild_game(4, seed=3))
    for game in games[:-1:5]:
        for seat in range(4):
            view = game.view(seat)
            shown = redacted(view, options)
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
            if options.memory_aid:
                assert (shown.gone, shown.course) == (view.gone, view.course)
            else:
                assert shown.gone == ()
                rounds = {event.round for event in shown.course if isinstance(event, TurnedUp)}
                assert rounds == {view.round}
                offers = [
                    e for e in view.course if isinstance(e, TurnedUp) and e.round == view.round
                ]
                assert shown.course[0] == offers[0]
            assert shown.pool is not None


def test_profit_is_told_only_where_it_lies_open() -> None:
    game = next(
        game for game in wild_game(3, seed=2) if sum(len(p.kept) for p in game.state.players) > 2
    )
    earned = tuple(profit(player.kept) for player in game.state.players)
    shut = at_table(game, TableOptions(open_profit=False))
    assert sight(shut, None).profit == (None, None, None)
    assert sight(shut, 1).profit == (None, earned[1], None)
    assert sight(shut, 1).sets_sold == tuple(len(player.kept) for player in game.state.players)
    assert sight(at_table(game, TableOptions()), None).profit == earned


@pytest.mark.parametrize("options", OPTIONS)
def test_when_the_game_is_over_everything_shows(options: TableOptions) -> None:
    *_, game = wild_game(3, seed=4)
    assert game.state.phase is Phase.OVER
    table = at_table(game, options)
    seen = sight(table, 2)
    assert seen.stage is Stage.FINISHED
    assert seen.view == game.view(2)
    assert seen.result == game.result
    assert seen.profit == game.result.profit


def test_before_the_end_no_result_is_told() -> None:
    for game in list(wild_game(3, seed=4))[:-1:10]:
        assert sight(at_table(game, TableOptions()), 0).result is None


async def test_no_guests_id_is_in_any_sight(sqlite_url: str) -> None:
    async with house(sqlite_url, prefix="very-secret") as home:
        table, guests = await seated(home, people=2, bots=1)
        for guest in (None, *guests):
            text = repr(await home.look(table, guest)).replace(table, "")
            assert "very-secret" not in text
        lists = repr((*await home.lobby(), *await home.tables_of(guests[0]))).replace(table, "")
        assert "very-secret" not in lists
