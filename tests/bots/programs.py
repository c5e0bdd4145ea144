"""Test programs that speak the line protocol, and games with them."""

from __future__ import annotations

import sys
import textwrap

from byzanz.arena import play_match
from byzanz.bots import Bot, Budget, GuardedBot, LineBot, make_bot
from byzanz.rules import Chance, Deal, Game

GREETS = """
    import json, os, sys, time
    def answer(**data):
        print(json.dumps(data), flush=True)
    sys.stdin.readline()
    answer()
"""

SAFE = """
    def safe(legal):
        if legal["pass"]: return "pass"
        for word in ("give", "take", "discard"):
            if legal[word]: return f"{word} {legal[word][0]}"
        return "done"
"""


def program(code: str, *, greets: bool = True) -> list[str]:
    """Return the command line of a Python program; with ``greets`` it answers the first line."""
    parts = [GREETS if greets else "", SAFE, code]
    return [sys.executable, "-c", "\n".join(map(textwrap.dedent, parts))]


def guarded(
    command: list[str], *, seconds: float = 0.3, memory: int = 1 << 29, seed: int = 0
) -> GuardedBot:
    """Return a guarded bot that runs this program."""
    bot = LineBot(command, Chance(seed), Budget(seconds=seconds), memory=memory)
    return GuardedBot(bot, "program")


def played_with(bot: Bot, players: int = 3, seed: int = 1) -> Game:
    """Play a game of the bot at seat 0 against greedy bots."""
    others = [make_bot("greedy", seat) for seat in range(1, players)]
    try:
        return play_match(Deal.from_seed(players, seed), [bot, *others])
    finally:
        bot.close()
