"""A wrapper that plays a safe action for a bot that fails."""

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
"""Number of faults per bot that are logged as warnings; further faults have level debug."""


class BotFault(Enum):
    """The ways in which a bot can fail. The value is a stable code."""

    LATE = "late"
    """It did not answer in time."""
    RAISED = "raised"
    """It raised an exception."""
    ILLEGAL = "illegal"
    """Its action is not legal."""
    MALFORMED = "malformed"
    """Its answer cannot be read or is too long."""
    DIED = "died"
    """Its process ended or could not be started."""
    GIVEN_UP = "given-up"
    """Its process failed too often and is not started again."""


class BotFailed(Exception):
    """A bot failed to answer."""

    def __init__(self, fault: BotFault, detail: str) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault


class GuardedBot(Bot):
    """A bot that always answers legally: it replaces another bot's failures with safe actions.

    The guard checks every answer of the other bot, and logs and counts its faults. Any thread may
    use it. It asks the bot one question at a time; ``close`` may be called during a question.
    """

    def __init__(self, bot: Bot, name: str, *, asks_again: bool = True) -> None:
        """Wrap a bot; ``asks_again`` tells whether to ask it again after a failure."""
        super().__init__(bot.chance, bot.budget)
        self.bot = bot
        self.name = name
        self._asks_again = asks_again
        self.interrupts = bot.interrupts
        self.faults: Counter[BotFault] = Counter()
        """The number of failures, by fault."""
        self._lock = Lock()

    def choose(self, view: View) -> Action:
        """Return the bot's action if it is legal, otherwise a safe one."""
        with self._lock:
            action = self._ask(self._chosen, view)
            # A bot in another process says whether it sells out of turn when it starts.
            self.interrupts = self.bot.interrupts
            return safe_action(view) if action is None else action

    def sale(self, view: View) -> Sell | None:
        """Return the bot's sale if it is legal, otherwise None."""
        with self._lock:
            return self._ask(self._sold, view)

    def reseed(self, seed: int) -> None:
        """Reseed the bot; raises NotImplementedError if it cannot be reseeded."""
        with self._lock:
            self.bot.reseed(seed)
            self.chance = self.bot.chance

    def close(self) -> None:
        """Close the bot. A choice in progress soon returns a safe action."""
        self.bot.close()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the lock, which cannot be copied."""
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=Lock())

    def _chosen(self, view: View) -> Action:
        action = self.bot.choose(view)
        if action not in view.options:
            raise BotFailed(BotFault.ILLEGAL, f"{action!r}")
        return action

    def _sold(self, view: View) -> Sell | None:
        sale = self.bot.sale(view)
        if sale is not None and sale not in view.options.sales:
            raise BotFailed(BotFault.ILLEGAL, f"{sale!r} as a sale")
        return sale

    def _ask(self, question: Callable[[View], _Answer], view: View) -> _Answer | None:
        """Return the bot's answer; if it fails, log and count the fault and return None."""
        if self.faults and not self._asks_again:
            return None
        try:
            return question(view)
        except BotFailed as failed:
            failure = failed
        except Exception as error:  # noqa: BLE001 - a bot may raise anything
            failure = BotFailed(BotFault.RAISED, f"{type(error).__name__}: {error}")
        self.faults[failure.fault] += 1
        first = self.faults.total() <= _WARNINGS
        _log.log(logging.WARNING if first else logging.DEBUG, "bot %s %s", self.name, failure)
        return None
