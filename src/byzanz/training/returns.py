"""Advantages and returns, compiled: generalised advantage estimation (GAE) over an env's steps."""

from __future__ import annotations

from byzanz.fast.jit import part
from byzanz.fast.layout import SEATS, Bytes

from .env import LEARNER, PROFITS, SHARES, Floats
from .observation_layout import POLICY, SEAT

PROFIT_UNIT = 20.0
"""The profit margin over the others' mean that counts as one unit of reward."""

# A value: the profit margin, and each slot's share of the win.
MARGIN, WINS = 0, 1
VALUE_SIZE = WINS + SEATS

# A transition: the action, its log-probability when it was taken, and the value predicted there.
ACTION, LOG_PROB, VALUE = range(3)
TRANSITION_SIZE = VALUE + VALUE_SIZE

# A target: the advantage, and the return of every component of the value.
ADVANTAGE, RETURN = range(2)
TARGET_SIZE = RETURN + VALUE_SIZE

NEXT_VALUE, NEXT_RETURN = range(2)
"""The predicted value and the return of a seat's next decision; after the last one, the result."""

# Statistics of an env: sum of the learner's profits, its number of seats, and truncated games.
PROFIT_SUM, SEAT_COUNT, TRUNCATED = range(3)
STATISTICS = 3


@part
def _set_result(results: Floats, players: int, scratch: Floats) -> None:
    """Set every seat's next value and next return to the result of a game that ended."""
    total = 0.0
    for seat in range(players):
        total += results[PROFITS + seat]
    for seat in range(players):
        own = results[PROFITS + seat]
        scratch[seat, NEXT_RETURN, VALUE_SIZE] = 0
        for each in (NEXT_VALUE, NEXT_RETURN):
            scratch[seat, each, MARGIN] = (own - (total - own) / (players - 1)) / PROFIT_UNIT
            for slot in range(SEATS):
                won = results[SHARES + (seat + slot) % players]
                scratch[seat, each, WINS + slot] = won if slot < players else 0


@part
def compute_returns(
    env: int,
    newest: int,
    filled: int,
    window: int,
    profit_coef: float,
    gae_lambda: float,
    value_lambda: float,
    observations: Bytes,
    transitions: Floats,
    results: Floats,
    targets: Floats,
    ready: Bytes,
    scratch: Floats,
    statistics: Floats,
) -> None:
    """Compute the targets of the learner's decisions in games that ended within the window.

    Arrays are indexed by step and env; ``newest`` is the index of the last step, and ``filled``
    steps are stored. The successor of a decision is the same seat's next decision; after the last
    one, it is the result. Games that ended before the window were used in earlier updates.
    """
    for each in range(STATISTICS):
        statistics[env, each] = 0
    players, counted = 0, 0
    for age in range(filled):
        at = newest - age if newest >= age else newest - age + len(observations)
        if results[at, env, 0] > 0:
            if age >= window:
                return
            players, counted, end = int(results[at, env, 0]), 0, at
            _set_result(results[at, env], players, scratch[env])
        if players and observations[at, env, POLICY] == LEARNER:
            seat = int(observations[at, env, SEAT])
            advantage = gae_lambda * scratch[env, seat, NEXT_RETURN, VALUE_SIZE]
            for each in range(VALUE_SIZE):
                next_value = scratch[env, seat, NEXT_VALUE, each]
                next_return = scratch[env, seat, NEXT_RETURN, each]
                value = transitions[at, env, VALUE + each]
                target = next_value + value_lambda * (next_return - next_value)
                scratch[env, seat, NEXT_VALUE, each] = value
                scratch[env, seat, NEXT_RETURN, each] = target
                targets[at, env, RETURN + each] = target
                if each <= WINS:
                    advantage += (next_value - value) * (profit_coef if each == MARGIN else 1)
            scratch[env, seat, NEXT_RETURN, VALUE_SIZE] = advantage
            targets[at, env, ADVANTAGE] = advantage
            ready[at, env] = 1
            if not (counted >> seat) & 1:
                counted |= 1 << seat
                statistics[env, PROFIT_SUM] += results[end, env, PROFITS + seat]
                statistics[env, SEAT_COUNT] += 1
    if players and filled == len(observations):
        statistics[env, TRUNCATED] = 1
