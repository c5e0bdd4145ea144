"""A bot that always answers: what its bot fails to do, a safe action does instead."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from enum import Enum
from threading import Lock
from typing import Any, TypeVar

from byzanz.bots.bot import Bot
from byzanz.bots.fallback import safe_action
from byzanz.rules import Action, Sell, View

_Answer = TypeVar("_Answer")

_log = logging.getLogger("byzanz.bots")

_WARNINGS = 3
"""Faults of one bot that are logged as warnings; the rest are logged for whoever looks closer."""


class Lapse(Enum):
    """How a bot can fail. The value is the code that machines read."""

    LATE = "late"
    """It did not answer by its deadline."""
    RAISED = "raised"
    """It raised an exception."""
    ILLEGAL = "illegal"
    """What it answered is not allowed."""
    MALFORMED = "malformed"
    """What it answered is no answer, or too long."""
    DIED = "died"
    """Its process ended, or could not be started."""
    GIVEN_UP = "given-up"
    """Its process failed too often, and is not started again."""


class BotFailed(Exception):
    """A bot has no answer to give, for this reason."""

    def __init__(self, lapse: Lapse, detail: str) -> None:
        super().__init__(f"{lapse.value}: {detail}")
        self.lapse = lapse


class GuardedBot(Bot):
    """Plays as its bot does, and safely where that raises, fails or answers what is not legal.

    Every lapse is logged and counted in ``faults``. One call runs at a time, from any thread;
    ``close`` may be called meanwhile.
    """

    def __init__(self, bot: Bot, name: str) -> None:
        super().__init__(bot.chance, bot.budget)
        self.bot = bot
        self.name = name
        self.interrupts = bot.interrupts
        self.faults: Counter[Lapse] = Counter()
        """How often a safe action was played instead, by reason."""
        self._turn = Lock()

    def choose(self, view: View) -> Action:
        """A legal action, whatever the bot does."""
        with self._turn:
            action = self._tried(self._chosen, view)
            # A bot in a process of its own says only there whether it ever sells out of turn.
            self.interrupts = self.bot.interrupts
            return safe_action(view) if action is None else action

    def sale(self, view: View) -> Sell | None:
        """A legal sale or None, whatever the bot does."""
        with self._turn:
            return self._tried(self._sold, view)

    def close(self) -> None:
        """The bot is closed; a choice under way comes back soon, and is a safe one."""
        self.bot.close()

    def __getstate__(self) -> dict[str, Any]:
        """A copy, as of a game in hand, has a lock of its own."""
        return {name: held for name, held in vars(self).items() if name != "_turn"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _turn=Lock())

    def _chosen(self, view: View) -> Action:
        action = self.bot.choose(view)
        if action not in view.options:
            raise BotFailed(Lapse.ILLEGAL, f"{action!r}")
        return action

    def _sold(self, view: View) -> Sell | None:
        sale = self.bot.sale(view)
        if sale is not None and sale not in view.options.sales:
            raise BotFailed(Lapse.ILLEGAL, f"{sale!r} as a sale")
        return sale

    def _tried(self, ask: Callable[[View], _Answer], view: View) -> _Answer | None:
        """What the bot answers; None, and the lapse noted, if it fails to."""
        try:
            return ask(view)
        except BotFailed as failed:
            failure = failed
        except Exception as error:  # noqa: BLE001 - whatever a bot raises, the game goes on
            failure = BotFailed(Lapse.RAISED, f"{type(error).__name__}: {error}")
        self.faults[failure.lapse] += 1
        loud = self.faults.total() <= _WARNINGS
        _log.log(logging.WARNING if loud else logging.DEBUG, "bot %s %s", self.name, failure)
        return None
