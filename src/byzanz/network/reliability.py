"""How far a network's win chances can be relied on: what it said, against what came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from byzanz.encoding.features import SLOTS
from byzanz.fast import Batch, step
from byzanz.fast import words as w
from byzanz.fast.cores import by_rows
from byzanz.fast.words import PHASE, TURN, Bytes, Words

from .forward import chances, number_for, only_number
from .layers import Floats, Net, room_for
from .network import Network
from .weights import Weights

_MOST = 512
"""No game has more decisions."""
_AT_ONCE = 64


@dataclass(frozen=True)
class Bin:
    """Decisions at which about the same chance was said."""

    said: float
    """The chance of the seat to act, on average."""
    came: float
    """Its share of the wins."""
    decisions: int
    games: int

    @property
    def error(self) -> float:
        """By how much too little was said."""
        return self.came - self.said

    @property
    def doubt(self) -> float:
        """The error's standard error; decisions of one game stand and fall together."""
        return float(np.sqrt(max(self.said * (1 - self.said), 1e-4) / max(self.games, 1)))


@dataclass(frozen=True)
class Sayings:
    """What a network said at the decisions of its games, and what came, for a number of players."""

    players: int
    said: Floats
    """By decision and slot, the chances to win."""
    came: Floats
    """By decision and slot, the shares of the win."""
    games: Words

    def bins(self, count: int = 10) -> list[Bin]:
        """The decisions by the chance said for the seat to act, in so many equal steps."""
        places = np.minimum((self.said[:, 0] * count).astype(int), count - 1)
        found = []
        for place in range(count):
            there = places == place
            if there.any():
                said, came = self.said[there, 0].mean(), self.came[there, 0].mean()
                games = len(np.unique(self.games[there]))
                found.append(Bin(float(said), float(came), int(there.sum()), games))
        return found

    def correction(self) -> tuple[float, float]:
        """The sharpness and the lean that would have said best what came, by Newton's method.

        Chances become the softmax of their logarithms times the first, plus the second for the
        seat to act.
        """
        logs = np.log(np.maximum(self.said[:, : self.players], 1e-6).astype(np.float64))
        own = np.zeros_like(logs)
        own[:, 0] = 1
        given = np.stack([logs, own])
        found = np.array([1.0, 0.0])
        for _ in range(12):
            scores = np.tensordot(found, given, 1)
            shares = np.exp(scores - scores.max(1, keepdims=True))
            shares /= shares.sum(1, keepdims=True)
            slope = ((shares - self.came[:, : self.players]) * given).sum((1, 2))
            from_mean = given - (shares * given).sum(2, keepdims=True)
            bend = np.einsum("ds,ids,jds->ij", shares, from_mean, from_mean)
            found -= np.linalg.solve(bend + 1e-9 * np.eye(2), slope)
        return float(found[0]), float(found[1])


def listen(network: Network, players: int, games: int, seed: int, heat: float = 0.0) -> Sayings:
    """What the network says in games against itself, at every choice before a card is laid."""
    room = room_for(network.weights.shape)
    said, came, numbers = [], [], []
    for first in range(0, games, _AT_ONCE):
        count = min(_AT_ONCE, games - first)
        batch = Batch(players, np.arange(first, first + count, dtype=np.uint64) + np.uint64(seed))
        told = np.zeros((count, _MOST, SLOTS), np.float32)
        turns, lengths = np.zeros((count, _MOST), np.int64), np.zeros(count, np.int64)
        row, mask, share, scratch, present = (
            np.zeros((count, *part.shape), part.dtype) for part in room
        )
        _play(
            batch.words, told, turns, lengths, row, mask, share, scratch, present, heat,
            network.parts,
        )  # fmt: skip
        _, shares = batch.results()
        for game, length in enumerate(lengths):
            around = (turns[game, :length, None] + np.arange(players)) % players
            wins = np.zeros((length, SLOTS), np.float32)
            wins[:, :players] = shares[game][around]
            said.append(told[game, :length])
            came.append(wins)
            numbers.append(np.full(length, first + game))
    return Sayings(players, np.concatenate(said), np.concatenate(came), np.concatenate(numbers))


def corrected(weights: Weights, found: Mapping[int, tuple[float, float]]) -> Weights:
    """The weights with their chances corrected, by number of players."""
    sharpness, lean = weights.sharpness.copy(), weights.lean.copy()
    for players, (sharper, more) in found.items():
        sharpness[players - 3] *= sharper
        lean[players - 3] = sharper * lean[players - 3] + more
    return replace(weights, sharpness=sharpness, lean=lean)


@by_rows(1)
def _play(
    games: Words,
    told: Floats,
    turns: Words,
    lengths: Words,
    rows: Bytes,
    masks: Bytes,
    shares: Floats,
    scratches: Floats,
    presents: Words,
    heat: float,
    net: Net,
) -> None:
    for place in range(len(games)):
        game, row, share = games[place], rows[place], shares[place]
        room = (row, masks[place], share, scratches[place], presents[place])
        while game[PHASE] != w.OVER:
            number = number_for(net, room, game, heat)
            if game[w.LAID] == 0 and only_number(masks[place]) < 0:
                chances(net, room)
                at = lengths[place]
                for slot in range(SLOTS):
                    told[place, at, slot] = share[slot]
                turns[place, at] = game[TURN]
                lengths[place] = at + 1
            step(game, number)
