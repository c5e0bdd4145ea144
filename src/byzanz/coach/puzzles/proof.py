"""Comparison of the actions of a position in sampled worlds, to find or check a puzzle.

All actions are tried in the same worlds, and their results are compared world by world. The seed
comes from the text of the position, so a comparison can be repeated exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from math import sqrt

import numpy as np

from byzanz.coach.endgame import solve
from byzanz.coach.results import Candidate
from byzanz.encoding import numbers_of
from byzanz.fast import step
from byzanz.fast.convert import record_of
from byzanz.fast.layout import Floats, Ints, Record
from byzanz.network import Network
from byzanz.network.forward import MOST_NUMBERS
from byzanz.network.network import action_for
from byzanz.notation import write_action, write_view
from byzanz.rules import Action, Bid, Chance, Pass, View, worth
from byzanz.search.batched_worlds import BatchedWorlds
from byzanz.search.network_evaluator import most_probable

from .puzzle import Puzzle

WORLDS = 2000
"""The number of worlds in which the answer and its closest rivals are compared."""
MARGIN = 8.0
"""The least lead of an answer, in points of win probability."""
ERRORS = 5.0
"""The least lead of an answer, in standard errors."""
LEAST, MOST = 0.10, 0.95
"""The bounds on the win probability of an answer; outside them, the game is as good as decided."""
SIEVE = (8, 24, 64)
"""Numbers of worlds after which a hopeless position is given up."""
STAGES = (64, 160, 400, 1000, WORLDS)
"""Numbers of worlds after which actions far behind drop out; the comparison ends with the last."""
_SURE_TO_FAIL = 2.5
"""A position is given up if a value misses its bound by this number of standard errors."""
_SURE_TO_LEAD = 6.0
"""An action drops out if the lead over it exceeds the margin by this many standard errors."""
_PRIOR_VARIANCE = 0.01
"""A variance that is added to the measured one, so that a few equal results do not look certain.

It is divided by the number of worlds.
"""


def is_proved(candidates: Sequence[Candidate], tolerance: float = 0.0) -> bool:
    """Return whether the first candidate is certain enough to be the best.

    It must lead every other one by at least the margin, which ``tolerance`` lowers, and by at least
    five standard errors.
    """
    return len(candidates) > 1 and all(
        one.behind >= MARGIN - tolerance and one.behind >= ERRORS * one.standard_error
        for one in candidates[1:]
    )


class Comparer:
    """Compares the actions of positions, using one network. It is not thread-safe."""

    def __init__(self, network: Network | None = None) -> None:
        """Create a comparer; without a network it uses the one in the package."""
        self._worlds = BatchedWorlds(network or Network.load())

    @property
    def network(self) -> Network:
        """The network."""
        return self._worlds.network

    def likely_actions(self, view: View) -> list[Action]:
        """Return the actions that the network considers, and all other actions except bids."""
        sequences, _ = most_probable(self.network, record_of(view))
        found: list[Action] = [action_for(numbers) for numbers in sequences]
        return list(dict.fromkeys([*found, *view.options.answers, *view.options.sales]))

    def prove(self, puzzle: Puzzle, worlds: int = WORLDS, seed: int = 0) -> tuple[Candidate, ...]:
        """Compare the candidates of a puzzle again and return them, best first.

        Seed 0 uses the same worlds as when the puzzle was found.
        """
        actions = [one.parsed() for one in puzzle.candidates]
        stages = (*[each for each in STAGES if each < worlds], worlds)
        found = self.compare(puzzle.view(), [one for one in actions if one], stages, seed=seed)
        return found or ()

    def compare(
        self,
        view: View,
        actions: Sequence[Action],
        stages: Sequence[int],
        *,
        seed: int = 0,
        sieve: bool = False,
    ) -> tuple[Candidate, ...] | None:
        """Compare these actions of the viewer, who is to move; return them best first.

        Each stage is a number of worlds. With ``sieve``, return None as soon as the position is
        unlikely to be a puzzle. Other seeds than 0 give other worlds. If no other player has a
        decision left, all legal actions are solved instead (:mod:`byzanz.coach.endgame`).
        """
        number = _seed(write_view(view), seed)
        solved = solve(view, number)
        if solved is not None:
            values = list(solved.values.items())
            best = max(value for _, value in values)
            return _sorted([
                _candidate(action, value, best - value, _deal_error(best - value, solved.sampled),
                           solved.sampled, self._prior(view, action))
                for action, value in values
            ])  # fmt: skip
        self._worlds.forget()
        results = self._run(view, actions, stages, Chance(number), sieve=sieve)
        if results is None:
            return None
        tried = ~np.isnan(results)
        full = np.flatnonzero(tried.all(0))
        best_place = int(full[results[:, full].mean(0).argmax()])
        top = float(results[:, best_place].mean())
        found = []
        for place, action in enumerate(actions):
            lead = (results[:, best_place] - results[:, place])[tried[:, place]]
            error = float(lead.std(ddof=1)) / sqrt(len(lead))
            behind = float(lead.mean())
            prior = self._prior(view, action)
            found.append(_candidate(action, top - behind, behind, error, len(lead), prior))
        return _sorted(found)

    def _run(
        self,
        view: View,
        actions: Sequence[Action],
        stages: Sequence[int],
        chance: Chance,
        *,
        sieve: bool,
    ) -> Floats | None:
        """Return the win probabilities: a row for each world, a column for each action.

        NaN means that the action was no longer compared. With ``sieve``, return None as soon as the
        position is unlikely to be a puzzle.
        """
        numbers = np.full((len(actions), MOST_NUMBERS), -1, np.int64)
        for place, action in enumerate(actions):
            sequence = numbers_of(action)
            numbers[place, : len(sequence)] = sequence
        roots = np.repeat(record_of(view)[None], len(actions), axis=0)
        results = np.full((stages[-1], len(actions)), np.nan)
        left: Ints = np.arange(len(actions))
        for done, worlds in pairwise((0, *stages)):
            words = [chance.word() for _ in range(worlds - done)]
            seeds = np.array(words, np.uint64).view(np.int64)
            results[done:worlds, left] = self._worlds.evaluate(
                roots[left], numbers[left], int(view.seat or 0), seeds
            )
            rows = results[:worlds, left]
            order = np.argsort(-rows.mean(0), kind="stable")
            leads = rows[:, order[0], None] - rows[:, order[1:]]
            means = leads.mean(0)
            errors = np.sqrt((leads.var(0) + _PRIOR_VARIANCE / worlds) / worlds)
            if sieve and _hopeless(rows[:, order[0]], means, errors):
                return None
            if worlds >= STAGES[0]:
                far = means - _SURE_TO_LEAD * errors > MARGIN / 100
                far[0] = False  # the closest rival stays to the end
                left = left[np.concatenate((order[:1], order[1:][~far]))]
        return results

    def _prior(self, view: View, action: Action) -> float:
        """Return the probability with which the network plays an action."""
        if view.turn != view.seat:
            return 0.0
        return _probability(self.network, record_of(view), numbers_of(action))


def similar_bids(view: View, answer: Action) -> list[Action]:
    """Return the bids that a player may try instead of an answer in an auction.

    They are all bids whose total differs by at most 1 from that of the answer. If the answer is to
    pass, the total of the lowest bid takes its place.
    """
    bids = view.options.bids
    if not bids or not isinstance(answer, Bid | Pass):
        return []
    total = worth(answer.cards) if isinstance(answer, Bid) else min(map(worth, bids))
    return [Bid(cards) for cards in bids if abs(worth(cards) - total) <= 1]


def _hopeless(best: Floats, means: Floats, errors: Floats) -> bool:
    mean, error = float(best.mean()), float(best.std()) / sqrt(len(best))
    if mean + _SURE_TO_FAIL * error < LEAST or mean - _SURE_TO_FAIL * error > MOST:
        return True
    return bool(np.any(means + _SURE_TO_FAIL * errors < MARGIN / 100))


def _candidate(  # noqa: PLR0913, PLR0917
    action: Action, value: float, behind: float, error: float, worlds: int, prior: float
) -> Candidate:
    return Candidate(
        action=write_action(action),
        win_probability=round(min(max(value, 0.0), 1.0), 4) + 0.0,
        behind=round(100 * behind, 2) + 0.0,
        standard_error=round(100 * error, 2) + 0.0,
        worlds=worlds,
        prior=round(prior, 4) + 0.0,
    )


def _sorted(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    return tuple(sorted(candidates, key=lambda one: (one.behind, -one.prior)))


def _deal_error(difference: float, sampled: int) -> float:
    """Return an upper bound on the standard error of a difference in a sample of deals."""
    return sqrt(difference * (1 - difference) / sampled) if sampled else 0.0


def _probability(network: Network, root: Record, numbers: Sequence[int]) -> float:
    """Return the probability with which the network plays these action numbers."""
    game, found = root.copy(), 1.0
    for number in numbers:
        found *= float(network.policy(game)[number])
        if found == 0 or number == numbers[-1]:
            break
        step(game, number)
    return found


def _seed(text: str, seed: int) -> int:
    """Return the seed of the worlds of a position."""
    text = f"{text} {seed}" if seed else text
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")
