"""Luck: how much the cards that chance turned up changed each seat's win probability.

The idea is that of AIVAT (Burch and others, 2018). Whenever chance acts, the network estimates
everybody's win probability, once with the cards that came and many times with other cards that
could have come instead, all else being equal. The luck of a seat is the difference, added up over
the game. Before a chance event the real cards and the others are equally likely, whatever the
players do. So luck is zero on average, even if the network's estimates are poor.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from byzanz.encoding import Moment
from byzanz.encoding.features import SLOTS
from byzanz.fast import Batch, layout, rows_of, to_record, write_features
from byzanz.fast.convert import packed
from byzanz.fast.layout import Floats, Record
from byzanz.network import Network
from byzanz.network.batch import batch_workspace, win_probabilities_batch
from byzanz.rules import Card, Game, State, apply, begin

_OTHERS = 96
"""The number of other offers that are compared with the real one."""
_DEALS = 1024
"""The number of deals for the win probabilities before the deal."""
_BATCH = 32


class LuckMeter:
    """Measures luck with one network. It is not thread-safe."""

    def __init__(self, network: Network) -> None:
        """Create a meter for this network."""
        self._arrays = network.batch_arrays
        self._work = batch_workspace(network.weights, _BATCH)
        self._output = np.zeros((_BATCH, SLOTS), np.float32)
        self._starts: dict[int, Floats] = {}

    def start(self, players: int) -> Floats:
        """Return each seat's win probability before the deal: the mean of many deals."""
        if players not in self._starts:
            deals = Batch(players, np.arange(_DEALS)).games
            self._starts[players] = self._estimates(deals).mean(0)
        return self._starts[players]

    def luck(self, game: Game) -> Floats:
        """Return each seat's luck in a game, as a change of its win probability."""
        players = len(game.state.players)
        found = np.zeros(players)
        for number, state in enumerate(_chance_events(game)):
            record = rows_of(to_record(Moment(state)))[0]
            if number == 0:
                found += self._estimates(record[None])[0] - self.start(players)
                continue
            rest = [*state.offer, *state.deck, *state.removed]
            offers = _other_offers(rest, len(state.offer), seed=number)
            records = np.repeat(record[None], _OTHERS + 1, axis=0)
            for other, cards in zip(records[1:], offers, strict=True):
                _replace_offer(other, cards)
            estimates = self._estimates(records)
            found += estimates[0] - estimates[1:].mean(0)
        return found

    def _estimates(self, records: Record) -> Floats:
        """Return each seat's win probability as the seat on turn sees it, a row per record."""
        players = int(records[0, layout.PLAYERS])
        found = np.zeros((len(records), players))
        for first in range(0, len(records), _BATCH):
            part = records[first : first + _BATCH]
            for place, record in enumerate(part):
                write_features(record, record[layout.TURN], self._work.rows[place])
            win_probabilities_batch(self._arrays, self._work, len(part), self._output)
            for place, record in enumerate(part):
                slots = (np.arange(players) - record[layout.TURN]) % players
                found[first + place] = self._output[place, slots]
        return found


def _chance_events(game: Game) -> Iterator[State]:
    """Yield each state in which an offer was just turned up."""
    state = begin(game.deal)
    yield state
    for played in game.plays:
        after = apply(state, played.seat, played.action)
        if len(after.deck) < len(state.deck):
            yield after
        state = after


def _other_offers(cards: list[Card], size: int, seed: int) -> list[list[Card]]:
    """Draw other offers from the cards that nobody has seen before the offer is turned up."""
    rest = sorted(cards)
    generator = np.random.default_rng([seed, *rest])
    return [[rest[at] for at in generator.permutation(len(rest))[:size]] for _ in range(_OTHERS)]


def _replace_offer(record: Record, cards: list[Card]) -> None:
    """Put other cards into the offer. The deck is left as it is, because no feature shows it."""
    record[layout.OFFER] = packed(cards)
    merchants = int(record[layout.MERCHANTS]) & ~(255 << layout.OFFER_M)
    record[layout.MERCHANTS] = merchants | cards.count(Card.M) << layout.OFFER_M
