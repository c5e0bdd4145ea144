"""Two histories that differ only in what a table's options hide from everybody.

Seat 0 sells one of two sets, or it bids one of two cards with the same value and takes it
back. From the second round on, all hands and all open cards are the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from byzanz.rules import ALL_CARDS, Bid, Card, Chance, Deal, Game, Pass, Sell, options
from byzanz.rules.setup import HAND_DEALT
from byzanz.tables import TableOptions
from byzanz.tables.model.table import Table

from .comparing import Point, Servers, Tally, compare_point
from .fixed_server import Course, Plan

ACTOR = 0
"""The seat that acts differently in the two histories."""

_SETS = (Card.C1, Card.C2, Card.C3), (Card.S2, Card.S3, Card.S4)
_BIDS = Card.C2, Card.S2
_HIGHER = Card.C4
_BOTTOM = 10
"""The two games end when the deck is smaller: its last three cards differ between them."""


def histories(players: int, seed: int, *, sale: bool) -> tuple[Game, Game]:
    """Return two games with the same position, which differ in the set sold or in the card bid."""
    cards = list(ALL_CARDS)
    chance = Chance(seed)
    chance.shuffle(cards)
    bottom = range(len(cards) - 3, len(cards))
    own = _SETS[0] if sale else _BIDS
    wanted = dict(enumerate(own)) | {HAND_DEALT: _HIGHER}
    wanted |= dict(zip(bottom, _SETS[1], strict=True))
    for place, card in wanted.items():
        found = next(at for at, held in enumerate(cards) if held is card and at not in wanted)
        cards[place], cards[found] = cards[found], cards[place]
    one = _begun(Deal.of(cards, players), sale=sale, past=0)
    began = len(one.plays)
    while not one.over:
        one = _step(one, chance)
    if sale:
        cards[:3], cards[-3:] = cards[-3:], cards[:3]
    other = _begun(Deal.of(cards, players), sale=sale, past=1)
    for play in one.plays[began:]:
        # The set that was not sold is at the bottom of the deck, where the two games differ.
        if len(other.state.deck) < _BOTTOM:
            break
        other = other.play(play.seat, play.action)
    return Game.replay(one.deal, one.plays[: len(other.plays)]), other


def _begun(deal: Deal, *, sale: bool, past: int) -> Game:
    """Return the game after seat 0 sold a set, or bid a card and passed when seat 1 bid more."""
    game = Game.start(deal)
    if sale:
        return game.play(0, Sell(_SETS[past]))
    game = game.play(0, Bid((_BIDS[past],))).play(1, Bid((_HIGHER,)))
    for seat in (*range(2, len(deal.hands)), 0):
        game = game.play(seat, Pass())
    return game


def _step(game: Game, chance: Chance) -> Game:
    seat = chance.choice(game.state.waiting_for)
    may = options(game.state, seat)
    if may.bids and chance.below(2):
        return game.play(seat, Bid(chance.choice(may.bids)))
    return game.play(seat, chance.choice(may.answers))


def compare_histories(
    servers: Servers, number: int, stride: int, *, sale: bool, memory_aid: bool = False
) -> Iterator[Tally]:
    """Compare two histories from the second round on, for each observer in turn.

    Without the memory aid nobody can tell who bid what. With closed profit nobody can tell who sold
    what, even with the memory aid. Raises Leak at the first byte that differs.
    """
    players = 3 + number % 4
    shown = TableOptions(memory_aid=memory_aid, open_profit=not sale)
    plan = Plan(f"past-{number}", players, shown)
    one, other = [
        Course.of(game, plan, servers[0].people) for game in histories(players, number, sale=sale)
    ]
    observers = [None, *(seat for seat in range(players) if not sale or seat != ACTOR)]
    began = next(step for step, table in enumerate(one.tables) if _round(table) > 1)
    try:
        for place, step in enumerate(range(began + 1, len(one.tables), stride)):
            observer = observers[place % len(observers)]
            yield compare_point(servers, (one, other), Point(step, observer, seed=step))
    finally:
        for server in servers:
            server.clear(plan.name)


def _round(table: Table) -> int:
    return 0 if table.game is None else table.game.state.round
