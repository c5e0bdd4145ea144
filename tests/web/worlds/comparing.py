"""Compares games in two worlds: at one point, or from the creation of the table on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from byzanz.locale import LANGUAGES
from byzanz.rules import Chance, Game, branch
from byzanz.tables import Aid, TableOptions
from tests.random_games import finished, other_world

from .fixed_server import Course, FixedServer, Plan
from .recorder import Recorder, compare
from .requests import action_body, send_requests

Servers = tuple[FixedServer, FixedServer]
"""A server for the true deal, and one for the other."""

_LANGUAGES = tuple(LANGUAGES)
_TIME_LIMITS = (None, 600, 86400)
_AIDS = (Aid.ALWAYS, Aid.ALWAYS, Aid.BOTS)


@dataclass(frozen=True)
class Point:
    """A point of a game, and the seat that looks at it."""

    step: int
    """The number of actions played."""
    observer: int | None
    """The seat; None for a spectator."""
    seed: int
    """The seed for the requests and for the new deal of the unseen cards."""


@dataclass
class Tally:
    """Counts of compared games, points, responses and bytes."""

    games: int = 0
    points: int = 0
    answers: int = 0
    bytes: int = 0

    def add(self, more: Tally) -> None:
        """Add other counts."""
        self.games += more.games
        self.points += more.points
        self.answers += more.answers
        self.bytes += more.bytes


def plan_of(number: int) -> Plan:
    """Return the plan of a game's table: players, options and bots depend on the game's number."""
    chance = Chance(branch(77, number))
    players = 3 + number % 4
    listed, seconds = bool(chance.below(2)), chance.choice(_TIME_LIMITS)
    options = TableOptions(
        listed=listed,
        memory_aid=bool(number // 4 % 2),
        open_profit=bool(number // 8 % 2),
        think_seconds=seconds,
        rated=seconds is not None and number % 3 == 0,
        hints=chance.choice(_AIDS),
        odds=chance.choice(_AIDS),
    )
    bots = frozenset(seat for seat in range(1, players) if not chance.below(4))
    return Plan(f"game-{number}", players, options, bots)


def compare_points(servers: Servers, number: int, stride: int) -> Iterator[Tally]:
    """Compare a game at every ``stride``-th point, each time for another observer.

    The cards that this observer has not seen at that point are dealt differently. Raises Leak at
    the first byte that differs.
    """
    plan = plan_of(number)
    game = finished(plan.players, seed=number)
    course = Course.of(game, plan, servers[0].people)
    observers = (None, *(seat for seat in range(plan.players) if seat not in plan.bots))
    first = number % stride
    steps = sorted({0, *range(first, len(course.lines), stride), len(course.lines)})
    try:
        for place, step in enumerate(steps):
            observer = observers[(place + number) % len(observers)]
            point = Point(step, observer, branch(number, step))
            yield compare_point(servers, (course, redealt(course, point)), point)
    finally:
        for server in servers:
            server.clear(plan.name)
    yield Tally(games=1)


def compare_point(servers: Servers, courses: tuple[Course, Course], point: Point) -> Tally:
    """Compare one point of two courses; raises Leak if the observer can tell them apart."""
    one, other = [
        record_point(server, course, point) for server, course in zip(servers, courses, strict=True)
    ]
    size = compare(one, other, f"{courses[0].plan} {point}")
    return Tally(points=1, answers=len(one.received), bytes=size)


def record_point(server: FixedServer, course: Course, point: Point) -> Recorder:
    """Record what the observer receives while this action is played and requests after it."""
    chance, step = Chance(point.seed), point.step
    play = course.game.plays[step - 1] if step else None
    by_person = play is not None and play.seat not in course.plan.bots
    server.load(course, step - by_person, point.observer)
    with Recorder(server, course.plan.name, point.observer, chance.choice(_LANGUAGES)) as recorder:
        recorder.open_sockets()
        if play is not None and by_person:
            recorder.play(
                play.seat, action_body(course.tables[step - 1], play.seat, play.action, "live")
            )
            recorder.receive_frames()
        send_requests(recorder, course.tables[step], chance)
    return recorder


def redealt(course: Course, point: Point) -> Course:
    """Return the same course, with all cards that the observer has not seen dealt differently."""
    game = course.tables[point.step].game
    assert game is not None
    return replace(course, deal=other_world(game, point.observer, point.seed).deal)


def compare_games(servers: Servers, number: int, observer: int | None, steps: int) -> Tally:
    """Compare the first actions of a game of people, from the creation of the table on.

    The cards that the observer has not seen after the last action are dealt differently.
    """
    plan = Plan(f"life-{number}", 3 + number % 4, plan_of(number).options)
    whole = finished(plan.players, seed=number)
    cut = Game.replay(whole.deal, whole.plays[:steps])
    course = Course.of(cut, plan, servers[0].people)
    courses = course, redealt(course, Point(len(cut.plays), observer, number))
    one, other = [
        record_game(server, course, observer)
        for server, course in zip(servers, courses, strict=True)
    ]
    size = compare(one, other, f"{plan} observer {observer}")
    return Tally(games=1, points=len(cut.plays), answers=len(one.received), bytes=size)


def record_game(server: FixedServer, course: Course, observer: int | None) -> Recorder:
    """Record everything that the observer gets of a table that is played through the API."""
    server.dealt.append(course.deal)
    players, options = course.plan.players, course.plan.options
    seats = [{"type": "host"}, *[{"type": "open"}] * (players - 1)]
    chosen = {
        "listed": options.listed,
        "memory_aid": options.memory_aid,
        "open_profit": options.open_profit,
        "think_seconds": options.think_seconds,
    }
    table = _create_table(server, {"seats": seats, "options": chosen})
    with Recorder(server, table, observer, _LANGUAGES[players % len(_LANGUAGES)]) as recorder:
        recorder.get(f"/table/{table}")
        for seat in range(1, players):
            _join(recorder, seat)
        recorder.open_sockets()
        for step, play in enumerate(course.game.plays):
            before = course.tables[step]
            recorder.play(play.seat, action_body(before, play.seat, play.action, f"play-{step}"))
            recorder.receive_frames()
            pages = (f"/table/{table}", f"/table/{table}/story", "/", f"/api/tables/{table}")
            recorder.get(pages[step % len(pages)])
    server.clear(table)
    return recorder


def _create_table(server: FixedServer, wanted: dict[str, object]) -> str:
    """Create a table as the first person and return its id."""
    with Recorder(server, "", 0, "en") as host:
        host.post("/api/tables", wanted)
        _, _, body = host.received[-1][1].partition(b"\n\n")
    table: str = json.loads(body)["table"]
    return table


def _join(recorder: Recorder, seat: int) -> None:
    """Let the person of this seat join. The response is recorded if they are the observer."""
    path = f"/api/tables/{recorder.table}/join"
    if seat == recorder.seat:
        recorder.post(path, {"seat": seat})
        return
    with Recorder(recorder.server, recorder.table, seat, "en") as joining:
        joining.post(path, {"seat": seat})
