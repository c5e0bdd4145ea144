"""The compiled engine on a GPU, one game per thread, from the same source.

:class:`GpuBatch` has the interface of :class:`byzanz.fast.Batch`. Its arrays stay on the GPU, where
PyTorch and JAX use them without copies. ``python -m byzanz.fast.gpu check`` compares batches on the
GPU and the CPU, ``digests FILE`` plays 10,000 games and stores their digests, which tests recompute
on the CPU, and ``bench`` measures steps per second. Only the modules ``gpu*`` of this package need
numba-cuda and an NVIDIA GPU.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from byzanz.encoding.features import FEATURES
from byzanz.encoding.numbers import NUMBERS
from byzanz.rules.deal import setup_for

from . import dlpack
from . import gpu_kernels as kernels
from .arguments import integers, seeds_of
from .batch import Batch
from .convert import Records
from .gpu_kernels import cuda
from .layout import RECORD, RECORD_LENGTH
from .policy_ids import POLICIES


class GpuArray:
    """An array on the GPU that other libraries use without copying it.

    In PyTorch, call ``torch.as_tensor(array, device="cuda")``; in JAX,
    ``jax.dlpack.from_dlpack(array)``. CuPy and Numba read ``__cuda_array_interface__``. The batch
    overwrites its arrays, so a PyTorch tensor has the new values after each step. JAX treats arrays
    as constants, so convert the array again after each step.
    """

    def __init__(self, array: Any) -> None:
        self.array = array
        """The array as Numba's device array."""
        self.shape: tuple[int, ...] = array.shape
        self.dtype: np.dtype[Any] = array.dtype

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<GpuArray of shape {self.shape} and type {self.dtype}>"

    def copy_to_host(self) -> npt.NDArray[Any]:
        """Return a copy in the CPU's memory, after all kernels have ended."""
        return np.asarray(self.array.copy_to_host())

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found: dict[str, Any] = self.array.__cuda_array_interface__
        return found

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.CUDA, cuda.get_current_device().id

    def __dlpack__(self, *, stream: int | None = None, **_: object) -> Any:
        if stream not in {-1, 1}:  # the kernels run on stream 1, CUDA's default stream
            cuda.synchronize()
        address, _ = self.__cuda_array_interface__["data"]
        return dlpack.capsule(address, self.shape, self.dtype, self.__dlpack_device__(), self.array)


class GpuStep(NamedTuple):
    """What a step of all games returns; the next step overwrites these arrays."""

    observations: dict[str, GpuArray]
    """``observation``: the features of the seats to act next; ``action_mask``: their masks."""
    rewards: GpuArray
    """By game and seat, the share of the win if the game ended with this step, otherwise 0."""
    terminated: GpuArray
    """Which games ended with this step."""
    info: dict[str, GpuArray]
    """``turns``: the seat to act in each game. ``profit``: by game and seat, the profit if the game
    ended with this step, otherwise 0."""


class GpuBatch:
    """A batch of games on the GPU, like :class:`byzanz.fast.Batch` on the CPU.

    ``games``, ``masks``, ``rows`` (the features) and ``numbers`` are on the GPU. Every method
    overwrites and returns the same arrays. Kernels run on CUDA's default stream, which PyTorch uses
    by default. Of the methods that play, only :meth:`step` waits for the GPU, to check the numbers.
    """

    def __init__(self, players: int, seeds: npt.ArrayLike, *, autoreset: bool = False) -> None:
        """Deal one game for each seed (unsigned 64-bit).

        Raises IllegalDeal if there is no game for this number of players (R2.1).
        """
        setup_for(players)
        dealt = seeds_of(seeds)
        games = cuda.to_device(np.zeros((len(dealt), RECORD_LENGTH), np.int64))
        self._hold(games, players, autoreset=autoreset)
        self._run(kernels.deal_games, self.games, players, cuda.to_device(dealt))

    @classmethod
    def from_records(cls, records: Records, *, autoreset: bool = False) -> GpuBatch:
        """Return a batch of copies of these records; see :meth:`byzanz.fast.Batch.from_records`."""
        found = Batch.from_records(records)
        batch = cls.__new__(cls)
        batch._hold(cuda.to_device(found.games), found.players, autoreset=autoreset)
        return batch

    def _hold(self, games: Any, players: int, *, autoreset: bool) -> None:
        count = len(games)
        self.players, self.autoreset = players, autoreset
        self.games = GpuArray(games)
        self.masks = _zeros((count, NUMBERS), np.uint8)
        self.rows = _zeros((count, FEATURES), np.uint8)
        self.numbers = _zeros(count, np.int64)
        self._turns, self._over = _zeros(count, np.int64), _zeros(count, np.bool_)
        self._terminated, self._illegal = _zeros(count, np.bool_), _zeros(count, np.bool_)
        self._rewards, self._shares = (_zeros((count, players), np.float64) for _ in range(2))
        self._ended, self._profits = (_zeros((count, players), np.int64) for _ in range(2))
        self._grid = -(-count // kernels.THREADS), kernels.THREADS

    def _run(self, kernel: Any, *arguments: Any) -> None:
        if len(self):
            plain = [each.array if isinstance(each, GpuArray) else each for each in arguments]
            kernel[self._grid](*plain)

    def __len__(self) -> int:
        return len(self.games)

    def __repr__(self) -> str:
        return f"<GpuBatch of {len(self):,} games with {self.players} players>"

    @property
    def turns(self) -> GpuArray:
        """The seat to act in each game; -1 if the game is over."""
        self._run(kernels.write_status, self.games, self._turns, self._over)
        return self._turns

    @property
    def over(self) -> GpuArray:
        """Which games are over."""
        self._run(kernels.write_status, self.games, self._turns, self._over)
        return self._over

    def reset(
        self, seeds: npt.ArrayLike | None = None
    ) -> tuple[dict[str, GpuArray], dict[str, GpuArray]]:
        """Deal a new game in each place, and return the first observations and an info.

        Without seeds, the random generator of each game draws the seed of the next game.
        """
        if seeds is None:
            self.redeal(np.ones(len(self), dtype=np.bool_))
        else:
            dealt = cuda.to_device(seeds_of(seeds, len(self)))
            self._run(kernels.deal_games, self.games, self.players, dealt)
        return self._observations(), {"turns": self.turns}

    def redeal(self, which: Any) -> None:
        """Deal new games where ``which`` is true, from seeds that the games' generators draw.

        ``which`` is an array of booleans, on the GPU or not. Raises TypeError if it has another
        type, ValueError if it has another length.
        """
        if not hasattr(which, "__cuda_array_interface__"):
            which = np.asarray(which)
        self._run(kernels.redeal_games, self.games, self._on_gpu(which, "the games", "b"))

    def observe(self) -> tuple[GpuArray, GpuArray]:
        """Write the masks and features of the seats to act, and return the two arrays."""
        self._run(kernels.observe_games, self.games, self.masks, self.rows)
        return self.masks, self.rows

    def _observations(self) -> dict[str, GpuArray]:
        masks, rows = self.observe()
        return {"observation": rows, "action_mask": masks}

    def choose(self) -> GpuArray:
        """Draw a legal action number for each game that is not over, and return ``numbers``."""
        self._run(kernels.choose_numbers, self.games, self.numbers)
        return self.numbers

    def step(self, numbers: Any = None) -> GpuStep:
        """Play one action number in each game that is not over; by default the batch's ``numbers``.

        The numbers are an array of integers, on the GPU (of PyTorch, JAX, CuPy or Numba) or not.
        Raises TypeError or ValueError like :meth:`byzanz.fast.Batch.step`; then no game is changed.
        """
        played = self._numbers(numbers)
        count = _zeros(1, np.int64)
        self._run(kernels.check_numbers, self.games, played, self.masks, self._illegal, count)
        if count.copy_to_host()[0]:
            places = np.flatnonzero(self._illegal.copy_to_host())
            raise ValueError(f"illegal action numbers in games {places[:10]}")
        return self.step_unchecked(played)

    def step_unchecked(self, numbers: Any = None) -> GpuStep:
        """Play legal action numbers without checking them and without waiting for the GPU.

        An illegal number leaves a game in an impossible state.
        """
        arrays = self._terminated, self._rewards, self._ended
        self._run(kernels.step_games, self.games, self._numbers(numbers), self.autoreset, *arrays)
        info = {"turns": self.turns, "profit": self._ended}
        return GpuStep(self._observations(), self._rewards, self._terminated, info)

    def finish(self, policy: str = "random") -> None:
        """Play all games to their end with a policy, ``random`` or ``sensible``."""
        if policy not in POLICIES:
            raise ValueError(f"there is no policy '{policy}'; there are {', '.join(POLICIES)}")
        self._run(kernels.finish_games, self.games, POLICIES[policy])

    def results(self) -> tuple[GpuArray, GpuArray]:
        """Return each seat's current profit and share of the win."""
        self._run(kernels.write_results, self.games, self._profits, self._shares)
        return self._profits, self._shares

    def to_host(self) -> Batch:
        """Return a batch with copies of all games in the CPU's memory."""
        records: Records = self.games.copy_to_host().view(RECORD)[:, 0]
        return Batch.from_records(records, autoreset=self.autoreset)

    def _numbers(self, given: Any) -> Any:
        if given is None:
            return self.numbers.array
        if isinstance(given, GpuArray) or hasattr(given, "__cuda_array_interface__"):
            return self._on_gpu(given, "action numbers", "iu")
        return cuda.to_device(integers(given, "action numbers", len(self)).astype(np.int64))

    def _on_gpu(self, given: Any, name: str, kinds: str) -> Any:
        """Return an array as Numba's device array, without a copy if it is on the GPU."""
        if isinstance(given, GpuArray):
            given = given.array
        elif hasattr(given, "__cuda_array_interface__"):
            given = cuda.as_cuda_array(given)
        if given.dtype.kind not in kinds:
            kind = "booleans" if kinds == "b" else "integers"
            raise TypeError(f"{name} must be {kind}, not {given.dtype}")
        if given.shape != (len(self),):
            raise ValueError(f"{name} must have shape ({len(self)},), not shape {given.shape}")
        return cuda.to_device(given) if isinstance(given, np.ndarray) else given


def _zeros(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> GpuArray:
    return GpuArray(cuda.to_device(np.zeros(shape, dtype)))


if __name__ == "__main__":
    from .gpu_check import main

    sys.exit(main())
