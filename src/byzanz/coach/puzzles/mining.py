"""Mining of puzzles: search games for positions in which one action is clearly the best.

A position is given up as soon as it can hardly be a puzzle. Most positions are given up after 8
sampled worlds. So most of the time is spent on the few whose actions are compared in 2,000 worlds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from functools import cache
from itertools import islice, takewhile
from time import time
from typing import NamedTuple

from byzanz.arena import game_seed, seeded_match
from byzanz.arena.workers import run_stoppable, worker_pool
from byzanz.bots import LEVELS
from byzanz.notation import parse_view, write_view
from byzanz.rules import Chance, Deal, Game, Phase, View, branch

from .difficulty import difficulty_of, fares_of, is_trivial, level_choices
from .proof import LEAST, MARGIN, MOST, SIEVE, STAGES, Comparer, is_proved, similar_bids
from .puzzle import VERSION, Origin, Puzzle, puzzle_id
from .themes import tags_of, theme_of

_PENDING = 2
"""The number of games that are given to each process at a time."""
_RESERVE = 1.0
"""By how many standard errors a lead must exceed the margin, as selected leads are often lucky."""
_PLAYERS, _SEATS = 1, 2
"""Branches of a game's seed."""
_BOTS = (*LEVELS[:9], "emperor")
"""The bots of self-play: the levels without look-ahead, and the network itself."""


class Source(NamedTuple):
    """A game to search: a given one, or one that bots play from a seed."""

    seed: int
    players: int
    game: Game | None = None


class Mined(NamedTuple):
    """What was found in a game."""

    decisions: int
    puzzles: tuple[Puzzle, ...]


def self_play(games: int, seed: int, players: Sequence[int]) -> Iterator[Source]:
    """Yield games between bots; the seed decides the deals, the numbers of players and the bots."""
    for number in range(games):
        own = game_seed(seed, number)
        yield Source(own, Chance(branch(own, _PLAYERS)).choice(players))


def mine(sources: Iterable[Source], jobs: int = 1, until: float | None = None) -> Generator[Mined]:
    """Search games and yield what was found, in the order of the games.

    The number of processes does not change the result. ``until`` is the time, in seconds since the
    epoch, at which the search ends. Closing the iterator stops the processes. Raises WorkersLost if
    a process is killed.
    """
    sources = takewhile(lambda _: until is None or time() < until, sources)
    if jobs == 1:
        yield from (mine_game(source, until) for source in sources)
        return
    waiting = iter(sources)
    with worker_pool(jobs) as pool:
        pending: deque[Future[Mined]] = deque()
        while True:
            for source in islice(waiting, _PENDING * jobs - len(pending)):
                pending.append(pool.submit(run_stoppable, mine_game, source, until))
            if not pending:
                break
            yield pending.popleft().result()


def mine_game(source: Source, until: float | None = None) -> Mined:
    """Search one game until a time; find at most one puzzle in each auction and each market."""
    bots: tuple[str, ...] = ()
    game = source.game
    if game is None:
        chance = Chance(branch(source.seed, _SEATS))
        bots = tuple(chance.choice(_BOTS) for _ in range(source.players))
        game = seeded_match(source.players, source.seed, bots)
    found: dict[tuple[object, ...], Puzzle] = {}
    decisions = 0
    for number, view in _turns(game):
        place = view.round, view.phase is Phase.MARKET, view.stack
        if until is not None and time() > until:
            break
        if place in found:
            continue
        decisions += 1
        origin = Origin(
            players=source.players,
            number=number,
            seed=source.seed if source.game is None else None,
            bots=bots,
        )
        puzzle = examine(view, origin)
        if puzzle is not None:
            found[place] = puzzle
    return Mined(decisions, tuple(found.values()))


def examine(view: View, origin: Origin) -> Puzzle | None:
    """Return the puzzle in a position; None if it is trivial or decided, or has no clear answer."""
    comparer = _comparer()
    actions = comparer.likely_actions(view)
    if len(actions) < 2:
        return None
    first = comparer.compare(view, actions, SIEVE, sieve=True)
    best = first and first[0].parsed()
    if not first or not best:
        return None
    text = write_view(view)
    choices = level_choices(view, origin.number)
    fares = fares_of(choices, best)
    if is_trivial(fares, first[0].prior):
        return None
    chosen = [action for each in choices for action in each]
    actions = list(dict.fromkeys([*actions, *chosen, *similar_bids(view, best)]))
    found = comparer.compare(view, actions, STAGES, sieve=True)
    if not found or found[0].action != first[0].action or not is_proved(found):
        return None
    second = found[1].parsed()
    if second is None or found[1].behind - _RESERVE * found[1].standard_error < MARGIN:
        return None
    if not LEAST <= found[0].win_probability <= MOST:
        return None
    return Puzzle(
        version=VERSION,
        id=puzzle_id(text),
        position=text,
        answer=found[0].action or "",
        candidates=found,
        theme=theme_of(view, best, second),
        difficulty=difficulty_of(fares),
        fares=fares,
        origin=origin,
        network=comparer.network.weights.checksum,
        exact=found[0].worlds == 0,
        tags=tags_of(view, (best, second)),
    )


def _turns(game: Game) -> Iterator[tuple[int, View]]:
    """For each action that was played in turn, yield its number and the player's view before it.

    The views have no events.
    """
    then = Game.start(game.deal)
    for number, played in enumerate(game.plays, start=1):
        if then.state.turn == played.seat and then.state.phase is not Phase.OVER:
            yield number, parse_view(write_view(then.view(played.seat)))
        then = then.play(played.seat, played.action)


def prepare() -> None:
    """Compile the code of the search, so that the processes find it in the cache."""
    view = Game.start(Deal.from_seed(players=3, seed=0)).view(0)
    _comparer().compare(view, _comparer().likely_actions(view)[:2], (2,))
    level_choices(view, 0)


@cache
def _comparer() -> Comparer:
    """Return the comparer of this process."""
    return Comparer()
