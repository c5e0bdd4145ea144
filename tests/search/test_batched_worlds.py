from __future__ import annotations

import numpy as np
import pytest

from byzanz.fast.convert import record_of
from byzanz.network import Network
from byzanz.network.forward import MOST_NUMBERS
from byzanz.rules import Deal, Game
from byzanz.search.batched_worlds import BatchedWorlds
from byzanz.search.network_evaluator import most_probable
from tests.network.nets import random_weights
from tests.network.world_value import value_in_world
from tests.requirements import import_or_skip


@pytest.mark.parametrize("players", [3, 5])
def test_each_world_has_the_value_of_a_single_playout(players: int) -> None:
    network = Network(random_weights())
    worlds = BatchedWorlds(network)
    game = Game.start(Deal.from_seed(players, 5))
    seeds = np.arange(3, dtype=np.int64) * 977
    tried = 0
    while (seat := game.state.turn) is not None:
        root = record_of(game.view(seat))
        sequences, _ = most_probable(network, root)
        if len(sequences) > 1 and len(game.plays) % 5 == 0:
            numbers = np.full((2, MOST_NUMBERS), -1, np.int64)
            for place, sequence in enumerate(sequences[:2]):
                numbers[place, : len(sequence)] = sequence
            roots = np.stack([root, root])
            results = worlds.evaluate(roots, numbers, seat, seeds)  # the cache grows all the time
            worlds_alone = worlds.evaluate(roots[1:], numbers[1:], seat, seeds[2:])
            assert worlds_alone[0, 0] == results[2, 1]
            for row, seed in enumerate(seeds):
                for place, sequence in enumerate(sequences[:2]):
                    expected = value_in_world(network, root, int(seed), sequence)
                    assert results[row, place] == pytest.approx(expected, abs=1e-3)
                    tried += 1
        game = game.play(seat, network.choose(game.view(seat)))
    assert tried > 40


def test_worlds_of_pytorch_have_the_same_values() -> None:
    import_or_skip("torch")
    from byzanz.network.torch_forward import SharedForward  # noqa: PLC0415
    from byzanz.search.gpu_worlds import GpuWorlds  # noqa: PLC0415

    network = Network.load()
    compiled = BatchedWorlds(network)
    worlds = GpuWorlds(network, SharedForward(network.weights, "cpu"))
    game = Game.start(Deal.from_seed(4, 8))
    same = tried = 0
    while (seat := game.state.turn) is not None and tried < 6:
        root = record_of(game.view(seat))
        sequences, _ = most_probable(network, root)
        if len(sequences) > 1:
            numbers = np.full((2, MOST_NUMBERS), -1, np.int64)
            for place, sequence in enumerate(sequences[:2]):
                numbers[place, : len(sequence)] = sequence
            roots, seeds = np.stack([root, root]), np.arange(24, dtype=np.int64) * 977
            found = worlds.evaluate(roots, numbers, seat, seeds)
            expected = compiled.evaluate(roots, numbers, seat, seeds)
            # Where two choices are about equal, rounding decides, and the playout differs.
            same += int((np.abs(found - expected) < 2e-3).mean() > 0.9)
            assert abs(found.mean() - expected.mean()) < 0.02
            tried += 1
        game = game.play(seat, network.choose(game.view(seat)))
    assert same >= 5
