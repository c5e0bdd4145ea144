"""Lockstep of the environments: the same game on both engines, compared after every action.

``python -m tests.envs.lockstep --games 200`` plays that many games for each player count and
environment, and stops at the first difference.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from byzanz.encoding import IllegalNumber
from byzanz.envs.engines import ENGINES
from byzanz.rules import SETUPS, Chance


class Difference(AssertionError):
    """Raised if the two engines differ."""


def same(what: str, compiled: Any, readable: Any) -> None:
    """Raise Difference unless two arrays, or dictionaries of arrays, are the same bytes."""
    if isinstance(compiled, dict):
        same(f"the keys of {what}", list(compiled), list(readable))
        for name, value in compiled.items():
            same(f"{what} {name}", value, readable[name])
        return
    if isinstance(compiled, np.ndarray):
        equal = compiled.dtype == readable.dtype and np.array_equal(compiled, readable)
    else:
        equal = compiled == readable
    if not equal:
        raise Difference(f"{what} differ:\n compiled {compiled}\n readable {readable}")


def pettingzoo_lockstep(players: int, seed: int) -> int:
    """Play one game in two PettingZoo environments and return its length."""
    from byzanz.envs.pettingzoo import raw_env  # noqa: PLC0415

    reward = ("win", "profit")[seed % 2]
    one, two = [raw_env(players, reward, "ansi", engine) for engine in ENGINES]
    chance, steps = Chance(seed), 0
    for env in (one, two):
        env.reset(seed=seed)
    while True:
        where = f"PettingZoo, {players} players, seed {seed}, step {steps}:"
        same(f"{where} agents", one.agent_selection, two.agent_selection)
        same(f"{where} moments", one.moment, two.moment)
        same(f"{where} states", one.state(), two.state())
        same(f"{where} renderings", one.render(), two.render())
        for agent in (one.agent_selection, one.agents[steps % players]):
            same(f"{where} observations", one.observe(agent), two.observe(agent))
        same(f"{where} rewards", one.rewards, two.rewards)
        same(f"{where} infos", one.infos, two.infos)
        same(f"{where} ends", one.terminations, two.terminations)
        if one.terminations["seat_0"]:
            return steps
        if not chance.below(20):
            number = chance.below(289)
        else:
            number = chance.choice(np.flatnonzero(one.action_masks()).tolist())
        same(f"{where} refusals", refusal(one.step, number), refusal(two.step, number))
        steps += 1


def refusal(step: Callable[[int], object], number: int) -> str:
    """Play a number; return why it is illegal, or nothing."""
    try:
        step(number)
    except IllegalNumber as refused:
        return str(refused)
    return ""


LOCKSTEPS = [pettingzoo_lockstep]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return exit status 0 if the engines agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--games", type=int, default=200, help="games for each player count (default: 200)"
    )
    options = parser.parse_args(arguments)
    steps = 0
    try:
        for lockstep in LOCKSTEPS:
            for players in SETUPS:
                steps += sum(lockstep(players, seed) for seed in range(options.games))
    except Difference as difference:
        sys.stdout.write(f"{difference}\n")
        return 1
    sys.stdout.write(f"{steps} actions in all environments: the engines agree\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
