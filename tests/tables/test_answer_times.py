"""The time that a bot takes does not tell which cards it has."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise, product

import pytest

from byzanz.bots import Bot, make_bot
from byzanz.rules import Action, Cards, Game, View
from byzanz.tables import BotSeat, Host, NewTable, Stage, TableView
from byzanz.tables.service.answer_times import AnswerTimes
from byzanz.tables.service.subscriptions import LiveTable

from .services import act, chosen, limits, open_service

_WARM, _MEASURED = 30, 90
"""The number of answers until the times are even, and of those that are measured."""


def thinks(hand: Cards) -> bool:
    """Return whether the bot of this test computes with these cards."""
    return sum(card.worth for card in hand) % 2 == 0


class Thinker(Bot):
    """A bot that computes with some hands and not with others."""

    def __init__(self, seed: int) -> None:
        self._bot = make_bot("greedy", seed)

    def choose(self, view: View) -> Action:
        if thinks(view.hand):
            time.sleep(0.02)
        return self._bot.choose(view)


async def answer_times(url: str, *, even: bool) -> tuple[list[float], list[float]]:
    """Return how long the answers of bots that computed took, and of those that did not."""
    published: list[tuple[float, int]] = []

    def note(live: LiveTable) -> None:
        published.append((time.monotonic(), live.table.number))

    async with open_service(
        url,
        limits=limits(hide_thinking_times=even),
        bots=("thinker",),
        maker=lambda _, seed: Thinker(seed),
    ) as service:
        service._tables.listeners.append(note)
        guest = (await service.guests.create(None, "en")).id
        table = await service.create(guest, NewTable((Host(), *[BotSeat("thinker")] * 4)))
        async with service.subscribe(table, guest) as views:
            view: TableView = await anext(views)
            while view.stage is Stage.PLAYING and view.number < _WARM + _MEASURED:
                if view.waiting_for == (0,):
                    await act(service, table, guest, chosen(view), f"{view.version}")
                view = await asyncio.wait_for(anext(views), 10)
        game = service._tables._tables[table].table.game
        assert game is not None
    long: list[float] = []
    short: list[float] = []
    for (before, number), (now, following) in pairwise(published):
        then = Game.replay(game.deal, game.plays[:number])
        if following == number + 1 > _WARM and then.state.turn not in (0, None):
            hand = then.view(then.state.turn).hand
            (long if thinks(hand) else short).append(now - before)
    return long, short


def separation(one: list[float], other: list[float]) -> float:
    """Return the probability that a time of the first list is longer than one of the second."""
    pairs = list(product(one, other))
    return sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs)


@pytest.mark.parametrize("even", [True, False])
async def test_the_time_of_an_answer_does_not_depend_on_hidden_cards(
    sqlite_url: str, even: bool
) -> None:
    long, short = await answer_times(sqlite_url, even=even)
    assert min(len(long), len(short)) >= 15
    told = separation(long, short)
    assert 0.2 < told < 0.8 if even else told > 0.85, told


def test_the_time_changes_rarely_and_covers_nearly_all_answers() -> None:
    times = AnswerTimes()
    assert times.seconds("bot") == 0
    for number in range(1000):
        times.note("bot", 0.021 + number % 10 * 0.001)
    usual = times.seconds("bot")
    assert 0.03 <= usual < 0.04
    times.note("bot", 3.0)  # one slow answer does not slow all others
    assert times.seconds("bot") == usual
    assert times.seconds("other") == 0


def test_slow_first_answers_do_not_slow_those_that_follow() -> None:
    """The first answers of a bot may compile its code, which takes many seconds."""
    times = AnswerTimes()
    for seconds in (12.0, 11.0, 0.5):
        times.note("bot", seconds)
    assert 0.5 <= times.seconds("bot") < 0.7
    for seconds in (0.001, 0.5, 0.001, 0.4):  # passes at once hide behind the others
        times.note("bot", seconds)
        assert 0.5 <= times.seconds("bot") < 0.7
