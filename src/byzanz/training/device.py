"""Where a training runs: a device that the networks, the games and all that was seen share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import torch

from .cpu_batch import CpuEngine

_WARM = 3
"""Calls before a graph is made: libraries want to have set themselves up."""


class Engine(Protocol):
    """Compiled code over all slots; arrays are what ``bound`` made of tensors."""

    def bound(self, tensor: torch.Tensor) -> Any:
        """The tensor's memory, as compiled code takes it."""

    def look(self, *arrays: Any) -> None:
        """Every sight is up to date: :func:`byzanz.training.env.look`."""

    def follow(self, scripts: Iterable[int], *arrays: Any) -> None:
        """Scripts have played where it was their turn; ``scripts`` says which there may be."""

    def play_on(self, *arrays: Any) -> None:
        """Every game is at its next choice: :func:`byzanz.training.env.play_on`."""

    def look_back(self, figures: tuple[int, int, int, float, float], *arrays: Any) -> None:
        """Targets are set: :func:`byzanz.training.returns.look_back`."""


class Machine:
    """A CPU, or a GPU with numba-cuda; with ``graphs`` a GPU is told a tick or a step at once."""

    def __init__(self, device: str, *, graphs: bool = True) -> None:
        if device == "cuda" and not torch.cuda.is_available():
            raise ValueError("PyTorch finds no GPU here")
        self.device = torch.device(device)
        self.graphs = graphs and self.device.type == "cuda"
        self.steady = self.device.type == "cuda"
        """Shapes must not change, and nothing may wait for an answer."""
        self.engine: Engine = CpuEngine()
        if self.device.type == "cuda":
            from .gpu_batch import GpuEngine  # noqa: PLC0415

            self.engine = GpuEngine(self.device)

    @property
    def name(self) -> str:
        """What the device is called."""
        on_gpu = self.device.type == "cuda"
        return torch.cuda.get_device_name(self.device) if on_gpu else "CPU"

    def halved(self) -> torch.autocast:
        """Matrices are multiplied in half precision on a GPU, and in full on a CPU."""
        on = self.device.type == "cuda"
        return torch.autocast(self.device.type, torch.bfloat16, enabled=on, cache_enabled=False)

    def fused(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same function of tensors; where there are graphs its many small steps become few."""
        return torch.compile(work, dynamic=False) if self.graphs else work

    def replayed(self, work: Callable[[], None]) -> Callable[[], None]:
        """The same work on the same tensors, as a graph where there are graphs."""
        return Replayed(work) if self.graphs else work


class Replayed:
    """Work on fixed tensors that a GPU is told whole: the first calls as it is, then as a graph."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._calls = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._plain = False

    def __call__(self) -> None:
        """The work is done, or is about to be before all that is asked for later."""
        self._calls += 1
        if self._calls <= _WARM:
            aside, here = torch.cuda.Stream(), torch.cuda.current_stream()
            aside.wait_stream(here)
            with torch.cuda.stream(aside):
                self._work()
            here.wait_stream(aside)
            return
        if self._graph is None and not self._plain:
            self._capture()
        if self._graph is None:
            self._work()
        else:
            self._graph.replay()

    def _capture(self) -> None:
        graph = torch.cuda.CUDAGraph()
        try:
            with torch.cuda.graph(graph, capture_error_mode="thread_local"):
                self._work()
        except Exception as error:  # noqa: BLE001 - whatever the GPU's libraries say
            sys.stderr.write(f"{self._work.__qualname__} goes on without a graph: {error!r}\n")
            self._plain = True
        else:
            self._graph = graph
