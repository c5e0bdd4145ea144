"""A notification is the same whatever the cards are that its reader has not seen.

The messages go through a push service and are decrypted there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest
from msgspec import structs

from byzanz.rules import branch
from byzanz.tables import NoticeKind, TableView
from byzanz.tables.model.table import Table
from byzanz.tables.service import subscriptions
from byzanz.tables.service.jobs import LocalJobs
from tests.random_games import finished
from tests.web.push_service import Browser, PushService, push_service

from .comparing import Point, plan_of, redealt
from .fixed_server import Course, FixedServer, two_servers
from .leaks import Plant
from .recorder import Leak


@dataclass
class World:
    """A server, the push service that it uses, and the browsers of its people."""

    server: FixedServer
    push: PushService

    @cached_property
    def browsers(self) -> list[Browser]:
        """The browsers of all people, which get notifications from now on."""
        found = []
        for seat, guest in enumerate(self.server.people):
            browser = Browser()
            given = browser.subscription(f"{self.push.url}/{seat}")
            keys = given["p256dh"], given["auth"]
            add = self.server.service.notifications.add_browser
            self.server.do(add(guest.id, given["endpoint"], keys))
            found.append(browser)
        return found

    def told(self, course: Course, step: int, seat: int) -> list[dict[str, Any]]:
        """Return what the person on this seat is told at this point of the course."""
        browser, notifications = self.browsers[seat], self.server.service.notifications
        self.server.load(course, step)
        self.server.do(notifications.resume())
        self.server.do(notifications.tick())
        assert isinstance(self.server.service.jobs, LocalJobs)
        self.server.do(self.server.service.jobs.do_all())
        found = [self.push.pushed.get() for _ in range(self.push.pushed.qsize())]
        return [pushed.message(browser) for pushed in found if pushed.path == f"/{seat}"]


Worlds = tuple[World, World]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    with (
        two_servers(tmp_path_factory.mktemp("notifications")) as (one, other),
        push_service() as first,
        push_service() as second,
    ):
        yield World(one, first), World(other, second)


def compare(worlds: Worlds, number: int, stride: int) -> list[dict[str, Any]]:
    """Return all messages of a game; raises Leak if one differs between the worlds."""
    plan = plan_of(number)
    course = Course.of(finished(plan.players, seed=number), plan, worlds[0].server.people)
    messages = []
    for step in range(0, len(course.lines), stride):
        seats = [seat for seat in course.tables[step].waiting_for if seat not in plan.bots]
        for seat in seats[:1]:
            other = redealt(course, Point(step, seat, branch(number, step)))
            here, there = worlds[0].told(course, step, seat), worlds[1].told(other, step, seat)
            if here != there:
                raise Leak(f"{plan} step {step} seat {seat}: {here} {there}")
            messages += here
    for world in worlds:
        world.server.clear(plan.name)
    return messages


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_notification_says_nothing_about_unseen_cards(worlds: Worlds, number: int) -> None:
    messages = compare(worlds, number, stride=7)
    assert len(messages) >= 4
    assert {message["tag"].split("-")[0] for message in messages} >= {NoticeKind.TURN}


def _card_as_name(patch: pytest.MonkeyPatch) -> None:
    """Show the top card of the deck as a name."""
    make = subscriptions.table_view

    def leaking(table: Table, *more: Any, **named: Any) -> TableView:
        view = make(table, *more, **named)
        assert table.game is not None
        name = str(table.game.state.deck[:1])
        sitters = tuple(structs.replace(sitter, name=name) for sitter in view.sitters)
        return structs.replace(view, sitters=sitters)

    patch.setattr(subscriptions, "table_view", leaking)


@pytest.mark.parametrize("plant", [_card_as_name])
def test_a_planted_leak_is_found(
    worlds: Worlds, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        compare(worlds, 4, stride=5)
