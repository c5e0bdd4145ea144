"""All envs at once on a GPU, one per thread, in the same memory as the networks.

PyTorch owns the memory. Numba's kernels use it on PyTorch's CUDA stream; nothing is copied.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import torch

if not hasattr(np, "row_stack"):  # numba-cuda uses this name, which NumPy removed
    np.row_stack = np.vstack

from numba import cuda

from byzanz.fast.layout import Bytes, Ints, Record

from .env import SCRIPT_STEPS, Floats, advance, observe, trader_parameters
from .returns import compute_returns

_THREADS = 64

warnings.filterwarnings("ignore", message="Grid size")  # numba-cuda warns if there are few envs


def _observe(games: Record, policies: Ints, to_act: Ints, observations: Bytes) -> None:
    env = cuda.grid(1)
    if env < len(games):
        observe(env, games, policies, to_act, observations)


def _advance(
    games: Record,
    policies: Ints,
    to_act: Ints,
    observations: Bytes,
    actions: Ints,
    results: Floats,
    next_games: Ints,
) -> None:
    env = cuda.grid(1)
    if env < len(games):
        advance(env, games, policies, to_act, observations, actions, results, next_games)


def _compute_returns(
    newest: int,
    filled: int,
    window: int,
    profit_coef: float,
    gae_lambda: float,
    value_lambda: float,
    observations: Bytes,
    transitions: Floats,
    results: Floats,
    targets: Floats,
    ready: Bytes,
    scratch: Floats,
    statistics: Floats,
) -> None:
    env = cuda.grid(1)
    if env < len(statistics):
        compute_returns(
            env, newest, filled, window, profit_coef, gae_lambda, value_lambda,
            observations, transitions, results, targets, ready, scratch, statistics,
        )  # fmt: skip


def _script_kernel(script: int, play: Callable[[Record, Ints, Ints], None]) -> Callable[..., None]:
    """Return a kernel for one script; one kernel with the tables of all would exceed GPU limits."""

    def kernel(games: Record, to_act: Ints, values: Ints, habits: Ints) -> None:
        env = cuda.grid(1)
        if env < len(games) and to_act[env] == script:
            play(games[env], values, habits)

    return kernel


KERNELS = (_observe, _advance, _compute_returns)
SCRIPT_KERNELS = {script: _script_kernel(script, play) for script, play in SCRIPT_STEPS.items()}
"""The functions that run on the GPU; each is compiled at its first use."""


@lru_cache(maxsize=len(KERNELS) + len(SCRIPT_KERNELS))
def _compiled(kernel: Callable[..., None]) -> Any:
    return cuda.jit(kernel)


def _run(kernel: Callable[..., None], count: int, *arguments: Any) -> None:
    """Run a kernel with ``count`` threads on PyTorch's current stream."""
    stream = _stream(torch.cuda.current_stream().cuda_stream)
    _compiled(kernel)[-(-count // _THREADS), _THREADS, stream](*arguments)


@lru_cache(maxsize=16)
def _stream(handle: int) -> Any:
    """Return PyTorch's stream as a Numba stream; 0 is the default stream."""
    return cuda.external_stream(handle) if handle else 0


class GpuEngine:
    """Kernels that run over the envs."""

    def __init__(self, device: torch.device) -> None:
        self._trader = [
            self.as_array(torch.from_numpy(np.ascontiguousarray(each)).to(device))
            for each in trader_parameters()
        ]

    def as_array(self, tensor: torch.Tensor) -> Any:
        """Return the tensor's memory as an array for kernels. Some kernels are faster than this."""
        return cuda.as_cuda_array(tensor)

    def observe(self, *arrays: Any) -> None:
        """Update all observations: :func:`byzanz.training.env.observe`."""
        _run(_observe, len(arrays[0]), *arrays)

    def play_scripts(self, scripts: Iterable[int], *arrays: Any) -> None:
        """Play a step in every env where a script is to act; ``scripts`` are the possible ids."""
        for script in scripts:
            _run(SCRIPT_KERNELS[script], len(arrays[0]), *arrays, *self._trader)

    def advance(self, *arrays: Any) -> None:
        """Advance all games to their next decision: :func:`byzanz.training.env.advance`."""
        _run(_advance, len(arrays[0]), *arrays)

    def compute_returns(
        self, figures: tuple[int, int, int, float, float, float], *arrays: Any
    ) -> None:
        """Compute all targets: :func:`byzanz.training.returns.compute_returns`."""
        _run(_compute_returns, arrays[0].shape[1], *figures, *arrays)
