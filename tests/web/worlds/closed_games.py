"""A finished game whose deal is played again: nobody learns its cards before the rematch ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

from byzanz.rules import Chance, Deal, Game
from byzanz.tables import Guest
from byzanz.tables.model import commands
from byzanz.tables.model.commands import Creation
from byzanz.tables.model.table import Table
from byzanz.tables.storage import table_rows
from tests.random_games import finished

from .comparing import Point, Servers, Tally, plan_of, redealt
from .fixed_server import NOW, Course, FixedServer
from .recorder import Recorder, compare
from .requests import exports

_LANGUAGES = ("de", "en", "hu", "it", "nl")


def compare_closed_games(
    servers: Servers, number: int, *, accepted: bool, rematch: bool = True
) -> Iterator[Tally]:
    """Compare a finished game for each observer, while a rematch has the same deal.

    The cards that the observer has not seen are dealt differently. If ``accepted``, the rematch is
    in play, otherwise it waits for its players. Without ``rematch`` the game is open to everybody.
    """
    plan = plan_of(number)
    course = Course.of(finished(plan.players, seed=number), plan, servers[0].people)
    last = len(course.lines)
    for observer in (None, *range(plan.players)):
        other = redealt(course, Point(last, observer, number))
        one, two = [
            _record(server, each, observer, (rematch, accepted))
            for server, each in zip(servers, (course, other), strict=True)
        ]
        size = compare(one, two, f"{plan} observer {observer}")
        yield Tally(points=1, answers=len(one.received), bytes=size)


def _record(
    server: FixedServer, course: Course, observer: int | None, rematch: tuple[bool, bool]
) -> Recorder:
    """Record all that the observer gets of the finished game."""
    last = course.tables[-1]
    game = Game.replay(course.deal, course.game.plays)
    new = _rematch(replace(last, game=game), course.deal)
    asked, accepted = rematch
    with ExitStack() as loaded:
        loaded.callback(server.clear, course.plan.name)
        if asked:
            if accepted:
                new = _accepted(new, course.deal, server.people)
            table = replace(last, followed_by=new.id)
            course = replace(course, tables=(*course.tables[:-1], table))
            server.do(server.service.store.run(lambda c: table_rows.add_table(c, new)))
            loaded.callback(server.clear, new.id)
        server.load(course, len(course.lines), observer)
        language = Chance(len(course.lines)).choice(_LANGUAGES)
        with Recorder(server, course.plan.name, observer, language) as recorder:
            page, api = f"/table/{course.plan.name}", f"/api/tables/{course.plan.name}"
            for path in (page, f"{page}/story", api, *exports(api, page)):
                recorder.get(path)
    return recorder


def _rematch(table: Table, deal: Deal) -> Table:
    """Return the rematch with the same deal, to which the host invites the others."""
    creation = Creation(f"{table.id}-again", lambda _: deal, 1, NOW)
    host = next(chair.guest for chair in table.chairs if chair.guest)
    return commands.rematch(table, host, "greedy", creation, rotated=True)


def _accepted(table: Table, deal: Deal, people: tuple[Guest, ...]) -> Table:
    """Return the rematch after everybody accepted."""
    for guest in people:
        seat = table.seat_of(guest.id)
        if seat is not None and table.chairs[seat].invited:
            table = commands.join(table, guest, None, lambda _: deal, NOW)
    return table
