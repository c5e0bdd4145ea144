"""How far a network's win chances can be relied on: what it said, against what came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from byzanz.encoding.features import SLOTS
from byzanz.fast import Batch, step
from byzanz.fast import layout as w
from byzanz.fast.layout import PHASE, TURN, Bytes, Words
from byzanz.fast.parallel import by_rows
from byzanz.network.forward import chances, number_for, only_number
from byzanz.network.layers import Floats, Net, room_for
from byzanz.network.network import Network
from byzanz.network.weights import Correction, Weights

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
    doubt: float
    """The error's standard error; decisions of one game stand and fall together."""
    decisions: int
    games: int

    @property
    def error(self) -> float:
        """By how much too little was said."""
        return self.came - self.said


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
        return [self._bin(places == place) for place in range(count) if (places == place).any()]

    def _bin(self, there: npt.NDArray[np.bool_]) -> Bin:
        said, came = self.said[there, 0].astype(float), self.came[there, 0].astype(float)
        numbers, of_game = np.unique(self.games[there], return_inverse=True)
        by_game = np.bincount(of_game, came - said)
        doubt = np.sqrt((by_game**2).sum()) / len(said)
        return Bin(float(said.mean()), float(came.mean()), float(doubt), len(said), len(numbers))

    def correction(self) -> Correction:
        """What would have said best what came, by Newton's method; nothing was corrected yet."""
        said = self.said[:, : self.players].astype(np.float64)
        own = np.zeros_like(said)
        own[:, 0] = 1
        given = np.stack([np.log(np.maximum(said, 1e-6)), own, said])
        found = np.array(Correction())
        for _ in range(12):
            scores = np.tensordot(found, given, 1)
            shares = np.exp(scores - scores.max(1, keepdims=True))
            shares /= shares.sum(1, keepdims=True)
            slope = ((shares - self.came[:, : self.players]) * given).sum((1, 2))
            from_mean = given - (shares * given).sum(2, keepdims=True)
            bend = np.einsum("ds,ids,jds->ij", shares, from_mean, from_mean)
            found -= np.linalg.solve(bend + 1e-9 * np.eye(len(found)), slope)
        return Correction(*found.tolist())


def listen(network: Network, players: int, games: int, seed: int, heat: float = 0.0) -> Sayings:
    """What the network says in games against itself, at every choice before a card is laid."""
    return gathered(hear(network, players, games, seed, heat))


def gathered(parts: Iterable[Sayings]) -> Sayings:
    """Sayings of several parts, one or more, as one."""
    heard = list(parts)
    return Sayings(
        players=heard[0].players,
        said=np.concatenate([part.said for part in heard]),
        came=np.concatenate([part.came for part in heard]),
        games=np.concatenate([part.games for part in heard]),
    )


def hear(
    network: Network, players: int, games: int, seed: int, heat: float = 0.0
) -> Iterator[Sayings]:
    """What :func:`listen` gives, part by part, as it comes: :func:`parts_of` the games."""
    room = room_for(network.weights.shape)
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
        heard = np.arange(_MOST) < lengths[:, None]
        game, _ = heard.nonzero()
        around = (turns[heard][:, None] + np.arange(players)) % players
        came = np.zeros((len(game), SLOTS), np.float32)
        came[:, :players] = shares[game[:, None], around]
        yield Sayings(players, told[heard], came, first + game)


def parts_of(games: int) -> int:
    """How many parts so many games are heard in."""
    return -(-games // _AT_ONCE)


def corrected(weights: Weights, found: Mapping[int, Correction]) -> Weights:
    """The weights with their chances corrected like this, by number of players, or else not."""
    rows = [found.get(players, Correction()) for players in (3, 4, 5, 6)]
    return replace(weights, corrections=np.array(rows, np.float32))


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
