"""How fast the compiled engine plays at random, beside its peers in the same run.

``python -m benchmarks.engines`` prints a table; ``--write`` keeps it in ``benchmarks/results.md``.
Whatever of OpenSpiel, PettingZoo, RLCard and pgx is installed is measured too, and nothing else is
needed. Machines differ: the figures to keep are the ratios to OpenSpiel's hearts.

What is counted. A *step* is one number of the 289 (a card laid towards a bid is one); a *whole
action* is a bid, a pass, a sale and so on. For the peers a step is one decision of a player.
*Moves* are steps and cards drawn by chance, as OpenSpiel's own benchmark counts. Dealing takes part
of the time everywhere. Nothing is measured before it is compiled and has run once.
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
from byzanz.fast.batch import Batch, choose_all, deal_all, step_all
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
    """How much an engine plays in a second; None for what it does not count."""

    what: str
    cores: int
    games: float
    actions: float | None = None
    steps: float | None = None
    moves: float | None = None


def rate_of(speed: Speed) -> Rate:
    """The rate of a peer on one core, whose steps are decisions."""
    games, steps = speed.games / speed.seconds, speed.decisions / speed.seconds
    return Rate(speed.what, 1, games, steps=steps)


# --- Byzanz ---------------------------------------------------------------------------------------


def whole_games(seconds: float, cores: int) -> Rate:
    """Batches of games dealt and played to their end by the compiled engine, at random."""
    numba.set_num_threads(cores)
    batch = Batch(PLAYERS, np.arange(GAMES, dtype=np.uint64))
    batch.finish()
    games = steps = actions = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        deal_all(batch.words, PLAYERS, np.arange(games, games + GAMES, dtype=np.int64))
        more_steps, more_actions = batch.finish()
        games, steps, actions = games + GAMES, steps + more_steps, actions + more_actions
    what = "Byzanz compiled, whole games"
    moves = steps + games * (len(ALL_CARDS) - SETUPS[PLAYERS].removed)
    return Rate(what, cores, games / spent, actions / spent, steps / spent, moves / spent)


def observed_steps(seconds: float, cores: int) -> Rate:
    """Mask and features of every decision of a batch of games; those that end are dealt anew."""
    numba.set_num_threads(cores)
    batch = Batch(PLAYERS, np.arange(GAMES, dtype=np.uint64))
    numbers = np.zeros(GAMES, dtype=np.int64)
    games = steps = actions = 0

    def step() -> tuple[int, int]:
        batch.observe()
        choose_all(batch.words, numbers)
        step_all(batch.words, numbers)
        ended = np.flatnonzero(batch.over)
        if len(ended):
            batch.deal(ended, np.arange(len(ended), dtype=np.uint64) + np.uint64(GAMES + games))
        return len(ended), int(np.count_nonzero(numbers >= 24))

    # Dealing some anew all the time spreads the games over all moments, as they are in training.
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
    """The readable engine; a bid is one decision."""
    speed = measured("Byzanz readable rules", byzanz_random, seconds)
    return Rate(speed.what, 1, speed.games / speed.seconds, speed.decisions / speed.seconds)


# --- Peers ----------------------------------------------------------------------------------------


def openspiel_loop(name: str, what: str, seconds: float, seed: int = 0) -> Rate:
    """Games of OpenSpiel's played whole in C++ by its uniform random bots (``evaluate_bots``).

    The clock runs for making the first state and for the loop: legal actions, a choice, applying
    it, and chance drawn by its probabilities. It makes no observations. Moves are counted from the
    histories while the clock stands.
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
    """One game through PettingZoo's agent loop, which observes at every step; its decisions."""
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
    """One game of RLCard's, whose environments encode a state at every step; its decisions."""
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
    """Batches of pgx games on the processor, auto-reset as pgx has it; observations are made."""
    if hasattr(os, "sched_setaffinity"):  # JAX has no other way to be held to one core
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
    """The works done at the same time, each in a process of its own, as one rate."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(len(works), mp_context=spawn) as pool:
        rates = [job.result() for job in [pool.submit(work) for work in works]]
    games, steps = sum(rate.games for rate in rates), sum(rate.steps or 0 for rate in rates)
    moves = sum(rate.moves or 0 for rate in rates)
    return Rate(rates[0].what, cores, games, steps=steps, moves=moves or None)


def newest(package: str, name: str) -> Any:
    """The module of a PettingZoo environment, whatever its version."""
    folder = Path(importlib.import_module(package).__path__[0])
    return importlib.import_module(f"{package}.{max(folder.glob(f'{name}_v*.py')).stem}")


Work = tuple[str, str, Callable[[], Rate]]
"""What a line needs to be installed, what it is called, and how it is measured."""


def lines(seconds: float, most: int) -> Iterator[Work]:
    """The lines of the table, for one core and, where there are two, for both."""
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
    what, name = "Byzanz in OpenSpiel, readable rules", f"python_byzanz(players={PLAYERS})"
    yield "pyspiel", what, partial(openspiel_loop, name, what, seconds)
    for name in ("texas_holdem", "hanabi"):
        what = f"PettingZoo {name}, Python"
        yield "pettingzoo", what, partial(_single, what, partial(_pettingzoo, name), seconds)
    what = "Byzanz in PettingZoo, readable rules"
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
    if name == "byzanz":  # four players unless told otherwise
        return pettingzoo_random(importlib.import_module("byzanz.envs.pettingzoo").env)
    return pettingzoo_random(newest("pettingzoo.classic", name).env)


# --- The table ------------------------------------------------------------------------------------


def cells(rates: list[Rate]) -> Iterator[list[str]]:
    """The table's rows; ratios are to hearts on as many cores."""
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
    """Puts the table into the results, in place of the one that was there."""
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
            f"Ratios are to *{BASE}* on as many cores (two: two processes). A step is",
            "a player's decision, such as laying one card towards a bid; an action is a whole one,",
            "such as a bid. Moves are steps and cards drawn by chance. What each line measures is",
            "said in `benchmarks/engines.py`.",
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
    """Measures, prints the table and keeps it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each line (default: 5)")
    parser.add_argument("--write", action="store_true", help=f"keep the table in {RESULTS.name}")
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
