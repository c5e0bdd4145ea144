"""Speed of random play with the compiled engine, compared with other libraries in the same run.

``python -m benchmarks.engines`` prints a table; ``--write`` stores it in ``benchmarks/results.md``.
OpenSpiel, PettingZoo, RLCard and pgx are measured if they are installed. Machines differ, so
compare the ratios to OpenSpiel's hearts.

A *step* is one of the 289 action numbers, such as laying a card towards a bid. A *whole action* is
a bid, a pass, a sale and so on. For the other libraries a step is one decision of a player. *Moves*
are steps plus cards drawn by chance, as in OpenSpiel's own benchmark. All times include dealing.
The code is compiled and run once before it is measured.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import multiprocessing
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.machine import machine
from benchmarks.readable_engine import Speed, byzanz_random, measured, openspiel_random
from byzanz.fast import Batch
from byzanz.fast.loops import choose_all, deal_all, step_all
from byzanz.rules import ALL_CARDS, SETUPS

RESULTS = Path(__file__).parent / "results.md"
BEGIN, END = "<!-- engines: written by benchmarks.engines -->", "<!-- engines end -->"
PACKAGES = ["numba", "numpy", "open_spiel", "pettingzoo", "rlcard", "pgx", "jax"]
GAMES = 4096
PLAYERS = 4
BASE = "OpenSpiel hearts, C++ loop"
HEADINGS = ["Engine", "Cores", "Games/s", "Actions/s", "Steps/s", "Ratio", "Moves/s", "Ratio"]


@dataclass(frozen=True)
class Rate:
    """Speed of an engine per second; None for quantities that it does not count."""

    what: str
    cores: int
    games: float
    actions: float | None = None
    steps: float | None = None
    moves: float | None = None


def rate_of(speed: Speed) -> Rate:
    """Return the rate of another library on one core; its steps are decisions."""
    games, steps = speed.games / speed.seconds, speed.decisions / speed.seconds
    return Rate(speed.what, 1, games, steps=steps)


# --- Byzanz ---------------------------------------------------------------------------------------


def whole_games(seconds: float, cores: int) -> Rate:
    """Measure batches of games, dealt and played to their end at random."""
    numba.set_num_threads(cores)
    batch = Batch(PLAYERS, np.arange(GAMES, dtype=np.uint64))
    batch.finish()
    games = steps = actions = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        deal_all(batch.games, PLAYERS, np.arange(games, games + GAMES, dtype=np.int64))
        more_steps, more_actions = batch.finish()
        games, steps, actions = games + GAMES, steps + more_steps, actions + more_actions
    what = "Byzanz compiled, whole games"
    moves = steps + games * (len(ALL_CARDS) - SETUPS[PLAYERS].removed)
    return Rate(what, cores, games / spent, actions / spent, steps / spent, moves / spent)


def observed_steps(seconds: float, cores: int) -> Rate:
    """Measure a batch with mask and features for every decision; finished games are replaced."""
    numba.set_num_threads(cores)
    batch = Batch(PLAYERS, np.arange(GAMES, dtype=np.uint64))
    numbers = np.zeros(GAMES, dtype=np.int64)
    games = steps = actions = 0

    def step() -> tuple[int, int]:
        batch.observe()
        choose_all(batch.games, numbers)
        step_all(batch.games, numbers)
        ended = np.flatnonzero(batch.over)
        if len(ended):
            batch.deal(ended, np.arange(len(ended), dtype=np.uint64) + np.uint64(GAMES + games))
        return len(ended), int(np.count_nonzero(numbers >= 24))

    # Replacing some games in every step spreads them over all stages, as in training.
    for at in range(250):
        some = np.arange(at, GAMES, 250)
        batch.deal(some, some.astype(np.uint64))
        step()
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        ended, whole = step()
        games, actions, steps = games + ended, actions + whole, steps + GAMES
    what = f"Byzanz compiled, mask and features of {GAMES:,} games"
    return Rate(what, cores, games / spent, actions / spent, steps / spent)


def readable(seconds: float) -> Rate:
    """Measure the readable engine; a bid is one decision."""
    speed = measured("Byzanz readable rules", byzanz_random, seconds)
    return Rate(speed.what, 1, speed.games / speed.seconds, speed.decisions / speed.seconds)


# --- Peers ----------------------------------------------------------------------------------------


def openspiel_loop(name: str, what: str, seconds: float, seed: int = 0) -> Rate:
    """Measure OpenSpiel games played in C++ by its uniform random bots (``evaluate_bots``).

    The time includes the first state and the loop: legal actions, a choice, its application, and
    chance events. There are no observations. Counting the moves is not included.
    """
    if "byzanz" in name:
        importlib.import_module("byzanz.envs.openspiel")
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    seats = range(game.num_players())
    bots = [pyspiel.make_uniform_random_bot(seat, seed + seat) for seat in seats]
    pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)
    games = steps = moves = 0
    spent = 0.0
    while spent < seconds:
        start = time.perf_counter()
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed + games)
        spent += time.perf_counter() - start
        history = state.full_history()
        steps += sum(move.player >= 0 for move in history)
        moves += len(history)
        games += 1
    return Rate(what, 1, games / spent, None, steps / spent, moves / spent)


def pettingzoo_random(make: Callable[[], Any]) -> Callable[[int], int]:
    """Return a function that plays a PettingZoo game with observations and counts decisions."""
    env = make()

    def play(seed: int) -> int:
        drawn = random.Random(seed)
        env.reset(seed=seed)
        decisions = 0
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(int(drawn.choice(np.flatnonzero(seen["action_mask"]))))
                decisions += 1
        return decisions

    return play


def rlcard_random(name: str) -> Callable[[int], int]:
    """Return a function that plays an RLCard game with encoded states and counts decisions."""
    env = importlib.import_module("rlcard").make(name, config={"seed": 1})

    def play(seed: int) -> int:
        drawn = random.Random(seed)
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(drawn.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return play


def pgx_random(name: str, cores: int, seconds: float) -> Rate:
    """Measure batches of pgx games on the CPU with auto-reset and observations."""
    if hasattr(os, "sched_setaffinity"):  # the only way to limit JAX to one core
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    os.environ["JAX_PLATFORMS"] = "cpu"
    jax = importlib.import_module("jax")
    env = importlib.import_module("pgx").make(name)
    step = importlib.import_module("pgx.experimental.wrappers").auto_reset(env.step, env.init)
    rounds = 100

    def one(state: Any, key: Any) -> Any:
        choice, chance = jax.random.split(key)
        legal = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(choice, legal, axis=-1)
        state = jax.vmap(step)(state, actions, jax.random.split(chance, GAMES))
        return state, state.terminated.sum()

    def some(state: Any, key: Any) -> Any:
        return jax.lax.scan(one, state, jax.random.split(key, rounds))

    many = jax.jit(some)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), GAMES))
    state, _ = jax.block_until_ready(many(state, jax.random.PRNGKey(1)))
    games = steps = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        state, ended = jax.block_until_ready(many(state, jax.random.PRNGKey(2 + steps)))
        games, steps = games + int(ended.sum()), steps + rounds * GAMES
    return Rate(f"pgx {name}, {GAMES:,} games", cores, games / spent, steps=steps / spent)


def apart(works: Sequence[Callable[[], Rate]], cores: int) -> Rate:
    """Run measurements at the same time, each in its own process; return their joint rate."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(len(works), mp_context=spawn) as pool:
        rates = [job.result() for job in [pool.submit(work) for work in works]]
    games, steps = sum(rate.games for rate in rates), sum(rate.steps or 0 for rate in rates)
    moves = sum(rate.moves or 0 for rate in rates)
    return Rate(rates[0].what, cores, games, steps=steps, moves=moves or None)


def newest(package: str, name: str) -> Any:
    """Return the newest module of a PettingZoo environment."""
    folder = Path(importlib.import_module(package).__path__[0])
    found = sorted(folder.glob(f"{name}_v*.py"))
    if not found:
        raise ImportError(f"{package} has no {name}")
    return importlib.import_module(f"{package}.{found[-1].stem}")


Work = tuple[str, str, Callable[[], Rate]]
"""A line of the table: the package that it needs, its name, and the measurement."""


def lines(seconds: float, most: int) -> Iterator[Work]:
    """Yield the lines of the table, for one core and, if there are two, for both."""
    both = [cores for cores in (1, 2) if cores <= most]
    for cores in both:
        yield "numba", "whole games", partial(whole_games, seconds, cores)
    for cores in both:
        yield "numba", "observed steps", partial(observed_steps, seconds, cores)
    yield "rich", "readable", partial(readable, seconds)
    for name in ("hearts", "skat", "dou_dizhu"):
        for cores in both:
            what = f"OpenSpiel {name}, C++ loop"
            seeds = [10**6 * process for process in range(cores)]
            works = [partial(openspiel_loop, name, what, seconds, seed) for seed in seeds]
            yield "pyspiel", what, partial(apart, works, cores)
    for name in ("hearts", "skat", "dou_dizhu"):
        what = f"OpenSpiel {name}, Python"
        yield "pyspiel", what, partial(_single, what, partial(openspiel_random, name), seconds)
    what, name = "Byzanz in OpenSpiel, compiled", f"python_byzanz(players={PLAYERS})"
    yield "pyspiel", what, partial(openspiel_loop, name, what, seconds)
    for name in ("texas_holdem", "hanabi"):
        what = f"PettingZoo {name}, Python"
        yield "pettingzoo", what, partial(_single, what, partial(_pettingzoo, name), seconds)
    what = "Byzanz in PettingZoo, compiled"
    yield "pettingzoo", what, partial(_single, what, partial(_pettingzoo, "byzanz"), seconds)
    what = "RLCard doudizhu, Python"
    yield "rlcard", what, partial(_single, what, partial(rlcard_random, "doudizhu"), seconds)
    for name in ("leduc_holdem", "sparrow_mahjong"):
        for cores in both:
            work = partial(pgx_random, name, cores, seconds)
            yield "pgx", f"pgx {name}", partial(apart, [work], cores)


def _single(what: str, make: Callable[[], Callable[[int], int]], seconds: float) -> Rate:
    return rate_of(measured(what, make(), seconds))


def _pettingzoo(name: str) -> Callable[[int], int]:
    if name == "byzanz":  # four players by default
        return pettingzoo_random(importlib.import_module("byzanz.envs.pettingzoo").env)
    return pettingzoo_random(newest("pettingzoo.classic", name).env)


# --- The table ------------------------------------------------------------------------------------


def cells(rates: list[Rate]) -> Iterator[list[str]]:
    """Yield the rows of the table; ratios refer to hearts on the same number of cores."""
    hearts = {rate.cores: rate for rate in rates if rate.what == BASE}
    for rate in rates:
        base = hearts.get(rate.cores)
        steps = rate.steps or rate.actions  # whole actions where bids are not laid card by card
        yield [
            rate.what,
            str(rate.cores),
            f"{rate.games:,.0f}",
            f"{rate.actions:,.0f}" if rate.actions else "",
            f"{rate.steps:,.0f}" if rate.steps else "",
            f"{steps / base.steps:.3g}" if steps and base and base.steps else "",
            f"{rate.moves:,.0f}" if rate.moves else "",
            f"{rate.moves / base.moves:.3g}" if rate.moves and base and base.moves else "",
        ]


def keep(rates: list[Rate], told: list[str], missing: list[str]) -> None:
    """Replace the table in the results file."""
    rows = [HEADINGS, ["---", *["---:"] * (len(HEADINGS) - 1)], *cells(rates)]
    text = "\n".join(
        [
            BEGIN,
            f"## Random play, {PLAYERS} players",
            "",
            *[f"- {line}" for line in [*told, *missing]],
            "",
            *[f"| {' | '.join(row)} |" for row in rows],
            "",
            f"Ratios compare with *{BASE}* on the same number of cores (two processes for",
            "two cores). A step is one decision of a player, such as adding a card to a bid. An",
            "action, such as a bid, can take several steps. Moves are steps plus cards drawn by",
            "chance.",
            "`benchmarks/engines.py` describes each line.",
            END,
        ]
    )
    old = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else "# Benchmark results\n"
    if BEGIN in old:
        before, _, rest = old.partition(BEGIN)
        new = before + text + rest.partition(END)[2]
    else:
        new = f"{old.rstrip()}\n\n{text}\n"
    RESULTS.write_text(new, encoding="utf-8")


def main() -> None:
    """Run the benchmarks, print the table and write it with ``--write``."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds per line (default: 5)")
    parser.add_argument("--write", action="store_true", help=f"write the table to {RESULTS.name}")
    asked = parser.parse_args()
    console = Console()
    told = machine(PACKAGES)
    rates: list[Rate] = []
    missing: list[str] = []
    for needs, what, work in lines(asked.seconds, numba.get_num_threads()):
        if not importlib.util.find_spec(needs):
            missing.append(f"not measured: {what} ({needs} is not installed)")
            continue
        console.print(f"measuring {what} ...", style="dim")
        try:
            rates.append(work())
        except ImportError as error:
            missing.append(f"not measured: {what} ({str(error).splitlines()[0]})")
    table = Table(title=f"Random play, {PLAYERS} players")
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "Engine" else "right")
    for row in cells(rates):
        table.add_row(*row)
    console.print(table)
    for line in [*told, *dict.fromkeys(missing)]:
        console.print(line, highlight=False)
    if asked.write:
        keep(rates, told, list(dict.fromkeys(missing)))


if __name__ == "__main__":
    main()
