"""All slots at once on a GPU, one a thread, beside the networks: nothing is copied between them.

PyTorch owns the memory, and numba-cuda's kernels work in it, on PyTorch's stream.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import torch

if not hasattr(np, "row_stack"):  # numba-cuda still asks NumPy for its old name
    np.row_stack = np.vstack

from numba import cuda

from byzanz.fast.layout import Bytes, Words

from .env import PLAYS, Floats, characters, look, play_on
from .returns import look_back

_THREADS = 64

warnings.filterwarnings("ignore", message="Grid size")  # when there are only few games


def _look(games: Words, kinds: Words, waiting: Words, sights: Bytes) -> None:
    slot = cuda.grid(1)
    if slot < len(games):
        look(slot, games, kinds, waiting, sights)


def _play_on(
    games: Words,
    kinds: Words,
    waiting: Words,
    sights: Bytes,
    numbers: Words,
    results: Floats,
    coming: Words,
) -> None:
    slot = cuda.grid(1)
    if slot < len(games):
        play_on(slot, games, kinds, waiting, sights, numbers, results, coming)


def _look_back(
    newest: int,
    filled: int,
    window: int,
    profit: float,
    trace: float,
    sights: Bytes,
    choices: Floats,
    results: Floats,
    targets: Floats,
    ready: Bytes,
    scratch: Floats,
    told: Floats,
) -> None:
    slot = cuda.grid(1)
    if slot < len(told):
        look_back(
            slot, newest, filled, window, profit, trace,
            sights, choices, results, targets, ready, scratch, told,
        )  # fmt: skip


def _following(script: int, plays: Callable[[Words, Words, Words], None]) -> Callable[..., None]:
    """A kernel that follows one script: together their tables are too large for a GPU."""

    def kernel(games: Words, waiting: Words, values: Words, habits: Words) -> None:
        slot = cuda.grid(1)
        if slot < len(games) and waiting[slot] == script:
            plays(games[slot], values, habits)

    return kernel


KERNELS = (_look, _play_on, _look_back)
SCRIPT_KERNELS = {script: _following(script, plays) for script, plays in PLAYS.items()}
"""What runs on the GPU; compiled when it is first asked for."""


@lru_cache(maxsize=len(KERNELS) + len(SCRIPT_KERNELS))
def _compiled(kernel: Callable[..., None]) -> Any:
    return cuda.jit(kernel)


def _run(kernel: Callable[..., None], count: int, *arguments: Any) -> None:
    """Runs a kernel on so many threads, after what PyTorch was told before."""
    stream = _stream(torch.cuda.current_stream().cuda_stream)
    _compiled(kernel)[-(-count // _THREADS), _THREADS, stream](*arguments)


@lru_cache(maxsize=16)
def _stream(handle: int) -> Any:
    """PyTorch's stream as Numba's; 0 is the default one."""
    return cuda.external_stream(handle) if handle else 0


class GpuEngine:
    """Kernels over the slots."""

    def __init__(self, device: torch.device) -> None:
        self._character = [
            self.bound(torch.from_numpy(np.ascontiguousarray(each)).to(device))
            for each in characters()
        ]

    def bound(self, tensor: torch.Tensor) -> Any:
        """The tensor's memory, as kernels take it; binding takes longer than many a kernel."""
        return cuda.as_cuda_array(tensor)

    def look(self, *arrays: Any) -> None:
        """Every sight is up to date: :func:`byzanz.training.env.look`."""
        _run(_look, len(arrays[0]), *arrays)

    def follow(self, scripts: Iterable[int], *arrays: Any) -> None:
        """Scripts have played where it was their turn; ``scripts`` says which there may be."""
        for script in scripts:
            _run(SCRIPT_KERNELS[script], len(arrays[0]), *arrays, *self._character)

    def play_on(self, *arrays: Any) -> None:
        """Every game is at its next choice: :func:`byzanz.training.env.play_on`."""
        _run(_play_on, len(arrays[0]), *arrays)

    def look_back(self, figures: tuple[int, int, int, float, float], *arrays: Any) -> None:
        """Targets are set: :func:`byzanz.training.returns.look_back`."""
        _run(_look_back, arrays[0].shape[1], *figures, *arrays)
