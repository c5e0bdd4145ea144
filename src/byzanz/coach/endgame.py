"""Exact win probabilities once no other player has a decision left.

These positions are the last pick of the last market, the hand limit after it, and the final sale.
What a seat can still reach does not depend on the others, and each of the others will sell as well
as possible. So only the hidden cards are unknown, and all ways to deal them are counted. If there
are too many ways, a sample of them is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import comb, prod

from byzanz.rules import (
    Action,
    Card,
    Cards,
    Chance,
    Discard,
    Done,
    Phase,
    SeatView,
    Sell,
    Take,
    View,
    best_sales,
    in_order,
    kept,
    profit,
)
from byzanz.rules.cards import without
from byzanz.rules.scoring import tie_break
from byzanz.rules.setup import HAND_LIMIT

MOST_DEALS = 100_000
"""The most deals of the hidden cards that are all counted; if there are more, some are sampled."""
_SAMPLE = 4000
"""The number of deals in a sample."""

Rank = tuple[int, int]
"""What decides the win (R7.2): the profit, then the goods cards left in hand."""


@dataclass(frozen=True, slots=True)
class Endgame:
    """A solved position."""

    values: Mapping[Action, float]
    """The win probability after each legal action; a shared win counts in part."""
    outlook: tuple[float, ...]
    """Every seat's win probability, by seat, if the viewer plays the best action."""
    sampled: int
    """The number of sampled deals; 0 if all deals were counted."""


def solve(view: View, seed: int = 0, most_deals: int = MOST_DEALS) -> Endgame | None:
    """Solve a position for the viewer; return None if other players still have decisions.

    If there are more than ``most_deals`` deals of the hidden cards, some are sampled with ``seed``.
    """
    seat = view.seat
    if seat is None or not _nobody_else_decides(view, seat):
        return None
    deals, sampled = _all_deals(view, seat, most_deals), 0
    if deals is None:
        deals, sampled = _some_deals(view, seat, Chance(seed)), _SAMPLE
    total = sum(deals.values())
    ranks = {action: _rank_after(view, seat, action) for action in view.options}
    shares = {
        rank: sum(_share(rank, others) * count for others, count in deals.items()) / total
        for rank in set(ranks.values())
    }
    values = {action: shares[rank] for action, rank in ranks.items()}
    best = max(ranks.values())
    outlook = [0.0] * len(view.players)
    for others, count in deals.items():
        all_ranks = [*others[:seat], best, *others[seat:]]
        top = max(all_ranks)
        winners = [at for at, rank in enumerate(all_ranks) if rank == top]
        for winner in winners:
            outlook[winner] += count / total / len(winners)
    return Endgame(values, tuple(outlook), sampled)


def _nobody_else_decides(view: View, seat: int) -> bool:
    if view.phase is Phase.FINAL_SALE:
        return not view.players[seat].done
    if view.deck_size or view.turn != seat:
        return False
    if view.phase is Phase.MARKET:
        return view.takers == (seat,)
    # After the limit, the next taker takes unless the market is empty (I4).
    return view.phase is Phase.LIMIT and not view.stack and not (view.takers and view.market)


def _rank_after(view: View, seat: int, action: Action) -> Rank:
    """Return the best rank that the viewer can reach after an action."""
    hand, earned = view.hand, profit(view.players[seat].kept)
    match action:
        case Take():
            taken = tuple([card for card in view.market if card.kind is action.kind])
            return _best_rank(in_order(hand + taken), earned)
        case Discard():
            return _best_rank(without(hand, (action.card,)), earned)
        case Sell():
            rest = without(hand, action.cards)
            return _best_rank(rest, earned + profit([kept(action.cards)]))
        case Done():
            return earned, tie_break(hand)
        case _:
            raise ValueError(f"{action} cannot be played in {view.phase.value}")


@lru_cache(maxsize=1 << 14)
def _best_rank(hand: Cards, earned: int) -> Rank:
    """Return the rank after the best sales.

    A hand above the limit (R6.1) costs no profit, because its sets can be sold at the limit, too.
    Of the rest, merchants are discarded first.
    """
    sales = best_sales(hand, last=True)
    rest = hand
    for sale in sales:
        rest = without(rest, sale.cards)
        earned += profit([kept(sale.cards)])
    return earned, min(tie_break(rest), HAND_LIMIT)


def _share(rank: Rank, others: Sequence[Rank]) -> float:
    """Return the share of the win that this rank gets against the others' ranks (I3)."""
    top = max(others)
    if rank < top:
        return 0.0
    return 1.0 if rank > top else 1 / (1 + others.count(rank))


def _final_rank(player: SeatView, hidden: Cards) -> Rank:
    """Return the final rank of another seat with these hidden cards."""
    hand = in_order(player.known + hidden)
    earned = profit(player.kept)
    return (earned, tie_break(hand)) if player.done else _best_rank(hand, earned)


def _some_deals(view: View, seat: int, chance: Chance) -> dict[tuple[Rank, ...], int]:
    """Return how many sampled deals of the hidden cards give the other seats each set of ranks."""
    pool = list(view.pool)
    counts: dict[tuple[Rank, ...], int] = {}
    for _ in range(_SAMPLE):
        chance.shuffle(pool)
        rest = iter(pool)
        ranks = tuple(
            _final_rank(player, in_order(islice(rest, player.unknown)))
            for at, player in enumerate(view.players)
            if at != seat
        )
        counts[ranks] = counts.get(ranks, 0) + 1
    return counts


def _all_deals(view: View, seat: int, most: int) -> dict[tuple[Rank, ...], int] | None:
    """Return how many deals of the hidden cards give the other seats each set of ranks.

    Returns None if there are more than ``most`` different deals.
    """
    pool = Counter(view.pool)
    others = [at for at in range(len(view.players)) if at != seat]
    size = prod(_hand_count(pool, view.players[at].unknown) for at in others)
    if size > most:
        return None
    counts: dict[tuple[Rank, ...], int] = {}

    def deal(place: int, ranks: tuple[Rank, ...], ways: int) -> None:
        if place == len(others):
            counts[ranks] = counts.get(ranks, 0) + ways
            return
        player = view.players[others[place]]
        for hidden, hand_ways in list(_hands(pool, player.unknown)):
            pool.subtract(hidden)
            deal(place + 1, (*ranks, _final_rank(player, hidden)), ways * hand_ways)
            pool.update(hidden)

    deal(0, (), 1)
    return counts


def _hand_count(pool: Mapping[Card, int], size: int) -> int:
    """Return the number of different hands of this size that can be dealt from the pool."""
    ways = [1] + [0] * size
    for count in pool.values():
        ways = [sum(ways[total - used] for used in range(min(count, total) + 1))
                for total in range(size + 1)]  # fmt: skip
    return ways[size]


def _hands(pool: Mapping[Card, int], size: int) -> Iterator[tuple[Cards, int]]:
    """Yield each different hand of this size, and in how many ways it can be dealt."""
    faces = [card for card in sorted(pool) if pool[card] > 0]

    def choose(place: int, left: int, hand: Cards, ways: int) -> Iterator[tuple[Cards, int]]:
        if left == 0:
            yield hand, ways
        elif place < len(faces):
            card = faces[place]
            for used in range(min(pool[card], left) + 1):
                more = ways * comb(pool[card], used)
                yield from choose(place + 1, left - used, hand + (card,) * used, more)

    return choose(0, size, (), 1)
