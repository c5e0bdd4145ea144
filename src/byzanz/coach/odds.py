"""Odds: what a seat's view says about the cards that it has not seen, counted exactly.

From a view, every way to deal the unseen cards is equally likely. So the hidden cards of an
opponent, or the next cards of the deck, are some of the unseen cards, drawn at random without
replacement. The odds count these draws. They draw no conclusions from how somebody has played.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from byzanz.rules import Cards, Kind, Phase, View, worth

GOODS_VALUES = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class UnseenKind:
    """The unseen cards of one kind."""

    kind: str
    """The letter of the kind."""
    values: dict[int, int]
    """The number of unseen cards of each value; merchants have the value 0."""
    count: int


@dataclass(frozen=True, slots=True)
class TotalOdds:
    """The probability that an opponent can bid a total or more."""

    total: int
    probability: float


@dataclass(frozen=True, slots=True)
class OpponentOdds:
    """What an opponent can bid."""

    seat: int
    in_auction: bool
    """Whether the opponent can still bid in the current auction."""
    least: int
    """The worth of their bid and their known cards: what they can bid for certain."""
    most: int
    """What they can bid if their hidden cards are the highest unseen ones."""
    expected: float
    """What they can bid on average."""
    totals: tuple[TotalOdds, ...]
    """The odds for each total from the lowest legal bid to ``most``.

    For an opponent who is not in the auction, the totals begin with 1.
    """


@dataclass(frozen=True, slots=True)
class KindOdds:
    """How many cards of a kind the next offer may have."""

    kind: str
    """The letter of the kind."""
    expected: float
    """The average number of cards."""
    at_least_one: float
    """The probability of one card or more."""


@dataclass(frozen=True, slots=True)
class OfferOdds:
    """The next offer."""

    size: int
    expected_worth: float
    """The average sum of the values."""
    kinds: tuple[KindOdds, ...]


@dataclass(frozen=True, slots=True)
class Odds:
    """What a seat can work out about the cards that it has not seen."""

    seat: int | None
    unseen: int
    """The number of unseen cards: in the deck, removed, or hidden in others' hands."""
    kinds: tuple[UnseenKind, ...]
    opponents: tuple[OpponentOdds, ...]
    next_offer: OfferOdds | None
    """None if no more offers will be turned up."""


def odds(view: View) -> Odds:
    """Return the exact odds from this view; this takes about a millisecond."""
    pool = view.pool
    return Odds(
        seat=view.seat,
        unseen=len(pool),
        kinds=tuple([_unseen_kind(pool, kind) for kind in Kind]),
        opponents=tuple(
            [_opponent(view, seat, pool) for seat in range(len(view.players)) if seat != view.seat]
        ),
        next_offer=_next_offer(view, pool),
    )


def can_bid(view: View, seat: int, total: int) -> Fraction:
    """Return the probability that a seat's bid and hand are worth at least this total."""
    player, pool = view.players[seat], view.pool
    missing = total - worth(player.bid + player.known)
    ways = ways_by_worth(pool, player.unknown)
    enough = sum([number for value, number in ways.items() if value >= missing])
    return Fraction(enough, comb(len(pool), player.unknown))


def in_auction(view: View, seat: int) -> bool:
    """Return whether a seat can still bid in the current auction (R3.3)."""
    player = view.players[seat]
    return view.phase is Phase.AUCTION and not player.passed and player.offer_card is None


def ways_by_worth(pool: Cards, count: int) -> dict[int, int]:
    """Return how many choices of ``count`` cards from the pool have each possible worth."""
    ways: list[Counter[int]] = [Counter({0: 1}), *[Counter[int]() for _ in range(count)]]
    for value, copies in Counter([card.worth for card in pool]).items():
        # Draw 0, 1, 2 ... cards of this value in addition to the values before.
        longer = [Counter[int]() for _ in ways]
        for drawn, sums in enumerate(ways):
            for more in range(min(copies, count - drawn) + 1):
                choices = comb(copies, more)
                for total, number in sums.items():
                    longer[drawn + more][total + more * value] += number * choices
        ways = longer
    return dict(ways[count])


def next_offer_size(view: View) -> int | None:
    """Return how many cards the next offer will have; None if there will be none (R3.1, R4.3)."""
    later = view.stack[:-1] if view.phase in (Phase.AUCTION, Phase.GIVE) else view.stack
    if later and view.phase not in (Phase.FINAL_SALE, Phase.OVER):
        return later[-1]
    return view.setup.offer_cards[-1] if view.deck_size else None


def _opponent(view: View, seat: int, pool: Cards) -> OpponentOdds:
    player, bidding = view.players[seat], in_auction(view, seat)
    least = worth(player.bid + player.known)
    ways = ways_by_worth(pool, player.unknown)
    deals = comb(len(pool), player.unknown)
    most = least + max(ways)
    totals = [
        TotalOdds(total, sum([n for value, n in ways.items() if least + value >= total]) / deals)
        for total in range(view.highest + 1 if bidding else 1, most + 1)
    ]
    expected = least + Fraction(player.unknown * worth(pool), max(len(pool), 1))
    return OpponentOdds(seat, bidding, least, most, float(expected), tuple(totals))


def _next_offer(view: View, pool: Cards) -> OfferOdds | None:
    size = next_offer_size(view)
    if size is None:
        return None
    unseen, deals = len(pool), comb(len(pool), size)
    kinds = []
    for kind in Kind:
        copies = sum(card.kind is kind for card in pool)
        none = Fraction(comb(unseen - copies, size), deals)
        kinds.append(KindOdds(kind.letter, size * copies / unseen, float(1 - none)))
    return OfferOdds(size, size * worth(pool) / unseen, tuple(kinds))


def _unseen_kind(pool: Cards, kind: Kind) -> UnseenKind:
    found = Counter([card.worth for card in pool if card.kind is kind])
    values = (0,) if kind is Kind.MERCHANT else GOODS_VALUES
    return UnseenKind(kind.letter, {value: found[value] for value in values}, found.total())
