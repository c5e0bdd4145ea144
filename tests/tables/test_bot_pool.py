"""The bot pool: bots are created once and reseeded, and answer as new ones would."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace

import pytest

from byzanz.bots import BOTS, Bot, make_bot
from byzanz.bots.bot import StatelessBot
from byzanz.rules import Action, Chance, Pass, View, branch
from byzanz.tables import BotSeat, Guest, Host, NewTable
from byzanz.tables.model import commands
from byzanz.tables.model.play import play
from byzanz.tables.model.table import Chair, Table
from byzanz.tables.service.bot_pool import BotPool
from tests.random_games import random_game

BUDGETED = {"strategist": "strategist@40it", "level10": "level10@8it"}
"""Bots with a time budget by default; a budget in iterations makes answers reproducible."""


def tables(bot: str, players: int = 4, seed: int = 7) -> list[Table]:
    """Return a table after each action of a random game, with the bot on every seat."""
    games = list(random_game(players, seed))
    plan = NewTable((Host(), *[BotSeat("greedy")] * (players - 1)))
    creation = commands.Creation("t", lambda _: games[0].deal, seed, 0.0)
    table = commands.create(Guest("g", None, "en", 0, 0), plan, creation)
    found = [replace(table, chairs=(Chair(bot=bot),) * players)]
    for played in games[-1].plays:
        found.append(play(found[-1], played.seat, played.action))
    return found[:-1]


def fresh_answer(table: Table, seat: int) -> Action:
    """Return the answer of a bot that is created only for this decision."""
    assert table.game is not None
    bot = make_bot(table.chairs[seat].bot or "", branch(branch(table.seed, seat), table.number))
    return bot.choose(table.game.view(seat))


@pytest.mark.parametrize("bot", [BUDGETED.get(bot, bot) for bot in BOTS])
async def test_a_reseeded_bot_answers_as_a_new_one(bot: str) -> None:
    asked = [(table, seat) for table in tables(bot)[::7] for seat in table.waiting_for]
    pool = BotPool(threads=2, seconds=60)
    for order in (asked, asked[::-1]):
        answers = await asyncio.gather(*[pool.choose(table, seat) for table, seat in order])
        assert answers == [fresh_answer(table, seat) for table, seat in order]
    made = pool._free[bot]
    assert 1 <= len(made) <= 2
    pool.close()


async def test_a_reseeded_bot_offers_the_sales_of_a_new_one() -> None:
    pool, offered = BotPool(threads=2, seconds=60), 0
    for table in tables("random"):
        assert table.game is not None
        for seat in set(range(4)) - set(table.waiting_for):
            seed = branch(branch(table.seed, seat), table.number)
            sale = make_bot("random", seed).sale(table.game.view(seat))
            assert await pool.sale(table, seat) == sale
            offered += sale is not None
    assert offered
    pool.close()


class Counting(StatelessBot):
    """Passes slowly, and notes how many threads use it at once."""

    made: list[Counting] = []  # noqa: RUF012

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self.made.append(self)
        self.closed = False
        self._busy = threading.Lock()

    def choose(self, view: View) -> Action:
        assert self._busy.acquire(blocking=False), "two threads use one bot"
        time.sleep(0.002)
        self._busy.release()
        return Pass()

    def close(self) -> None:
        self.closed = True


async def test_no_bot_is_used_by_two_threads_and_few_are_made() -> None:
    Counting.made.clear()
    pool = BotPool(3, 60, lambda name, seed: Counting(Chance(seed)))
    table = tables("counting")[0]
    answers = await asyncio.gather(*[pool.choose(table, 0) for _ in range(60)])
    assert answers == [Pass()] * 60
    assert len(Counting.made) <= 3
    assert not any(bot.closed for bot in Counting.made)
    pool.close()
    assert all(bot.closed for bot in Counting.made)


class Remembering(Bot):
    """Keeps state during a game, so it cannot be reseeded."""

    made: list[Remembering] = []  # noqa: RUF012

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self.made.append(self)
        self.seen: list[View] = []
        self.closed = False

    def choose(self, view: View) -> Action:
        self.seen.append(view)
        return Pass()

    def close(self) -> None:
        self.closed = True


async def test_a_bot_that_cannot_be_reseeded_is_made_for_each_decision() -> None:
    Remembering.made.clear()
    pool = BotPool(2, 60, lambda name, seed: Remembering(Chance(seed)))
    table = tables("remembering")[0]
    for _ in range(5):
        assert await pool.choose(table, 0) == Pass()
    assert all(len(bot.seen) <= 1 for bot in Remembering.made)
    assert sum(len(bot.seen) for bot in Remembering.made) == 5
    assert all(bot.closed for bot in Remembering.made)
    pool.close()


class Failing(StatelessBot):
    """Raises an exception now and then."""

    made = 0

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        type(self).made += 1
        self.asked = 0

    def choose(self, view: View) -> Action:
        self.asked += 1
        if self.asked == 2:
            raise RuntimeError
        return Pass()


async def test_a_bot_that_raised_is_not_used_again() -> None:
    Failing.made = 0
    pool = BotPool(1, 60, lambda name, seed: Failing(Chance(seed)))
    table = tables("failing")[0]
    assert [await pool.choose(table, 0) for _ in range(4)] == [Pass(), None, Pass(), None]
    assert Failing.made == 2
    pool.close()
