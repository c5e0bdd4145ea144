"""Random games for tests, in which any seat may act when it can."""

from __future__ import annotations

from collections.abc import Iterator

from byzanz.rules import Bid, Chance, Deal, Game, options
from byzanz.rules.cards import in_order, without

MOST_ACTIONS = 600
"""A maximum for the actions of a game; random games end far earlier."""


def random_game(players: int, seed: int) -> Iterator[Game]:
    """Yield a random game at its start and after each action.

    One time in ten a random seat sells a set if it has one.
    """
    chance = Chance(seed)
    game = Game.start(Deal.from_seed(players, seed))
    yield game
    for _ in range(MOST_ACTIONS):
        if game.over:
            return
        game = _step(game, chance)
        yield game
    raise AssertionError("the game does not end")


def finished(players: int, seed: int) -> Game:
    """Return a finished random game."""
    *_, last = random_game(players, seed)
    return last


def _step(game: Game, chance: Chance) -> Game:
    if not chance.below(10):
        seat = chance.below(len(game.state.players))
        sales = options(game.state, seat).sales
        if sales:
            return game.play(seat, chance.choice(sales))
    seat = chance.choice(game.state.waiting_for)
    may = options(game.state, seat)
    # Passing as often as bidding keeps hands full, so that the hand limit and all-pass occur too.
    if may.bids and chance.below(2):
        return game.play(seat, Bid(chance.choice(may.bids)))
    return game.play(seat, chance.choice(may.answers))


def other_world(game: Game, seat: int | None, seed: int) -> Game:
    """Return the game replayed with another deal of the cards that the seat has not seen."""
    state, deal = game.state, game.deal
    closed = [at for at in range(len(state.players)) if at != seat]
    drawn = deal.deck[: len(deal.deck) - len(state.deck)]
    unseen = [*state.deck, *state.removed]
    for at in closed:
        unseen += state.players[at].hidden
    Chance(seed).shuffle(unseen)
    hands = list(deal.hands)
    for at in closed:
        hidden = state.players[at].hidden
        shown = without(in_order(deal.hands[at]), hidden)
        hands[at] = shown + tuple(unseen.pop() for _ in hidden)
    removed = tuple(unseen.pop() for _ in state.removed)
    other = Deal(tuple(hands), deck=drawn + tuple(unseen), removed=removed)
    return Game.replay(other, game.plays)
