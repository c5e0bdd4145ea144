"""Games seen in two worlds: a glimpse of one point, or a whole life from the founding on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from byzanz.locale import LANGUAGES
from byzanz.rules import Chance, Game, branch
from byzanz.tables import TableOptions
from tests.playing import finished, other_world

from .asking import acting, ask_around
from .ear import Ear, compare
from .stage import Course, Plan, Stage

Stages = tuple[Stage, Stage]
"""A server for the world as it is, and one for the others."""

_LANGUAGES = tuple(LANGUAGES)
_THINKING = (None, 600, 86400)


@dataclass(frozen=True)
class Look:
    """Who looks at a game, and when."""

    step: int
    """How many actions have been played by then."""
    observer: int | None
    """The seat; None for a spectator."""
    seed: int
    """Decides what else is asked, and how unseen cards are dealt anew."""


@dataclass
class Tally:
    """How much was compared."""

    games: int = 0
    points: int = 0
    answers: int = 0
    bytes: int = 0

    def add(self, more: Tally) -> None:
        """This and more."""
        self.games += more.games
        self.points += more.points
        self.answers += more.answers
        self.bytes += more.bytes


def plan_of(number: int) -> Plan:
    """The table of the game of this number: all player counts, options and some bots in turn."""
    chance = Chance(branch(77, number))
    players = 3 + number % 4
    options = TableOptions(
        listed=bool(chance.below(2)),
        memory_aid=bool(number // 4 % 2),
        open_profit=bool(number // 8 % 2),
        think_seconds=chance.choice(_THINKING),
    )
    bots = frozenset(seat for seat in range(1, players) if not chance.below(4))
    return Plan(f"game-{number}", players, options, bots)


def examined(stages: Stages, number: int, stride: int) -> Iterator[Tally]:
    """The game of this number compared at every so manieth point, by each observer in turn.

    Raises Leak at the first byte that differs. At each point what that observer has not seen by
    then is dealt anew.
    """
    plan = plan_of(number)
    game = finished(plan.players, seed=number)
    course = Course.of(game, plan, stages[0].people)
    observers = (None, *(seat for seat in range(plan.players) if seat not in plan.bots))
    first = number % stride
    steps = sorted({0, *range(first, len(course.lines), stride), len(course.lines)})
    try:
        for place, step in enumerate(steps):
            observer = observers[(place + number) % len(observers)]
            look = Look(step, observer, branch(number, step))
            yield same(stages, (course, redealt(course, look)), look)
    finally:
        for stage in stages:
            stage.clear(plan.name)
    yield Tally(games=1)


def same(stages: Stages, courses: tuple[Course, Course], look: Look) -> Tally:
    """One point of two courses compared; raises Leak if the observer can tell them apart."""
    one, other = [
        glimpse(stage, course, look) for stage, course in zip(stages, courses, strict=True)
    ]
    told = compare(one, other, f"{courses[0].plan} {look}")
    return Tally(points=1, answers=len(one.heard), bytes=told)


def glimpse(stage: Stage, course: Course, look: Look) -> Ear:
    """All that the observer was sent as this step was played, and when asking around after it."""
    chance, step = Chance(look.seed), look.step
    play = course.game.plays[step - 1] if step else None
    by_person = play is not None and play.seat not in course.plan.bots
    stage.lay(course, step - by_person)
    with Ear(stage, course.plan.name, look.observer, chance.choice(_LANGUAGES)) as ear:
        ear.watch()
        if play is not None and by_person:
            ear.play(play.seat, acting(course.tables[step - 1], play.seat, play.action, "live"))
            ear.listen()
        ask_around(ear, course.tables[step], chance)
    return ear


def redealt(course: Course, look: Look) -> Course:
    """The same course with the cards that the observer has not seen by then dealt anew."""
    game = course.tables[look.step].game
    assert game is not None
    return replace(course, deal=other_world(game, look.observer, look.seed).deal)


def lived_twice(stages: Stages, number: int, observer: int | None, steps: int) -> Tally:
    """A game of people compared from its founding on, through so many actions.

    What the observer has not seen after the last of them is dealt anew.
    """
    plan = Plan(f"life-{number}", 3 + number % 4, plan_of(number).options)
    whole = finished(plan.players, seed=number)
    cut = Game.replay(whole.deal, whole.plays[:steps])
    course = Course.of(cut, plan, stages[0].people)
    courses = course, redealt(course, Look(len(cut.plays), observer, number))
    one, other = [
        live(stage, lived, observer) for stage, lived in zip(stages, courses, strict=True)
    ]
    told = compare(one, other, f"{plan} observer {observer}")
    return Tally(games=1, points=len(cut.plays), answers=len(one.heard), bytes=told)


def live(stage: Stage, course: Course, observer: int | None) -> Ear:
    """All that the observer was sent of a table founded, joined and played through the API."""
    stage.dealt.append(course.deal)
    players, options = course.plan.players, course.plan.options
    seats = [{"type": "host"}, *[{"type": "open"}] * (players - 1)]
    chosen = {
        "listed": options.listed,
        "memory_aid": options.memory_aid,
        "open_profit": options.open_profit,
        "think_seconds": options.think_seconds,
    }
    table = _founded(stage, {"seats": seats, "options": chosen})
    with Ear(stage, table, observer, _LANGUAGES[players % len(_LANGUAGES)]) as ear:
        ear.get(f"/table/{table}")
        for seat in range(1, players):
            _sit_down(ear, seat)
        ear.watch()
        for step, play in enumerate(course.game.plays):
            before = course.tables[step]
            ear.play(play.seat, acting(before, play.seat, play.action, f"play-{step}"))
            ear.listen()
            pages = (f"/table/{table}", f"/table/{table}/story", "/", f"/api/tables/{table}")
            ear.get(pages[step % len(pages)])
    stage.clear(table)
    return ear


def _founded(stage: Stage, wanted: dict[str, object]) -> str:
    """The id of a new table of the first person."""
    with Ear(stage, "", 0, "en") as host:
        host.post("/api/tables", wanted)
        _, _, body = host.heard[-1][1].partition(b"\n\n")
    table: str = json.loads(body)["table"]
    return table


def _sit_down(ear: Ear, seat: int) -> None:
    """The person has the seat; what they were answered is kept if they observe."""
    path = f"/api/tables/{ear.table}/join"
    if seat == ear.seat:
        ear.post(path, {"seat": seat})
        return
    with Ear(ear.stage, ear.table, seat, "en") as joining:
        joining.post(path, {"seat": seat})
