"""Sets, chances and possible plays by brute force, written from the rules for the check of reasons.

Nothing here uses the code that finds reasons, nor the shortcuts of :mod:`byzanz.rules.sets`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from byzanz.rules import (
    Action,
    Bid,
    Card,
    Cards,
    Chance,
    Discard,
    Give,
    Pass,
    Phase,
    State,
    View,
    apply,
    options,
    world,
)


def is_set(cards: Sequence[Card]) -> bool:
    """Return whether three cards are a set: one good and merchants, or three merchants (R5)."""
    return len(cards) == 3 and len({card.kind.name for card in cards} - {"MERCHANT"}) <= 1


def earned(cards: Sequence[Card]) -> int:
    """Return the profit of a set: its highest value, or 5 for three merchants (R5.1, R5.3)."""
    return max(card.worth for card in cards) or 5


@lru_cache(maxsize=100_000)
def most(hand: Cards) -> int:
    """Return the most profit of a hand, trying every set first."""
    found = {cards for cards in combinations(hand, 3) if is_set(cards)}
    return max([earned(cards) + most(minus(hand, cards)) for cards in found], default=0)


@lru_cache(maxsize=100_000)
def most_sets(hand: Cards) -> int:
    """Return the greatest number of sets of a hand, trying every set first."""
    found = {cards for cards in combinations(hand, 3) if is_set(cards)}
    return max([1 + most_sets(minus(hand, cards)) for cards in found], default=0)


def plus(*parts: Iterable[Card]) -> Cards:
    """Return all cards, sorted."""
    return tuple(sorted([card for part in parts for card in part]))


def minus(cards: Iterable[Card], some: Iterable[Card]) -> Cards:
    """Return the cards without some of them."""
    left = Counter(cards)
    left.subtract(Counter(some))
    assert min(left.values(), default=0) >= 0
    return tuple(sorted(left.elements()))


def within(some: Iterable[Card], cards: Iterable[Card]) -> bool:
    """Return whether the cards hold all of some, counting copies."""
    return Counter(some) <= Counter(cards)


def chance_of(values: tuple[int, ...], draws: int, needed: int) -> Fraction:
    """Return the probability that cards drawn one by one are worth at least so much."""
    counts = tuple([values.count(value) for value in range(5)])
    return _chance(counts, draws, max(needed, 0))


@lru_cache(maxsize=100_000)
def _chance(counts: tuple[int, ...], draws: int, needed: int) -> Fraction:
    if not needed:
        return Fraction(1)
    if not draws:
        return Fraction(0)
    total = Fraction(0)
    for value, count in enumerate(counts):
        if count:
            rest = (*counts[:value], count - 1, *counts[value + 1 :])
            total += count * _chance(rest, draws - 1, max(needed - value, 0))
    return total / sum(counts)


def any_world(view: View) -> State:
    """Return a state that agrees with the view."""
    return world(view, view.pool)


def unseen(view: View) -> list[Card]:
    """Return the unseen cards, collected from a state."""
    state = any_world(view)
    cards = [*state.deck, *state.removed]
    for seat, player in enumerate(state.players):
        if seat != view.seat:
            cards += player.hidden
    return cards


def won_with(view: View, seat: int, bid: Bid) -> State:
    """Return the state after the bid, when all others have passed."""
    state = apply(any_world(view), seat, bid)
    while state.phase is Phase.AUCTION:
        assert state.turn != seat
        state = apply(state, state.turn or 0, Pass())
    assert (state.phase, state.turn) == (Phase.GIVE, seat)
    return state


def gifts(state: State, seat: int) -> Iterator[tuple[Card, State]]:
    """Yield every card that the winner can give, and the state after it."""
    for card in sorted(set(state.offer)):
        yield card, apply(state, seat, Give(card))


def all_pass(view: View) -> State:
    """Return the state after everybody in the auction has passed."""
    state = any_world(view)
    offer = state.stack
    while state.phase is Phase.AUCTION and state.stack == offer:
        state = apply(state, state.turn or 0, Pass())
    return state


def comes_to_bid(view: View, seat: int, tries: int = 20) -> bool:
    """Return whether some course of play lets the seat bid: random play, with sales by nobody."""
    for number in range(tries):
        state, chance = any_world(view), Chance(number)
        while state.phase not in (Phase.FINAL_SALE, Phase.OVER):
            if state.phase is Phase.AUCTION and state.turn == seat:
                return True
            state = apply(state, state.turn or 0, _some_answer(state, chance))
    return False


def _some_answer(state: State, chance: Chance) -> Action:
    turn = state.turn or 0
    may = options(state, turn)
    if state.phase is Phase.AUCTION and may.bids and not chance.below(2):
        return Bid(may.bids[0])
    if state.phase is Phase.LIMIT:
        return Discard(state.players[turn].hand[0])
    return chance.choice(may.answers)
