"""Speed of the environments on one core, on both engines and beside other libraries, in one run.

``python -m benchmarks.environments`` prints a table; ``--write`` stores it in
``benchmarks/results.md``. OpenSpiel, PettingZoo and RLCard are measured if they are installed. A
step is one decision of a player; all lines play at random with four players, and their times
include dealing. Times are processor times, so that other programs disturb them less, and each line
is measured several times in turn; the fastest counts. Compare the ratios, because machines differ.
"""

from __future__ import annotations

import argparse
import importlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.engines import RESULTS, newest, pettingzoo_random, rlcard_random
from benchmarks.machine import machine

BEGIN = "<!-- environments: written by benchmarks.environments -->"
END = "<!-- environments end -->"
PACKAGES = ["numba", "numpy", "gymnasium", "pettingzoo", "open_spiel", "rlcard"]
HEADINGS = ["Environment", "Per second", "Ratio"]
COMPILED, READABLE = "python_byzanz(players=4)", "python_byzanz(players=4,engine=readable)"
HEARTS = "hearts"
GAMES = 1024

Play = Callable[[int], int]
"""Plays something from a seed; returns how many steps it took."""


@dataclass
class Line:
    """A line of the table."""

    what: str
    make: Callable[[], Play]
    speeds: list[float] = field(default_factory=list)


def measure(play: Play, seconds: float, seed: int) -> float:
    """Return the steps per second of processor time."""
    steps, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        steps += play(seed)
        seed += 1
    return steps / spent


def pettingzoo_byzanz(engine: str, render_mode: str | None = None) -> Play:
    """Return a function that plays a game in PettingZoo, and renders it in every step."""
    made = importlib.import_module("byzanz.envs.pettingzoo").env(4, "win", render_mode, engine)
    if render_mode is None:
        return pettingzoo_random(lambda: made)

    def play(seed: int) -> int:
        drawn, steps = random.Random(seed), 0
        made.reset(seed=seed)
        while not made.terminations["seat_0"]:
            made.render()
            made.step(int(drawn.choice(np.flatnonzero(made.action_masks()))))
            steps += 1
        return steps

    return play


def openspiel(name: str, observe: str) -> Play:
    """Return a function that plays an OpenSpiel game in Python, with an observation if named."""
    importlib.import_module("byzanz.envs.openspiel")
    game = importlib.import_module("pyspiel").load_game(name)

    def play(seed: int) -> int:
        drawn, steps = random.Random(seed), 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                steps += 1
                if observe:
                    getattr(state, observe)()
            state.apply_action(drawn.choice(state.legal_actions()))
        return steps

    return play


def rl_environment(name: str) -> Play:
    """Return a function that plays a game in OpenSpiel's rl_environment."""
    importlib.import_module("byzanz.envs.openspiel")
    env = importlib.import_module("open_spiel.python.rl_environment").Environment(name)

    def play(seed: int) -> int:
        drawn, steps = random.Random(seed), 0
        env.seed(seed)
        step = env.reset()
        while not step.last():
            legal = step.observations["legal_actions"][step.observations["current_player"]]
            step = env.step([drawn.choice(legal)])
            steps += 1
        return steps

    return play


def ismcts(name: str, simulations: int, *, ours: bool) -> Play:
    """Return a function that searches the first decision with OpenSpiel's Python ISMCTS."""
    byzanz = importlib.import_module("byzanz.envs.openspiel")
    search = importlib.import_module("open_spiel.python.algorithms.ismcts")
    mcts = importlib.import_module("open_spiel.python.algorithms.mcts")
    game = importlib.import_module("pyspiel").load_game(name)

    def play(seed: int) -> int:
        rng = np.random.RandomState(seed)
        drawn, state = random.Random(seed), game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(drawn.choice(state.legal_actions()))
        evaluator = byzanz.RolloutEvaluator() if ours else mcts.RandomRolloutEvaluator(1, rng)
        search.ISMCTSBot(game, evaluator, 2.0, simulations, random_state=rng).step(state)
        return simulations

    return play


def gymnasium_single(make: Callable[[Any], Any]) -> Play:
    """Return a function that plays a game in a Gymnasium environment."""
    env = make(importlib.import_module("byzanz.envs.gymnasium"))

    def play(seed: int) -> int:
        drawn, steps, over = random.Random(seed), 0, False
        seen, _ = env.reset(seed=seed)
        while not over:
            number = int(drawn.choice(np.flatnonzero(seen["action_mask"])))
            seen, _, over, _, _ = env.step(number)
            steps += 1
        return steps

    return play


def gymnasium_vector(make: Callable[[Any], Any]) -> Play:
    """Return a function that plays ten steps of many games in a Gymnasium environment."""
    envs = make(importlib.import_module("byzanz.envs.gymnasium"))
    seen, _ = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    held = [seen]

    def play(seed: int) -> int:  # noqa: ARG001
        for _ in range(10):
            mask = held[0]["action_mask"]
            numbers = (mask * rng.random(mask.shape, dtype=np.float32)).argmax(axis=1)
            held[0] = envs.step(numbers)[0]
        return 10 * envs.num_envs

    return play


def groups() -> Iterator[tuple[str, list[Line]]]:
    """Yield the groups of the table; ratios refer to the first line of a group."""
    games = ("texas_holdem", "texas_holdem_no_limit", "leduc_holdem", "gin_rummy", "hanabi")
    yield (
        "PettingZoo, with observations",
        [
            Line("Byzanz, readable rules", partial(pettingzoo_byzanz, "readable")),
            Line("Byzanz, compiled", partial(pettingzoo_byzanz, "compiled")),
            *[Line(name, partial(_classic, name)) for name in games],
            Line("RLCard doudizhu, without PettingZoo", partial(rlcard_random, "doudizhu")),
        ],
    )
    yield (
        "PettingZoo, with a rendering instead of observations",
        [
            Line("Byzanz, readable rules", partial(pettingzoo_byzanz, "readable", "ansi")),
            Line("Byzanz, compiled", partial(pettingzoo_byzanz, "compiled", "ansi")),
        ],
    )
    for title, observe, theirs in (
        ("OpenSpiel from Python", "", ""),
        (
            "OpenSpiel from Python, with tensors",
            "observation_tensor",
            "information_state_tensor",
        ),
        (
            "OpenSpiel from Python, with information state tensors",
            "information_state_tensor",
            "information_state_tensor",
        ),
    ):
        yield (
            title,
            [
                Line("Byzanz, readable rules", partial(openspiel, READABLE, observe)),
                Line("Byzanz, compiled", partial(openspiel, COMPILED, observe)),
                Line("hearts, C++", partial(openspiel, HEARTS, theirs)),
            ],
        )
    yield (
        "OpenSpiel's rl_environment",
        [
            Line("Byzanz, readable rules", partial(rl_environment, READABLE)),
            Line("Byzanz, compiled", partial(rl_environment, COMPILED)),
            Line("hearts, C++", partial(rl_environment, HEARTS)),
        ],
    )
    yield (
        "OpenSpiel's Python ISMCTS, simulations",
        [
            Line("readable rules, their evaluator", partial(ismcts, READABLE, 10, ours=False)),
            Line("compiled, their evaluator", partial(ismcts, COMPILED, 20, ours=False)),
            Line("compiled, our evaluator", partial(ismcts, COMPILED, 200, ours=True)),
        ],
    )
    yield (
        "Gymnasium, steps of the learner",
        [
            _single("v0: bots random, readable rules", lambda envs: envs.ByzanzEnv(4, ("random",))),
            _single("v1: random, readable rules", lambda envs: envs.ByzanzEnvV1(engine="readable")),
            _single("v1: random, compiled", lambda envs: envs.ByzanzEnvV1()),
            _single("v1: trader, compiled", lambda envs: envs.ByzanzEnvV1(4, "trader")),
            _single("v1: emperor, compiled", lambda envs: envs.ByzanzEnvV1(4, "emperor")),
            _many("1,024 games: random", lambda envs: envs.ByzanzVectorEnv(GAMES)),
            _many("1,024 games: trader", lambda envs: envs.ByzanzVectorEnv(GAMES, 4, "trader")),
            _many("64 games: emperor", lambda envs: envs.ByzanzVectorEnv(64, 4, "emperor")),
            _many("1,024 games: all seats", lambda envs: envs.ByzanzSelfPlayEnv(GAMES)),
        ],
    )


def _classic(name: str) -> Play:
    return pettingzoo_random(newest("pettingzoo.classic", name).env)


def _single(what: str, make: Callable[[Any], Any]) -> Line:
    return Line(what, partial(gymnasium_single, make))


def _many(what: str, make: Callable[[Any], Any]) -> Line:
    return Line(what, partial(gymnasium_vector, make))


def run(
    seconds: float, rounds: int, only: str, console: Console
) -> tuple[list[list[str]], list[str]]:
    """Measure all groups; return the rows of the table and what could not be measured."""
    rows: list[list[str]] = []
    missing: list[str] = []
    for title, lines in groups():
        if only not in title:
            continue
        console.print(f"measuring {title} ...", style="dim")
        ready: list[tuple[Line, Play]] = []
        for line in lines:
            try:
                play = line.make()
                play(0)
            except ImportError as error:
                reason = str(error).splitlines()[0]
                missing.append(f"not measured: {line.what} ({reason})")
            else:
                ready.append((line, play))
        for turn in range(rounds):
            for line, play in ready:
                line.speeds.append(measure(play, seconds / rounds, 1000 * turn))
        base = max(ready[0][0].speeds)
        rows.append([f"**{title}**", "", ""])
        for line, _ in ready:
            speed = max(line.speeds)
            rows.append([line.what, f"{speed:,.0f}", f"{speed / base:.3g}"])
    return rows, list(dict.fromkeys(missing))


def keep(rows: list[list[str]], told: list[str]) -> None:
    """Replace the table in the results file."""
    table = [HEADINGS, ["---", "---:", "---:"], *rows]
    text = "\n".join(
        [
            BEGIN,
            "## Environments, one core, 4 players",
            "",
            *[f"- {line}" for line in told],
            "",
            *[f"| {' | '.join(row)} |" for row in table],
            "",
            "Steps per second of processor time; ratios refer to the first line of a group. The",
            "readable rules are what all environments except the vector environment ran on before.",
            "`benchmarks/environments.py` describes each line.",
            END,
        ]
    )
    old = RESULTS.read_text(encoding="utf-8")
    before, found, rest = old.partition(BEGIN)
    new = before + text + rest.partition(END)[2] if found else f"{old.rstrip()}\n\n{text}\n"
    RESULTS.write_text(new, encoding="utf-8")


def main() -> None:
    """Run the benchmarks, print the table and write it with ``--write``."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds per line (default: 3)")
    parser.add_argument("--rounds", type=int, default=3, help="measurements (default: 3)")
    parser.add_argument("--only", default="", help="measure only groups with this in their title")
    parser.add_argument("--write", action="store_true", help=f"write the table to {RESULTS.name}")
    asked = parser.parse_args()
    console = Console()
    numba.set_num_threads(1)
    told = machine(PACKAGES)
    rows, missing = run(asked.seconds, asked.rounds, asked.only, console)
    table = Table(title="Environments, one core, 4 players")
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "Environment" else "right")
    for row in rows:
        table.add_row(*[cell.strip("*") for cell in row])
    console.print(table)
    for line in [*told, *missing]:
        console.print(line, highlight=False)
    if asked.write:
        keep(rows, [*told, *missing])


if __name__ == "__main__":
    main()
