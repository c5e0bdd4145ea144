"""The line protocol, in which a program in any language plays over standard input and output.

Each line is a JSON object: a question to the program, or its answer. ``docs/bots.md`` specifies the
protocol.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from byzanz.bots.bot import Bot
from byzanz.notation import Malformed, parse_action, view_data
from byzanz.notation.record import parse_line
from byzanz.rules import Action, Chance, Sell, View
from byzanz.search.budget import Budget

from .guard import BotFailed, BotFault
from .process import MEMORY_LIMIT, BotProcess

PROTOCOL = "byzanz-bot/1"
"""Name and version of the protocol."""

START_SECONDS = 10.0
"""Time for a program to start and to answer the first line."""

GRACE_SECONDS = 1.0
"""Extra time for an answer if the budget is in seconds."""

ITERATIONS_SECONDS = 60.0
"""Time for an answer if the budget is in iterations."""

MAX_STARTS = 4
"""The most times that a program is started in one game."""


class LineBot(Bot):
    """A program in a process of its own that speaks the line protocol.

    The methods raise BotFailed if the program fails. The first decision starts the program. After a
    failure the program is killed, and the next decision starts it again. A program that reports an
    error itself keeps running.
    """

    def __init__(
        self,
        command: Sequence[str],
        chance: Chance,
        budget: Budget | None = None,
        *,
        memory: int = MEMORY_LIMIT,
    ) -> None:
        super().__init__(chance, budget)
        self._command = tuple(command)
        self._memory = memory
        self._seed = chance.word() >> 11  # 53 bits, which every JSON reader keeps exactly
        self._starts = 0
        self._process: BotProcess | None = None
        self._closed = False
        self._lock = Lock()
        self._wants_course = False
        self._budget_given = budget is not None

    def choose(self, view: View) -> Action:
        """Return the program's action, which may be illegal; raises BotFailed."""
        action = self._ask("choose", view)
        if action is None:
            raise BotFailed(BotFault.MALFORMED, "no action")
        return action

    def sale(self, view: View) -> Sell | None:
        """Return the program's sale, which may be illegal, or None; raises BotFailed."""
        if self._process is None:
            return None
        action = self._ask("sale", view)
        if action is not None and not isinstance(action, Sell):
            raise BotFailed(BotFault.ILLEGAL, f"{action!r} as a sale")
        return action

    def close(self) -> None:
        """Kill the program, even if it is choosing."""
        with self._lock:
            self._closed = True
        self._stop()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the process and the lock; a copy starts a program of its own."""
        state = {name: value for name, value in vars(self).items() if name != "_lock"}
        return state | {"_process": None, "_starts": 0}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=Lock())

    def _ask(self, question: str, view: View) -> Action | None:
        try:
            process = self._started(view)
            data = view_data(view, course=self._wants_course)
            legal = data.pop("legal")
            line = {"type": question, "view": data, "legal": legal, "budget": _budget(self.budget)}
            seconds = self.budget.seconds
            limit = ITERATIONS_SECONDS if seconds is None else seconds + GRACE_SECONDS
            action = _answer(process, line, limit).get("action")
            return None if action is None else parse_action(action)
        except BotFailed as failed:
            if failed.fault is not BotFault.RAISED:  # a program that reports an error still runs
                self._stop()
            raise
        except (Malformed, AttributeError) as error:
            self._stop()
            raise BotFailed(BotFault.MALFORMED, str(error)) from None

    def _started(self, view: View) -> BotProcess:
        """Return the process; start the program and send the first line if it is not running."""
        with self._lock:
            if self._closed:
                raise BotFailed(BotFault.DIED, "it was closed")
            if self._process is not None:
                return self._process
            if self._starts == MAX_STARTS:
                raise BotFailed(BotFault.GIVEN_UP, f"it failed {MAX_STARTS} times")
            self._starts += 1
            process = self._process = BotProcess(self._command, self._memory)
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "players": len(view.players),
            "seat": view.seat,
            "seed": self._seed,
            "budget": _budget(self.budget),
            "given": self._budget_given,
        }
        wishes = _answer(process, hello, START_SECONDS)
        self.interrupts = wishes.get("sales") is True
        self._wants_course = wishes.get("course") is True
        return process

    def _stop(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()


def write_line(data: Mapping[str, Any]) -> bytes:
    """Return a JSON object as a line."""
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _answer(process: BotProcess, question: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    answer = parse_line(process.ask(write_line(question), seconds))
    if "error" in answer:
        raise BotFailed(BotFault.RAISED, str(answer["error"])[:200])
    return answer


def _budget(budget: Budget) -> dict[str, float]:
    if budget.iterations is not None:
        return {"iterations": budget.iterations}
    return {"seconds": budget.seconds or 0}
