"""Compiled evaluation of candidates in many sampled worlds at once.

The playouts of a batch run side by side. When all of them need the network, it evaluates them
together. A result of the network is reused if the same features occur again, which is common late
in the game, when few cards are hidden.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from byzanz.encoding.features import FEATURES, SLOTS
from byzanz.fast import RECORD_LENGTH, deal_unseen, layout, step, write_features, write_shares
from byzanz.fast.jit import nogil_entry, part
from byzanz.fast.layout import PHASE, TURN, Bytes, Floats, Ints, Record
from byzanz.fast.worlds import copy_game
from byzanz.network import Network
from byzanz.network.batch import (
    batch_workspace,
    best_number,
    forward_batch,
    write_win_probabilities,
)
from byzanz.network.forward import only_number, write_choice_mask

_BATCH = 32
"""The number of playouts that run side by side."""
_CACHE = 1 << 15
"""The number of places for results of the network, a power of two."""
_PENDING = -1.0
"""Stored instead of a result until the current batch has been evaluated."""
_OVER, _POLICY, _VALUE = range(3)
"""What a playout needs next: nothing, the network's choice, or its estimate."""
ANYBODY = -1
"""Passed instead of a seat: no cards are dealt again, and any seat's choice can end a playout."""
_OFFSET, _PRIME = 1469598103934665603, 0x100000001B3
"""Constants of the FNV hash."""


class _Room(NamedTuple):
    """Arrays for the playouts of a batch."""

    games: Record
    tasks: Ints
    """For each slot, the number of its playout; -1 if it has none."""
    waiting: Ints
    """For each slot, the place in the cache for the result that it needs; -1 if there is none."""
    output: npt.NDArray[np.float32]
    keys: Ints
    stored: Floats
    """Results of the network: a choice, in the first column, or win probabilities."""
    begun: Ints
    """The number of playouts that have begun."""


class BatchedWorlds:
    """A network with room for playouts. It is not thread-safe."""

    def __init__(self, network: Network, batch: int = _BATCH) -> None:
        """Create room for playouts with this network, ``batch`` of them side by side."""
        self.network = Network(network.weights, network.arrays)
        self._arrays = network.batch_arrays
        self._work = batch_workspace(network.weights, batch)
        self._room = _Room(
            np.zeros((batch, RECORD_LENGTH), np.int64),
            np.zeros(batch, np.int64),
            np.zeros(batch, np.int64),
            np.zeros(SLOTS, np.float32),
            np.zeros(_CACHE, np.int64),
            np.zeros((_CACHE, SLOTS)),
            np.zeros(1, np.int64),
        )
        self._rows = np.zeros(batch, np.int64), np.zeros(batch, np.int64)

    def forget(self) -> None:
        """Forget the results of the network; call this before evaluating another position."""
        self._room.keys[:] = 0

    def evaluate(self, roots: Record, numbers: Ints, seat: int, seeds: Ints) -> Floats:
        """Return the seat's win probabilities: a row for each seed, a column for each candidate.

        A candidate is a root, which is an engine record consistent with the seat's view, and the
        action numbers to play there, padded with -1. The seed decides the world. All candidates are
        tried in the same world, so that the luck of the cards does not favour one of them.
        """
        results = self._run(roots, numbers, seat, seeds, int(roots[0, layout.DRAWN]))
        return results[:, seat].reshape(len(seeds), len(roots))

    def outlooks(self, games: Record, drawn: int) -> Floats:
        """Return each seat's win probability in each of these games.

        The network plays each game until more than ``drawn`` cards have been drawn and somebody
        has to choose. There it estimates everybody's win probability from the view of the
        seat to act. If the game ends before that, its result counts.
        """
        numbers = np.full((len(games), 1), -1, np.int64)
        return self._run(games, numbers, ANYBODY, np.zeros(1, np.int64), drawn)

    def _run(self, roots: Record, numbers: Ints, seat: int, seeds: Ints, drawn: int) -> Floats:
        """Return each seat's win probability, with a row for each candidate in each world."""
        results = np.zeros((len(seeds) * len(roots), SLOTS))
        _evaluate(
            self._arrays, self._work, roots, numbers, seat, drawn, seeds, results, self._room,
            *self._rows,
        )  # fmt: skip
        return results


@part
def _start(root: Record, numbers: Ints, seat: int, seed: int, game: Record) -> None:
    """Deal a world and play the candidate's action numbers."""
    copy_game(root, game)
    game[layout.CHANCE] = seed
    if seat != ANYBODY:
        deal_unseen(game, seat)
    for number in numbers:
        if number >= 0:
            step(game, number)


@part
def _advance(game: Record, seat: int, drawn: int, mask: Bytes) -> int:
    """Play all forced actions; return what the playout needs next.

    The playout ends at the seat's first choice after more than ``drawn`` cards are drawn, that is,
    at a new offer.
    """
    while game[PHASE] != layout.OVER:
        write_choice_mask(game, mask)
        number = only_number(mask)
        if number < 0:
            ends = game[layout.DRAWN] > drawn and game[layout.LAID] == 0
            return _VALUE if ends and seat in (game[TURN], ANYBODY) else _POLICY
        step(game, number)
    return _OVER


@part
def _key(row: Bytes, need: int) -> int:
    """Return a hash of the features and of what the playout needs; never 0."""
    value = _OFFSET + need
    for place in range(FEATURES):
        value = (value ^ row[place]) * _PRIME
    return (value ^ ((value >> 29) & 0x7FFFFFFFF)) | 1


@part
def _place_of(keys: Ints, key: int) -> int:
    """Return the place of a key in the cache, or the empty place where it belongs.

    Returns -1 if the places that it could have are all taken by other keys.
    """
    first = (key >> 1) & (_CACHE - 1)
    for more in range(32):
        place = (first + more) & (_CACHE - 1)
        if keys[place] in (0, key):
            return place
    return -1


@part
def _write_by_seat(game: Record, by_slot: Floats, by_seat: Floats) -> None:
    """Write win probabilities by seat, given those by slot; slot 0 is the seat to act."""
    players = game[layout.PLAYERS]
    for slot in range(players):
        by_seat[(game[TURN] + slot) % players] = by_slot[slot]


@part
def _play_to_network(
    roots: Record, numbers: Ints, seat: int, drawn: int, seeds: Ints, results: Floats, room: Any,
    slot: int, row: Bytes, mask: Bytes,
) -> int:  # fmt: skip
    """Play in a slot until the network is needed; return what it is needed for.

    Returns -1 if no task is left or the batch already has the same features. A finished playout
    makes room for the next task. It writes to ``waiting`` of the room where the result belongs
    in the cache, or -1 if the result cannot be stored.
    """
    games, tasks, waiting, _, keys, stored, begun = room
    candidates = len(roots)
    game = games[slot]
    while True:
        if tasks[slot] < 0:
            if begun[0] == len(seeds) * candidates:
                return -1
            tasks[slot] = begun[0]
            world, place = begun[0] // candidates, begun[0] % candidates
            _start(roots[place], numbers[place], seat, seeds[world], game)
            begun[0] += 1
        need = _advance(game, seat, drawn, mask)
        if need == _OVER:
            write_shares(game, results[tasks[slot]])
            tasks[slot] = -1
            continue
        write_features(game, game[TURN], row)
        key = _key(row, need)
        at = _place_of(keys, key)
        if at < 0 or keys[at] != key:
            if at >= 0:
                keys[at], stored[at, 0] = key, _PENDING
            waiting[slot] = at
            return need
        if stored[at, 0] == _PENDING:
            return -1  # the same features are in this batch already; this slot waits
        if need == _VALUE:
            _write_by_seat(game, stored[at], results[tasks[slot]])
            tasks[slot] = -1
        else:
            step(game, int(stored[at, 0]))


@part
def _begin(room: Any) -> None:
    """Empty all slots, and begin with the first playout."""
    room[6][0] = 0
    for slot in range(len(room[1])):
        room[1][slot] = -1


@part
def _gather(
    roots: Record, numbers: Ints, seat: int, drawn: int, seeds: Ints, results: Floats, room: Any,
    rows: Bytes, masks: Bytes, slots: Ints, needs: Ints,
) -> int:  # fmt: skip
    """Play in every slot until the network is needed; return how many rows it must evaluate."""
    count = 0
    for slot in range(len(room[1])):
        need = _play_to_network(
            roots, numbers, seat, drawn, seeds, results, room, slot, rows[count], masks[count]
        )
        if need >= 0:
            slots[count], needs[count] = slot, need
            count += 1
    return count


@part
def _take_number(room: Any, slot: int, number: int) -> None:
    """Play the network's choice in a slot, and store it in the cache."""
    step(room[0][slot], number)
    at = room[2][slot]
    if at >= 0:
        room[5][at, 0] = number


@part
def _take_value(room: Any, slot: int, by_slot: Floats, results: Floats) -> None:
    """End the playout of a slot with the network's estimate, and store it in the cache."""
    _write_by_seat(room[0][slot], by_slot, results[room[1][slot]])
    room[1][slot] = -1
    at = room[2][slot]
    for column in range(SLOTS if at >= 0 else 0):
        room[5][at, column] = by_slot[column]


@nogil_entry
def _evaluate(
    net: Any, work: Any, roots: Record, numbers: Ints, seat: int, drawn: int, seeds: Ints,
    results: Floats, room: Any, slots: Ints, needs: Ints,
) -> None:  # fmt: skip
    """Evaluate every candidate in every world; a task is one candidate in one world."""
    _begin(room)
    output = room[3]
    while True:
        count = _gather(
            roots, numbers, seat, drawn, seeds, results, room, work[0], work[1], slots, needs
        )
        if count == 0:
            return
        half = forward_batch(net, work, count)
        for place in range(count):
            if needs[place] == _VALUE:
                write_win_probabilities(net, work, half, place, output)
                _take_value(room, slots[place], output, results)
            else:
                _take_number(room, slots[place], best_number(net, work, half, place))


@nogil_entry
def begin(room: Any) -> None:
    """Empty all slots; call this before the first call of :func:`gather`."""
    _begin(room)


@nogil_entry
def gather(
    roots: Record, numbers: Ints, seat: int, drawn: int, seeds: Ints, results: Floats, room: Any,
    rows: Bytes, masks: Bytes, slots: Ints, needs: Ints,
) -> int:  # fmt: skip
    """Play until the network is needed; return how many rows it must evaluate, 0 at the end."""
    return _gather(roots, numbers, seat, drawn, seeds, results, room, rows, masks, slots, needs)


@nogil_entry
def take(
    best: Ints, values: npt.NDArray[np.float32], results: Floats, room: Any, slots: Ints,
    needs: Ints,
) -> None:  # fmt: skip
    """Continue the playouts with the network's results for the rows of :func:`gather`."""
    for place in range(len(best)):
        if needs[place] == _VALUE:
            _take_value(room, slots[place], values[place], results)
        else:
            _take_number(room, slots[place], best[place])
