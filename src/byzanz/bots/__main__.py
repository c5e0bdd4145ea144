"""``python -m byzanz.bots NAME``: play as a bot over standard input and output.

Bots from other packages and from files run this way, each in a process of its own. With ``--check``
before the name, the program only loads the bot, and answers one line with ``{}`` or with an error.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import Any, BinaryIO

from byzanz.bots.external.protocol import write_line
from byzanz.notation import Malformed, read_view, write_action
from byzanz.notation.record import parse_line
from byzanz.rules import Chance
from byzanz.search.budget import Budget

from .bot import Bot
from .from_file import CHECK
from .registry import load_bot
from .spec import UnknownBot


def main(name: str) -> None:
    """Answer every line of standard input as the bot of this name."""
    answers = _take_output()
    _log_compilation()
    bot_class = load_bot(name)
    bot: Bot | None = None
    for line in sys.stdin.buffer:
        question = parse_line(line)
        if bot is None:
            budget = Budget(**question["budget"]) if question.get("given", True) else None
            bot = bot_class(Chance(question["seed"]), budget)
            answer: dict[str, Any] = {"name": name, "sales": bot.interrupts, "course": True}
        else:
            answer = _answer(bot, question)
        answers.write(write_line(answer))
        answers.flush()


def check(name: str) -> None:
    """Load a bot, read one line and answer it: the answer says whether the bot was loaded."""
    answers = _take_output()
    sys.stdin.buffer.readline()
    answer = {}
    try:
        load_bot(name)
    except UnknownBot as error:
        answer["error"] = str(error)
    answers.write(write_line(answer))
    answers.flush()


def _take_output() -> BinaryIO:
    """Return the real standard output, and send what the bot prints to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _log_compilation() -> None:
    """Log compilation to standard error, because it takes seconds."""
    logger = logging.getLogger("byzanz.compilation")
    logger.setLevel(logging.INFO)
    logger.addHandler(logging.StreamHandler())


def _answer(bot: Bot, question: dict[str, Any]) -> dict[str, Any]:
    seen = read_view(question["view"])
    try:
        action = bot.sale(seen) if question["type"] == "sale" else bot.choose(seen)
        return {"action": None if action is None else write_action(action)}
    except Exception as error:  # noqa: BLE001 - the answer reports it; the bot goes on
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    *checks, name = sys.argv[1:] or [CHECK]
    if checks not in ([], [CHECK]) or name == CHECK:
        sys.exit("expected the name of a bot: python -m byzanz.bots NAME")
    try:
        (check if checks else main)(name)
    except (Malformed, UnknownBot) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
