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


OPPONENTS = [
    ("random",),
    ("sensible", "random"),
    ("trader",),
    ("random", "emperor", "trader"),
    ("level2", "level7", "sensible"),
]
"""The opponents of the games on Gymnasium; at a table for three, the first two of them."""


def gymnasium_lockstep(players: int, seed: int) -> int:
    """Play one game in two Gymnasium environments and return its length."""
    from byzanz.envs.gymnasium import ByzanzEnvV1  # noqa: PLC0415

    one, two = [
        ByzanzEnvV1(
            players,
            OPPONENTS[(players + seed) % len(OPPONENTS)][: players - 1],
            seat=None,
            reward=("win", "profit")[seed % 2],
            render_mode="ansi",
            engine=engine,
        )
        for engine in ENGINES
    ]
    chance, steps, over = Chance(seed), 0, False
    seen, other = one.reset(seed=seed), two.reset(seed=seed)
    same("observations", seen[0], other[0])
    mask = seen[0]["action_mask"]
    while not over:
        where = f"Gymnasium, {players} players, seed {seed}, step {steps}:"
        same(f"{where} moments", one.moment, two.moment)
        same(f"{where} renderings", one.render(), two.render())
        same(f"{where} masks", one.action_masks(), two.action_masks())
        number = chance.choice(np.flatnonzero(mask).tolist())
        if not chance.below(20):
            number = chance.below(300)
        (seen, *rest, info), (other, *others, other_info) = one.step(number), two.step(number)
        same(f"{where} observations", seen, other)
        same(f"{where} rewards and ends", rest, others)
        same(f"{where} infos", info, other_info)
        mask, over, steps = seen["action_mask"], rest[1], steps + 1
    return steps


def openspiel_lockstep(players: int, seed: int) -> int:
    """Play one game in two OpenSpiel games and return its number of actions and cards drawn."""
    import pyspiel  # noqa: PLC0415

    import byzanz.envs.openspiel  # noqa: F401, PLC0415  registers the game

    reward = ("win", "profit")[seed % 2]
    name = f"python_byzanz(players={players},reward={reward},engine=%s)"
    games = [pyspiel.load_game(name % engine) for engine in ENGINES]
    one, two = [game.new_initial_state() for game in games]
    observers = [[game.make_py_observer(kind) for game in games] for kind in _observations()]
    chance, steps = Chance(seed), 0
    while True:
        where = f"OpenSpiel, {players} players, seed {seed}, action {steps}:"
        for method in ("current_player", "legal_actions", "returns", "__str__", "history"):
            same(f"{where} {method}", getattr(one, method)(), getattr(two, method)())
        for name in ("moment", "dealt", "turned", "undrawn", "left"):
            same(f"{where} {name}", getattr(one.line, name), getattr(two.line, name))
        seat = steps % players
        ours, theirs = observers[chance.below(len(observers))]
        ours.set_from(one, seat)
        theirs.set_from(two, seat)
        same(f"{where} tensors", ours.tensor, theirs.tensor)
        same(f"{where} pieces", ours.dict, theirs.dict)
        same(f"{where} texts", ours.string_from(one, seat), theirs.string_from(two, seat))
        if one.is_terminal():
            return steps
        if one.is_chance_node():
            same(f"{where} chances", one.chance_outcomes(), two.chance_outcomes())
            faces = [
                face for face, share in one.chance_outcomes() for _ in range(round(112 * share))
            ]
            number = chance.choice(faces)
        else:
            number = chance.choice(one.legal_actions())
            if not chance.below(20):
                seeds = [Chance(steps), Chance(steps)]
                one, two = [
                    state.resample_from_infostate(seat, lambda drawn=drawn: drawn.below(999) / 999)
                    for state, drawn in zip((one, two), seeds, strict=True)
                ]
                number = one.legal_actions()[0]
            elif not chance.below(20):
                one, two = one.clone(), two.clone()
        same(f"{where} names", one.action_to_string(number), two.action_to_string(number))
        for state in (one, two):
            state.apply_action(number)
        steps += 1


def _observations() -> list[Any]:
    import pyspiel  # noqa: PLC0415

    private = pyspiel.PrivateInfoType
    return [
        pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=own)
        for recall in (False, True)
        for public, own in (
            (True, private.SINGLE_PLAYER),
            (True, private.NONE),
            (False, private.SINGLE_PLAYER),
        )
    ]


def refusal(step: Callable[[int], object], number: int) -> str:
    """Play a number; return why it is illegal, or nothing."""
    try:
        step(number)
    except IllegalNumber as refused:
        return str(refused)
    return ""


LOCKSTEPS = [pettingzoo_lockstep, gymnasium_lockstep, openspiel_lockstep]


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
