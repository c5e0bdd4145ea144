"""``python -m byzanz.bots NAME``: a bot of this name plays over standard input and output.

Bots that other packages bring run like this, each in a process of its own.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from byzanz.bots.external.protocol import write_line
from byzanz.notation import Malformed, read_view, write_action
from byzanz.notation.record import parse_line
from byzanz.rules import Chance
from byzanz.search.budget import Budget

from .bot import Bot
from .registry import load_bot
from .spec import UnknownBot


def main(name: str) -> None:
    """Every line of standard input has been answered by a bot of this name."""
    # What a bot prints must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    kind = load_bot(name)
    bot: Bot | None = None
    for line in sys.stdin.buffer:
        asked = parse_line(line)
        if bot is None:
            budget = Budget(**asked["budget"]) if asked.get("given", True) else None
            bot = kind(Chance(asked["seed"]), budget)
            answer: dict[str, Any] = {"name": name, "sales": bot.interrupts, "course": True}
        else:
            answer = _answer(bot, asked)
        answers.write(write_line(answer))
        answers.flush()


def _answer(bot: Bot, asked: dict[str, Any]) -> dict[str, Any]:
    seen = read_view(asked["view"])
    try:
        action = bot.sale(seen) if asked["type"] == "sale" else bot.choose(seen)
        return {"action": None if action is None else write_action(action)}
    except Exception as error:  # noqa: BLE001 - the bot goes on, and who asked hears of it
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("expected the name of a bot: python -m byzanz.bots NAME")
    try:
        main(sys.argv[1])
    except (Malformed, UnknownBot) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
