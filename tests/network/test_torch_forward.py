"""The forward pass in PyTorch, beside the compiled one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from byzanz.fast import Batch
from byzanz.fast.layout import Bytes
from byzanz.network import Network
from tests.requirements import import_or_skip

import_or_skip("torch")

from byzanz.network.torch_forward import SharedForward, check_device  # noqa: E402


def observed(players: int, games: int, steps: int) -> tuple[Bytes, Bytes]:
    """Return the features and masks of games after some steps."""
    batch = Batch(players, range(games))
    for _ in range(steps):
        masks, _ = batch.observe()
        batch.step([int(np.flatnonzero(mask)[len(mask) % 3 % mask.sum()]) for mask in masks])
    masks, rows = batch.observe()
    return rows.copy(), masks.copy()


@pytest.mark.parametrize("players", [3, 4, 6])
def test_results_are_those_of_the_compiled_network(players: int) -> None:
    network = Network.load()
    forward = SharedForward(network.weights, "cpu")
    for steps in (0, 9, 25):
        rows, masks = observed(players, 40, steps)
        policies, values = network.evaluate(rows, masks)
        best, found = forward(rows, masks)
        assert np.abs(found - values).max() < 2e-3
        top = np.sort(policies, 1)
        sure = top[:, -1] - top[:, -2] > 1e-3
        assert sure.sum() > 10
        assert (best == policies.argmax(1))[sure].all()


def test_threads_get_the_results_of_their_own_rows() -> None:
    network = Network.load()
    forward = SharedForward(network.weights, "cpu")
    parts = [observed(players, 3, steps) for players in (3, 4, 6) for steps in (0, 3, 7)]
    alone = [forward(*part) for part in parts]
    with ThreadPoolExecutor(len(parts)) as pool:
        together = [*pool.map(lambda part: forward(*part), parts * 5)]
    for (best, values), (again, found) in zip(alone * 5, together, strict=True):
        assert (best == again).all()
        assert np.abs(values - found).max() < 1e-5


def test_an_error_reaches_the_thread_that_asked() -> None:
    forward = SharedForward(Network.load().weights, "cpu")
    rows, masks = observed(3, 2, 0)
    with pytest.raises(Exception, match=r"index|size|shape|dimension"):
        forward(rows[:, :5].copy(), masks)
    assert len(forward(rows, masks)[0]) == 2


def test_a_missing_gpu_is_refused() -> None:
    import torch  # noqa: PLC0415

    if torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    with pytest.raises(ValueError, match="PyTorch finds no GPU on this machine"):
        check_device("cuda")
