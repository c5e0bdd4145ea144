from __future__ import annotations

import numpy as np
import pytest

from byzanz.encoding.features import SLOTS
from byzanz.fast import Batch
from byzanz.network import Network
from byzanz.network.batch import batch_workspace, win_probabilities_batch
from byzanz.network.forward import decide, win_probabilities
from tests.network.nets import random_weights


@pytest.mark.parametrize("players", [3, 6])
def test_a_batch_gives_the_estimates_of_single_rows(players: int) -> None:
    network = Network(random_weights())
    batch, numbers = Batch(players, np.arange(9)), np.zeros(8, np.int64)
    for game in batch.games:
        for _ in range(20):
            decide(network.arrays, network.workspace, game, 1.0, 0.0, numbers)
    _, rows = batch.observe()
    single = np.zeros((9, SLOTS), np.float32)
    for place, row in enumerate(rows):
        network.workspace[0][:] = row
        win_probabilities(network.arrays, network.workspace)
        single[place] = network.workspace[2][:SLOTS]
    together, alone = np.zeros((2, 9, SLOTS), np.float32)
    work = batch_workspace(network.weights, 9)
    work.rows[:] = rows
    win_probabilities_batch(network.batch_arrays, work, 9, together)
    assert together == pytest.approx(single, abs=1e-3)
    assert together.std(0)[0] > 0.0001, "the rows differ"
    for place, row in enumerate(rows):
        work.rows[0] = row
        win_probabilities_batch(network.batch_arrays, work, 1, alone[place : place + 1])
    assert np.array_equal(together, alone), "a row does not depend on the others"


def test_the_checksum_tells_networks_apart() -> None:
    assert Network(random_weights()).weights.checksum == random_weights().checksum
    assert random_weights().checksum != Network.load().weights.checksum
