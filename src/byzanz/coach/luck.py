"""Luck: how much the cards that were turned up changed each seat's win probability.

The idea is that of AIVAT (Burch and others, 2018). Whenever an offer is turned up, everybody's win
probability is estimated, once with the offer that came and many times with other offers that could
have come instead, while all hands stay the same. The luck of a seat is the sum of the differences
over the game. Before the offer is turned up, the real one and the others are equally likely,
whatever the players do. So luck is zero on average, even if the estimates are poor.

Each estimate is the mean of two. For the first, the network looks at the offer from the view of the
player to move. For the second, the network plays all seats, with the cards that they really hold,
until the next offer is turned up, and estimates the win probabilities there. Together they explain
more of the results than either alone: the second knows all hands, but assumes that the auction goes
as the network plays it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from byzanz.encoding import Moment
from byzanz.fast import Batch, layout, rows_of, to_record
from byzanz.fast.convert import packed
from byzanz.fast.layout import Bytes, Floats, Record
from byzanz.network import Network
from byzanz.rules import Card, Game, State, apply, begin
from byzanz.search.batched_worlds import BatchedWorlds

_OTHERS = 32
"""The number of other offers that are compared with the real one."""
_ORDERS = 16
"""The number of orders of the deck in which the real offer is tried."""
_DEALS = 512
"""The number of deals over which the win probabilities before the deal are averaged."""


class LuckMeter:
    """Measures luck with one network. It is not thread-safe."""

    def __init__(self, network: Network, worlds: BatchedWorlds | None = None) -> None:
        """Create a meter; ``worlds`` runs the playouts if the network is on another device."""
        self._worlds = worlds or BatchedWorlds(network)
        self._starts: dict[int, Floats] = {}

    def start(self, players: int) -> Floats:
        """Return each seat's win probability before the deal: the mean over many deals."""
        if players not in self._starts:
            deals = Batch(players, np.arange(_DEALS)).games
            self._starts[players] = self._mean(deals)
        return self._starts[players]

    def luck(self, game: Game) -> Floats:
        """Return each seat's luck in a game, as a change in its win probability."""
        players = len(game.state.players)
        found = np.zeros(players)
        for number, state in enumerate(_chance_events(game)):
            generator = np.random.default_rng([number, *sorted(_unseen(state))])
            real = self._mean(_redealt(state, generator, _ORDERS, same_offer=True))
            if number:
                found += real - self._mean(_redealt(state, generator, _OTHERS, same_offer=False))
            else:
                found += real - self.start(players)
        return found

    def _mean(self, games: Record) -> Floats:
        """Return each seat's mean win probability, estimated now and at the next offer."""
        drawn, players = int(games[0, layout.DRAWN]), int(games[0, layout.PLAYERS])
        self._worlds.forget()
        now = self._worlds.outlooks(games, drawn - 1)
        later = self._worlds.outlooks(games, drawn)
        mean: Floats = ((now + later) / 2)[:, :players].mean(0)
        return mean


def _chance_events(game: Game) -> Iterator[State]:
    """Yield each state in which an offer was just turned up."""
    state = begin(game.deal)
    yield state
    for played in game.plays:
        after = apply(state, played.seat, played.action)
        if len(after.deck) < len(state.deck):
            yield after
        state = after


def _unseen(state: State) -> list[Card]:
    """Return the cards that nobody had seen before the offer was turned up."""
    return [*state.offer, *state.deck, *state.removed]


def _redealt(
    state: State, generator: np.random.Generator, count: int, *, same_offer: bool
) -> Record:
    """Return ``count`` engine records of the state, each with the unseen cards shuffled.

    With ``same_offer``, the cards of the offer stay.
    """
    kept = len(state.offer) if same_offer else 0
    cards = np.array(_unseen(state), np.uint8)
    records = np.repeat(rows_of(to_record(Moment(state)))[0][None], count, axis=0)
    for record in records:
        order = np.concatenate((cards[:kept], generator.permutation(cards[kept:])))
        _deal(record, order, len(state.offer), len(state.removed))
    return records


def _deal(record: Record, order: Bytes, offered: int, removed: int) -> None:
    """Deal cards to the offer, the removed cards and the deck of an engine record."""
    offer = [Card(int(card)) for card in order[:offered]]
    record[layout.OFFER] = packed(offer)
    merchants = int(record[layout.MERCHANTS]) & ~(255 << layout.OFFER_M)
    record[layout.MERCHANTS] = merchants | offer.count(Card.M) << layout.OFFER_M
    dealt = 4 * int(record[layout.PLAYERS])
    places = record[layout.DECK :].view(np.uint8)
    places[dealt : dealt + removed] = order[offered : offered + removed]
    places[int(record[layout.DRAWN]) :] = order[offered + removed :]
