"""Review of a game: what each decision of a seat lost, and why the game ended as it did.

``docs/coach.md`` defines marks, stars and accuracy. A decision is judged by what the seat knew at
the time, so the review of a game in play tells the seat nothing new about hidden cards.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from math import exp
from typing import TYPE_CHECKING

from byzanz.network import Network
from byzanz.notation import Record, write_action
from byzanz.rules import Action, Game, View
from byzanz.search.batched_worlds import BatchedWorlds

from .evaluation import DEFAULT_WORLDS, Evaluator, has_choice
from .luck import LuckMeter
from .results import VERSION, Decision, Evaluation, Luck, Mark, Point, Review, SeatReview

if TYPE_CHECKING:
    from byzanz.network.torch_forward import SharedForward

MARKS: tuple[tuple[float, Mark], ...] = ((8.0, "blunder"), (4.0, "mistake"), (2.0, "inaccuracy"))
"""The least loss for each mark, in points."""
_SURE_ERRORS = 3.0
"""A loss counts as certain if it exceeds this number of standard errors."""
_STAR_PRIOR, _STAR_LEAD = 0.2, 2.0
"""The highest prior of a starred action, and its least lead over the network's favourite."""
_ACCURACY_SCALE = 4.0
"""The mean loss, in points with four players, at which the accuracy falls to 100 / e."""

_GPU_THREADS = 16
"""The number of decisions whose playouts share the forward passes of a GPU."""

Progress = Callable[[int, int], None]
"""Called with the number of finished decisions and the number of all."""


class Reviewer:
    """Reviews games with one network. Only one thread may use it."""

    def __init__(
        self, network: Network | None = None, *, device: str = "cpu", threads: int | None = None
    ) -> None:
        """Create a reviewer; without a network it uses the one in the package.

        ``device`` is ``"cpu"`` for the compiled network, or a device of PyTorch such as ``"cuda"``.
        Raises ValueError if the machine does not have this device.
        """
        self._network = network or Network.load()
        self._forward: SharedForward | None = None
        if device != "cpu":
            # Imported here, because it loads PyTorch.
            from byzanz.network.torch_forward import SharedForward  # noqa: PLC0415

            self._forward = SharedForward(self._network.weights, device)
        self._threads = threads or (_cores() if self._forward is None else _GPU_THREADS)
        self._local = threading.local()
        self._meter = LuckMeter(self._network, self._worlds())

    def review(
        self,
        game: Game | Record,
        seats: Iterable[int] | None = None,
        *,
        worlds: int = DEFAULT_WORLDS,
        progress: Progress | None = None,
    ) -> Review:
        """Review a game; see :func:`byzanz.coach.review`."""
        game = game.game if isinstance(game, Record) else game
        players = len(game.state.players)
        chosen = tuple(sorted(set(range(players) if seats is None else seats)))
        for seat in chosen:
            if not 0 <= seat < players:
                raise ValueError(f"there is no seat {seat} at a table of {players}")
        decisions = self._decisions(game, chosen, worlds, progress)
        found = tuple(
            _seat_review(game, seat, [one for at, one in decisions if at == seat])
            for seat in chosen
        )
        curve: tuple[Point, ...] = ()
        if game.over:
            start = [float(share) for share in self._meter.start(players)]
            found = _with_luck(game, found, start, [float(each) for each in self._meter.luck(game)])
            if len(chosen) == players:
                curve = _own_curve(game, decisions, start)
        checksum = self._network.weights.checksum
        return Review(VERSION, checksum, worlds, players, len(game.plays), found, curve)

    def _worlds(self) -> BatchedWorlds:
        if self._forward is None:
            return BatchedWorlds(self._network)
        from byzanz.search.gpu_worlds import GpuWorlds  # noqa: PLC0415 - it loads PyTorch

        return GpuWorlds(self._network, self._forward)

    def _judge(
        self, worlds: int, number: int, seat: int, view: View, action: Action
    ) -> tuple[int, Decision]:
        if not hasattr(self._local, "evaluator"):
            self._local.evaluator = Evaluator(worlds=self._worlds())
        evaluation = self._local.evaluator.evaluate(view, worlds=worlds, include=[action])
        return seat, _decision(number, view, evaluation, write_action(action))

    def _decisions(
        self, game: Game, seats: Sequence[int], worlds: int, progress: Progress | None
    ) -> list[tuple[int, Decision]]:
        """Return each decision with its seat, in the order of the game."""
        turns = [turn for turn in _turns(game, seats) if has_choice(turn[2], turn[3])]
        with ThreadPoolExecutor(self._threads) as pool:
            tasks = [pool.submit(self._judge, worlds, *turn) for turn in turns]
            try:
                for done, task in enumerate(as_completed(tasks), start=1):
                    task.result()
                    if progress is not None:
                        progress(done, len(tasks))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return [task.result() for task in tasks]


def review_game(  # noqa: PLR0913
    game: Game | Record,
    seats: Iterable[int] | None = None,
    *,
    worlds: int = DEFAULT_WORLDS,
    jobs: int | None = None,
    progress: Progress | None = None,
    network: Network | None = None,
    device: str = "cpu",
) -> Review:
    """Review a game; see :func:`byzanz.coach.review`. ``jobs`` is the number of threads."""
    reviewer = Reviewer(network, device=device, threads=jobs)
    return reviewer.review(game, seats, worlds=worlds, progress=progress)


def mark_for(loss: float, standard_error: float) -> Mark | None:
    """Return the mark of a loss in points; None if it is small or not certain."""
    if loss <= _SURE_ERRORS * standard_error:
        return None
    return next((mark for least, mark in MARKS if loss >= least), None)


def is_star(evaluation: Evaluation, played: str) -> bool:
    """Return whether the played action is the best one and was hard to find.

    The network rarely chooses it, and the action that the network likes most is clearly worse.
    """
    favourite = max(evaluation.candidates, key=lambda one: one.prior)
    return (
        evaluation.best.action == played
        and evaluation.best.prior <= _STAR_PRIOR
        and favourite.behind >= max(_STAR_LEAD, _SURE_ERRORS * favourite.standard_error)
    )


def accuracy_of(losses: Sequence[float], players: int) -> float:
    """Return the accuracy, from 0 to 100, of a player with these losses in points."""
    if not losses:
        return 100.0
    mean = sum(losses) / len(losses) * players / 4
    return round(100 * exp(-mean / _ACCURACY_SCALE), 1)


def _cores() -> int:
    """Return the number of threads: one for each core, but no more than four."""
    return min(os.cpu_count() or 1, 4)


def _turns(game: Game, seats: Sequence[int]) -> Iterator[tuple[int, int, View, Action]]:
    """Yield each action of these seats: its number, the seat, the seat's view and the action."""
    then = Game.start(game.deal)
    for number, played in enumerate(game.plays, start=1):
        if played.seat in seats:
            yield number, played.seat, then.view(played.seat), played.action
        then = then.play(played.seat, played.action)


def _decision(number: int, view: View, evaluation: Evaluation, played: str) -> Decision:
    candidate = evaluation.candidate(played)
    return Decision(
        number=number,
        round=view.round,
        phase=view.phase.value,
        evaluation=evaluation,
        played=played,
        loss=candidate.behind,
        standard_error=candidate.standard_error,
        mark=mark_for(candidate.behind, candidate.standard_error),
        star=is_star(evaluation, played),
    )


def _shares(game: Game) -> tuple[float, ...]:
    """Return each seat's share of the win."""
    winners = game.result.winners
    return tuple(
        1 / len(winners) if seat in winners else 0.0 for seat in range(len(game.state.players))
    )


def _seat_review(game: Game, seat: int, decisions: Sequence[Decision]) -> SeatReview:
    curve = [Point(one.number - 1, one.evaluation.outlook) for one in decisions]
    if game.over:
        curve.append(Point(len(game.plays), _shares(game)))
    losses = [one.loss for one in decisions]
    accuracy = accuracy_of(losses, len(game.state.players))
    return SeatReview(seat, tuple(decisions), accuracy, tuple(curve))


def _with_luck(
    game: Game, reviews: Sequence[SeatReview], start: Sequence[float], luck: Sequence[float]
) -> tuple[SeatReview, ...]:
    """Return the reviews with each seat's result split into luck, own losses and the rest."""
    ends = _shares(game)
    found = []
    for one in reviews:
        before, end = 100 * start[one.seat], 100 * ends[one.seat]
        cards, own = 100 * luck[one.seat], -one.loss
        split = Luck(before, end, cards, own, end - before - cards - own)
        found.append(SeatReview(one.seat, one.decisions, one.accuracy, one.curve, split))
    return tuple(found)


def _own_curve(
    game: Game, decisions: Sequence[tuple[int, Decision]], start: Sequence[float]
) -> tuple[Point, ...]:
    """Return the curve of all seats' win probabilities, each as the seat itself estimated it last.

    Before a decision, the estimate is the win probability of the best action; after it, that of the
    played action. At each point, the estimates of all seats are scaled to add up to 1.
    """
    latest = list(start)
    points = [Point(0, tuple(start))]
    for seat, decision in decisions:
        latest[seat] = decision.evaluation.best.win_probability
        total = sum(latest) or 1.0
        points.append(
            Point(decision.number - 1, tuple([round(each / total, 6) for each in latest]))
        )
        latest[seat] = decision.candidate.win_probability
    points.append(Point(len(game.plays), _shares(game)))
    return tuple(points)
