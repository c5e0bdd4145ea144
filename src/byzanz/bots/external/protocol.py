"""The line protocol: a program in any language plays over standard input and output.

Each line is a JSON object: a question in, an answer out. ``docs/bots.md`` tells it to those who
write such a program.
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

from .guard import BotFailed, Lapse
from .process import MEMORY, Child

PROTOCOL = "byzanz-bot/1"

STARTING = 10.0
"""Seconds that a program has to start and to answer the first line."""

GRACE = 1.0
"""Seconds beyond its budget that a program has to answer."""

PATIENCE = 60.0
"""Seconds that a program has to answer if its budget is in iterations."""

MOST_STARTS = 4
"""How often a program is started for one game; after that it is given up."""


class LineBot(Bot):
    """A program in a killable process of its own; what it fails to do raises BotFailed.

    It is started for the first decision, and again for the decision after it failed.
    """

    def __init__(
        self,
        command: Sequence[str],
        chance: Chance,
        budget: Budget | None = None,
        *,
        memory: int = MEMORY,
    ) -> None:
        super().__init__(chance, budget)
        self._command = tuple(command)
        self._memory = memory
        self._seed = chance.word() >> 11  # 53 bits, which every reader of JSON keeps exactly
        self._starts = 0
        self._child: Child | None = None
        self._closed = False
        self._changing = Lock()
        self._sees_course = False
        self._given = budget is not None

    def choose(self, view: View) -> Action:
        """What the program answers, legal or not; raises BotFailed."""
        action = self._asked("choose", view)
        if action is None:
            raise BotFailed(Lapse.MALFORMED, "no action")
        return action

    def sale(self, view: View) -> Sell | None:
        """The set that the program sells; raises BotFailed."""
        if self._child is None:
            return None
        action = self._asked("sale", view)
        if action is not None and not isinstance(action, Sell):
            raise BotFailed(Lapse.ILLEGAL, f"{action!r} as a sale")
        return action

    def close(self) -> None:
        """The program is ended, whatever it is doing."""
        with self._changing:
            self._closed = True
        self._stop()

    def __getstate__(self) -> dict[str, Any]:
        """A copy starts a program of its own, as often as any other may."""
        return {name: held for name, held in vars(self).items() if name != "_changing"} | {
            "_child": None,
            "_starts": 0,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _changing=Lock())

    def _asked(self, question: str, view: View) -> Action | None:
        try:
            child = self._started(view)
            data = view_data(view, course=self._sees_course)
            legal = data.pop("legal")
            asked = {"type": question, "view": data, "legal": legal, "budget": _budget(self.budget)}
            seconds = self.budget.seconds
            answer = _answer(child, asked, PATIENCE if seconds is None else seconds + GRACE)
            action = answer.get("action")
            return None if action is None else parse_action(action)
        except BotFailed as failed:
            if failed.lapse is not Lapse.RAISED:  # a bot that says so itself is in good health
                self._stop()
            raise
        except (Malformed, AttributeError) as error:
            self._stop()
            raise BotFailed(Lapse.MALFORMED, str(error)) from None

    def _started(self, view: View) -> Child:
        """The program, started and greeted if it is not running."""
        with self._changing:
            if self._closed:
                raise BotFailed(Lapse.DIED, "it was closed")
            if self._child is not None:
                return self._child
            if self._starts == MOST_STARTS:
                raise BotFailed(Lapse.GIVEN_UP, f"it failed {MOST_STARTS} times")
            self._starts += 1
            child = self._child = Child(self._command, self._memory)
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "players": len(view.players),
            "seat": view.seat,
            "seed": self._seed,
            "budget": _budget(self.budget),
            "given": self._given,
        }
        wishes = _answer(child, hello, STARTING)
        self.interrupts = wishes.get("sales") is True
        self._sees_course = wishes.get("course") is True
        return child

    def _stop(self) -> None:
        with self._changing:
            child, self._child = self._child, None
        if child is not None:
            child.kill()


def write_line(data: Mapping[str, Any]) -> bytes:
    """The line that holds these data."""
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _answer(child: Child, question: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    answer = parse_line(child.ask(write_line(question), seconds))
    if "error" in answer:
        raise BotFailed(Lapse.RAISED, str(answer["error"])[:200])
    return answer


def _budget(budget: Budget) -> dict[str, float]:
    if budget.iterations is not None:
        return {"iterations": budget.iterations}
    return {"seconds": budget.seconds or 0}
