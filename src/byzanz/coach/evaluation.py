"""Evaluation of a position: the win probability of every serious candidate, from one view alone.

All candidates are tried in the same sampled worlds, and their results are compared world by world.
Candidates that are clearly worse drop out, so that the worlds are spent on those that matter. Once
no other player has a decision left, the result is exact (:mod:`byzanz.coach.endgame`). The seed
comes from the text of the position, so two deals that look the same to the seat have the same
evaluation.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from hashlib import sha256
from math import ceil, sqrt
from time import perf_counter

import numpy as np

from byzanz.encoding import NUMBERS, Moment, numbers_of
from byzanz.fast import rows_of, step, to_record
from byzanz.fast.convert import record_of
from byzanz.fast.layout import Floats, Ints, Record
from byzanz.network import Network
from byzanz.network.forward import MOST_NUMBERS, write_choice_mask
from byzanz.network.network import action_for
from byzanz.notation import write_action, write_view
from byzanz.rules import Action, Chance, Phase, Sell, View, apply, world
from byzanz.search.batched_worlds import BatchedWorlds
from byzanz.search.network_evaluator import contenders, most_probable

from .endgame import Endgame, solve
from .results import Candidate, Evaluation

DEFAULT_WORLDS = 128
"""The most worlds in which a candidate is tried, by default."""
_FIRST_WORLDS = 16
"""The number of worlds before the first candidates drop out; later stages double it."""
_NEGLIGIBLE = 0.003
"""The search ends early if the best candidate leads every other one by less than this."""
_SMALLEST_PRIOR = 1e-6


class Evaluator:
    """Evaluates positions with one network. It is not thread-safe."""

    def __init__(self, network: Network | None = None, worlds: BatchedWorlds | None = None) -> None:
        """Create an evaluator; without a network it uses the one in the package.

        ``worlds`` is the object that runs the playouts; to use a GPU, pass a
        :class:`~byzanz.search.gpu_worlds.GpuWorlds`, which has its own network.
        """
        self._worlds = worlds or BatchedWorlds(network or Network.load())

    def evaluate(
        self,
        view: View,
        *,
        worlds: int = DEFAULT_WORLDS,
        seconds: float | None = None,
        include: Iterable[Action] = (),
        seed: int | None = None,
    ) -> Evaluation:
        """Evaluate the candidates of the viewer.

        A candidate is tried in at most ``worlds`` worlds. With ``seconds``, the search also ends
        after that time. The actions of ``include`` are always candidates and never drop out. If it
        is not the viewer's turn, the candidates are to wait and to sell one of the sets in
        ``include``. Raises ValueError if there is no such set, if the viewer is a spectator, and if
        the game is over.
        """
        if view.seat is None or view.phase is Phase.OVER:
            raise ValueError("expected the view of a seat in a game that is not over")
        included = list(dict.fromkeys(include))
        text = write_view(view)
        seed = _seed(text) if seed is None else seed
        solved = solve(view, seed)
        if solved is not None:
            return self._solved(view, text, solved)
        options = _Options.of(view, included, self._worlds.network)
        if not options.actions:
            raise ValueError("expected a viewer who is to act, or a set to sell out of turn")
        self._worlds.forget()
        results = self._run(options, view.seat, worlds, Chance(seed), _Clock(seconds))
        return self._evaluation(view, text, options, results)

    def _run(
        self, options: _Options, seat: int, worlds: int, chance: Chance, clock: _Clock
    ) -> Floats:
        """Try the candidates and return the win probabilities.

        They have a row for each world and a column for each candidate. NaN means that the candidate
        was not tried in the world.
        """
        count = len(options.actions)
        results = np.full((worlds, count), np.nan)
        left: Ints = np.arange(count)
        done, most = 0, count
        while done < worlds:
            more = min(max(done, _FIRST_WORLDS), worlds - done)
            seeds = np.array([chance.word() for _ in range(more)], np.uint64).view(np.int64)
            results[done : done + more, left] = self._worlds.evaluate(
                options.roots[left], options.numbers[left], seat, seeds
            )
            done += more
            most = max(ceil(most / 2), 2)
            left = _survivors(results[:done], left, options, most)
            if len(left) == 1 or _settled(results[:done, left]) or clock.ends(after=2.0):
                break
        return results[:done]

    def _evaluation(self, view: View, text: str, options: _Options, results: Floats) -> Evaluation:
        tried = ~np.isnan(results)
        longest = np.flatnonzero(tried.sum(0) == len(results))
        scores = contenders(results[:, longest], options.log_prior[longest])
        best = int(longest[scores[0]])
        top = float(results[:, best].mean())
        candidates = []
        for place, action in enumerate(options.actions):
            lead = (results[:, best] - results[:, place])[tried[:, place]]
            behind = min(max(float(lead.mean()), 0.0), top)
            error = float(lead.std(ddof=1)) / sqrt(len(lead)) if len(lead) > 1 else 0.0
            candidates.append(
                Candidate(
                    action=None if action is None else write_action(action),
                    win_probability=_rounded(top - behind, 6),
                    behind=_rounded(100 * behind, 4),
                    standard_error=_rounded(100 * error, 4),
                    worlds=len(lead),
                    prior=_rounded(options.prior[place], 6),
                )
            )
        first = candidates.pop(best)
        candidates.sort(key=lambda one: -one.win_probability)
        outlook = _outlook(self._worlds.network, view, top)
        return Evaluation(text, int(view.seat or 0), (first, *candidates), outlook)

    def _solved(self, view: View, text: str, solved: Endgame) -> Evaluation:
        prior = _priors(self._worlds.network, view, list(solved.values))
        best = max(solved.values.values())
        found = [
            Candidate(
                write_action(action),
                _rounded(value, 6),
                _rounded(100 * (best - value), 4),
                _sampling_error(best - value, solved.sampled),
                solved.sampled,
                _rounded(prior[action], 6),
            )
            for action, value in solved.values.items()
        ]
        found.sort(key=lambda one: (one.behind, -one.prior))
        exact = not solved.sampled
        return Evaluation(text, int(view.seat or 0), tuple(found), solved.outlook, exact)


def has_choice(view: View, played: Action) -> bool:
    """Return whether the viewer had a choice, that is, another sensible action.

    The sensible actions are those that the network considers. Out of turn and in the final sale,
    the viewer has a choice if there is a set to sell.
    """
    if view.turn != view.seat or view.phase is Phase.FINAL_SALE:
        return len(view.options.sales) > 0
    mask = np.zeros(NUMBERS, np.uint8)
    write_choice_mask(record_of(view), mask)
    return int(mask.sum()) > 1 or not mask[numbers_of(played)[0]]


def _sampling_error(difference: float, sampled: int) -> float:
    """Return an upper bound on the standard error of a difference in a sample, in points."""
    if not sampled:
        return 0.0
    return _rounded(100 * sqrt(difference * (1 - difference) / sampled), 4)


def network_name(network: Network | None = None) -> str:
    """Return the checksum of a network's weights; by default, of the network in the package."""
    return (network or Network.load()).weights.checksum


_local = threading.local()


def evaluate(
    view: View,
    *,
    worlds: int = DEFAULT_WORLDS,
    seconds: float | None = None,
    include: Iterable[Action] = (),
    network: Network | None = None,
) -> Evaluation:
    """Evaluate the candidates of the viewer; see :meth:`Evaluator.evaluate`."""
    if network is not None:
        return Evaluator(network).evaluate(view, worlds=worlds, seconds=seconds, include=include)
    if not hasattr(_local, "evaluator"):
        _local.evaluator = Evaluator()
    evaluator: Evaluator = _local.evaluator
    return evaluator.evaluate(view, worlds=worlds, seconds=seconds, include=include)


class _Options:
    """The candidates of a decision, as the compiled functions need them."""

    def __init__(
        self,
        actions: Sequence[Action | None],
        roots: Record,
        sequences: Sequence[Sequence[int]],
        prior: Sequence[float],
        included: Iterable[Action],
    ) -> None:
        self.actions = actions
        self.roots = roots
        self.numbers = np.full((len(actions), MOST_NUMBERS), -1, np.int64)
        for place, numbers in enumerate(sequences):
            self.numbers[place, : len(numbers)] = numbers
        self.prior = prior
        self.log_prior = np.log(np.maximum(np.array(prior), _SMALLEST_PRIOR))
        kept = set(included)
        self.included = [place for place, action in enumerate(actions) if action in kept]

    @classmethod
    def of(cls, view: View, included: Sequence[Action], network: Network) -> _Options:
        """Return the candidates in a position."""
        root = record_of(view)
        if view.turn != view.seat:
            return cls._out_of_turn(view, included, root)
        sequences, prior = most_probable(network, root)
        actions = [action_for(numbers) for numbers in sequences]
        for action in included:
            if action not in actions:
                actions.append(action)
                sequences.append(list(numbers_of(action)))
                prior.append(_prior(network, root, sequences[-1]))
        roots = np.repeat(root[None], len(actions), axis=0)
        return cls(actions, roots, sequences, prior, included)

    @classmethod
    def _out_of_turn(cls, view: View, included: Sequence[Action], root: Record) -> _Options:
        """Return the candidates of a seat when it is not its turn: to wait, or to sell a set."""
        sales = [action for action in included if isinstance(action, Sell)]
        if not sales or view.seat is None:
            return cls([], root[None][:0], [], [], [])
        state = world(view, view.pool)
        after = [rows_of(to_record(Moment(apply(state, view.seat, sale))))[0] for sale in sales]
        prior = [1.0] + [0.0] * len(sales)  # the network never sells out of turn
        return cls([None, *sales], np.stack([root, *after]), [()] * len(prior), prior, sales)


class _Clock:
    """The time that an evaluation may take."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._start = perf_counter()

    def ends(self, after: float) -> bool:
        """Return whether ``after`` times the time used so far is more than the allowed time."""
        return self._seconds is not None and (
            (perf_counter() - self._start) * after > self._seconds
        )


def _survivors(results: Floats, left: Ints, options: _Options, most: int) -> Ints:
    """Return the candidates that stay: the best ones, and those that never drop out."""
    order = contenders(results[:, left], options.log_prior[left])[:most]
    stay: Ints = left[order]
    kept = [place for place in options.included if place not in stay]
    return np.concatenate((stay, np.array(kept, np.int64)))


def _settled(results: Floats) -> bool:
    """Return whether the best candidate's lead over every other one is negligible."""
    best = int(results.mean(0).argmax())
    leads = np.delete(results[:, [best]] - results, best, axis=1)
    means, errors = leads.mean(0), leads.std(0) / sqrt(len(leads))
    return bool(np.all(means + 2 * errors < _NEGLIGIBLE))


def _seed(text: str) -> int:
    """Return the seed of the worlds of a position."""
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def _prior(network: Network, root: Record, numbers: Sequence[int]) -> float:
    """Return the probability with which the network plays these action numbers."""
    game, found = root.copy(), 1.0
    for number in numbers:
        found *= float(network.policy(game)[number])
        if found == 0:
            break
        if number != numbers[-1]:
            step(game, number)
    return found


def _priors(network: Network, view: View, actions: Sequence[Action]) -> dict[Action, float]:
    """Return the network's probabilities of actions that take one action number each."""
    if view.turn != view.seat:
        return dict.fromkeys(actions, 0.0)
    policy = network.policy(record_of(view))
    return {action: float(policy[numbers_of(action)[0]]) for action in actions}


def _outlook(network: Network, view: View, own: float) -> tuple[float, ...]:
    """Return every seat's win probability, given the viewer's own.

    The network's estimates of the other seats are scaled, so that all add up to 1.
    """
    seat, players = int(view.seat or 0), len(view.players)
    estimates = network.estimate(view)
    others = sum(estimates) - estimates[seat]
    scale = (1 - own) / others if others > 0 else 0.0
    return tuple(_rounded(own if at == seat else estimates[at] * scale, 6) for at in range(players))


def _rounded(value: float, digits: int) -> float:
    """Round a value so that its stored text is short; never return a negative zero."""
    return round(value, digits) + 0.0
