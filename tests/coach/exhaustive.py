"""Exact values of positions where nobody else decides any more, by brute force on the rules.

    python -m tests.coach.exhaustive --positions 2000

compares the coach with them: the best action must agree in 99 % and its value within a point. Every
deal of the hidden cards is tried, and every way in which the seat can go on. Only the final sale of
the others follows :func:`byzanz.rules.best_sales`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from byzanz.coach.evaluation import Evaluator
from byzanz.notation import parse_action
from byzanz.rules import (
    Action,
    Bid,
    Chance,
    Deal,
    Game,
    Phase,
    Player,
    State,
    View,
    apply,
    best_sales,
    kept,
    options,
    profit,
    world,
)
from byzanz.rules.cards import without
from byzanz.rules.scoring import tie_break

MOST_DEALS = 2000
"""Positions with more deals of the hidden cards are left out, because brute force is slow."""


def shy_game(players: int, seed: int) -> Iterator[Game]:
    """Yield a random game in which some seats hardly ever bid, so that their cards stay hidden."""
    chance = Chance(seed)
    shyness = [chance.choice((2, 8, 1000)) for _ in range(players)]
    game = Game.start(Deal.from_seed(players, seed))
    while (seat := game.state.turn) is not None:
        yield game
        may = options(game.state, seat)
        if may.bids and chance.below(shyness[seat]) == 0:
            game = game.play(seat, Bid(chance.choice(may.bids)))
        else:
            game = game.play(seat, chance.choice(may.answers))


def last_positions(players: int, seed: int) -> Iterator[View]:
    """Yield the positions of a random game in which only the seat on turn decides."""
    for game in shy_game(players, seed):
        state = game.state
        seat = state.turn
        if seat is None or state.deck:
            continue
        last = (
            state.phase is Phase.FINAL_SALE
            or (state.phase is Phase.MARKET and state.takers == (seat,))
            or (state.phase is Phase.LIMIT and not state.stack and not state.takers)
        )
        if last and len(list(options(state, seat))) > 1:
            yield game.view(seat)


def deals(view: View) -> Iterator[State]:
    """Yield the state of every deal of the others' hidden cards, each as often as it occurs."""
    pool = view.pool
    needs = [player.unknown if seat != view.seat else 0 for seat, player in enumerate(view.players)]

    def choose(seat: int, left: tuple[int, ...], chosen: tuple[int, ...]) -> Iterator[State]:
        if seat == len(needs):
            yield world(view, [pool[at] for at in (*chosen, *left)])
            return
        for some in combinations(left, needs[seat]):
            rest = tuple(at for at in left if at not in some)
            yield from choose(seat + 1, rest, (*chosen, *some))

    yield from choose(0, tuple(range(len(pool))), ())


def deal_count(view: View) -> int:
    """Return how many deals :func:`deals` yields."""
    count, left = 1, len(view.pool)
    for seat, player in enumerate(view.players):
        if seat != view.seat:
            for used in range(player.unknown):
                count = count * (left - used) // (used + 1)
            left -= player.unknown
    return count


def final_rank(player: Player) -> tuple[int, int]:
    """Return what decides the win for a player (R7.2), after the best final sale."""
    hand, earned = player.hand, profit(player.kept)
    for sale in () if player.done else best_sales(hand, last=True):
        hand = without(hand, sale.cards)
        earned += profit([kept(sale.cards)])
    return earned, tie_break(hand)


def ends(state: State, seat: int, seen: set[State]) -> Iterator[State]:
    """Yield every state that the seat can reach once it has nothing more to decide."""
    if state in seen:
        return
    seen.add(state)
    if state.phase is Phase.OVER or state.players[seat].done:
        yield state
        return
    for action in options(state, seat):
        yield from ends(apply(state, seat, action), seat, seen)


def values(view: View) -> dict[Action, Fraction]:
    """Return the exact win probability of each action."""
    seat = view.seat
    assert seat is not None
    # What the seat can reach does not depend on the hidden cards, so one deal shows it.
    first = next(deals(view))
    reached = {
        action: {
            (profit(end.players[seat].kept), tie_break(end.players[seat].hand))
            for end in ends(apply(first, seat, action), seat, set())
        }
        for action in view.options
    }
    shares = dict.fromkeys(set().union(*reached.values()), Fraction())
    count = 0
    for state in deals(view):
        count += 1
        others = [final_rank(one) for at, one in enumerate(state.players) if at != seat]
        for own in shares:
            if own >= max(others):
                shares[own] += Fraction(1, 1 + others.count(own))
    return {action: max(shares[own] for own in ranks) / count for action, ranks in reached.items()}


def compare(
    players: int, seed: int, evaluator: Evaluator, most_deals: int = MOST_DEALS
) -> Iterator[tuple[bool, float, View]]:
    """Yield for each position whether the coach's best action is best, and the value's error."""
    for view in last_positions(players, seed):
        if deal_count(view) > most_deals or len(view.hand) > 10:
            continue
        exact = values(view)
        best = evaluator.evaluate(view).best
        assert best.action is not None
        right = exact[parse_action(best.action)] == max(exact.values())
        yield right, abs(best.win_probability - float(max(exact.values()))), view


def _line(found: int, right: int, worst: float) -> str:
    return f"{found} positions: {right} right, largest error {100 * worst:.2f} points\n"


def main() -> int:
    """Compare the coach with brute force; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=2000)
    wanted = parser.parse_args().positions
    evaluator, chance = Evaluator(), Chance(1)
    found = right = 0
    worst = 0.0
    while found < wanted:
        for agrees, error, _ in compare(3 + chance.below(4), chance.below(1 << 30), evaluator):
            found, right, worst = found + 1, right + agrees, max(worst, error)
            if found % 50 == 0:
                sys.stdout.write(_line(found, right, worst))
                sys.stdout.flush()
    sys.stdout.write(_line(found, right, worst))
    return 0 if right >= 0.99 * found and worst <= 0.01 else 1


if __name__ == "__main__":
    sys.exit(main())
