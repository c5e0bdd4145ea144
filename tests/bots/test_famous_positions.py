"""Positions with a clearly best action, which the trader and the strategist must find."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from byzanz.bots import Budget
from byzanz.bots.strategist import StrategistBot
from byzanz.bots.trader import TraderBot
from byzanz.notation import parse_action, parse_view
from byzanz.rules import Action, Chance, View


class Famous(NamedTuple):
    name: str
    view: View
    best: tuple[Action, ...]


def _read(block: str) -> Famous:
    """Parse a block of four lines: a name, a reason, a view, and the best actions."""
    name, _, seen, best = block.splitlines()
    actions = tuple(parse_action(text) for text in best.split(" | "))
    return Famous(name.removeprefix("# "), parse_view(seen), actions)


_TEXT = (Path(__file__).parents[1] / "data" / "famous_positions.txt").read_text(encoding="utf-8")
FAMOUS = [_read(block) for block in _TEXT.strip().split("\n\n")]


def test_there_are_ten_famous_positions_with_a_choice() -> None:
    assert len({one.name for one in FAMOUS}) == 10
    for one in FAMOUS:
        assert all(action in one.view.options for action in one.best)
        assert len(one.best) < len(list(one.view.options))


@pytest.mark.parametrize("famous", FAMOUS, ids=lambda one: one.name)
def test_the_trader_solves_the_famous_positions(famous: Famous) -> None:
    assert TraderBot(Chance(0)).choose(famous.view) in famous.best


@pytest.mark.parametrize("famous", FAMOUS, ids=lambda one: one.name)
def test_the_strategist_solves_the_famous_positions(famous: Famous) -> None:
    for seed in range(3):
        bot = StrategistBot(Chance(seed), Budget(iterations=3000))
        assert bot.choose(famous.view) in famous.best
