"""The device of a training run, on which networks, games and the buffer are stored."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import torch

from .cpu_batch import CpuEngine

_WARM_UP = 3
"""The number of calls before a CUDA graph is captured, in which libraries initialise themselves."""


class Engine(Protocol):
    """The interface of the compiled code that runs over all envs.

    Its arguments are arrays made by ``as_array``.
    """

    def as_array(self, tensor: torch.Tensor) -> Any:
        """Return the tensor's memory as an array for compiled code."""

    def observe(self, *arrays: Any) -> None:
        """Update all observations: :func:`byzanz.training.env.observe`."""

    def play_scripts(self, scripts: Iterable[int], *arrays: Any) -> None:
        """Play a step in every env where a script is to act; ``scripts`` are the possible ids."""

    def advance(self, *arrays: Any) -> None:
        """Advance all games to their next decision: :func:`byzanz.training.env.advance`."""

    def compute_returns(
        self, figures: tuple[int, int, int, float, float, float], *arrays: Any
    ) -> None:
        """Compute all targets: :func:`byzanz.training.returns.compute_returns`."""


class Device:
    """A CPU, or a GPU used through numba-cuda; ``graphs`` turns on CUDA graphs and compilation."""

    def __init__(self, name: str, *, graphs: bool = True) -> None:
        if name == "cuda" and not torch.cuda.is_available():
            raise ValueError("PyTorch finds no GPU on this machine")
        self.torch_device = torch.device(name)
        self.on_gpu = self.torch_device.type == "cuda"
        self.graphs = graphs and self.on_gpu
        self.static_shapes = self.on_gpu
        """Whether tensor shapes must be fixed, and code must not wait for the GPU's results."""
        self.engine: Engine = CpuEngine()
        if self.on_gpu:
            from .gpu_batch import GpuEngine  # noqa: PLC0415

            self.engine = GpuEngine(self.torch_device)

    @property
    def name(self) -> str:
        """The device's name."""
        return torch.cuda.get_device_name(self.torch_device) if self.on_gpu else "CPU"

    def autocast(self) -> torch.autocast:
        """Return a context for bfloat16 matrix products on a GPU; on a CPU it does nothing."""
        return torch.autocast(
            self.torch_device.type, torch.bfloat16, enabled=self.on_gpu, cache_enabled=False
        )

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function compiled by PyTorch if graphs are on, else unchanged."""
        return torch.compile(function, dynamic=False) if self.graphs else function

    def graphed(self, function: Callable[[], None]) -> Callable[[], None]:
        """Return the function as a CUDA graph if graphs are on, else unchanged.

        The function must use the same tensors in every call.
        """
        return GraphedCall(function) if self.graphs else function


class GraphedCall:
    """A function on fixed tensors that is captured as a CUDA graph after a few calls."""

    def __init__(self, function: Callable[[], None]) -> None:
        self._function = function
        self._calls = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._failed = False

    def __call__(self) -> None:
        """Queue the function on the GPU."""
        self._calls += 1
        if self._calls <= _WARM_UP:
            side, main = torch.cuda.Stream(), torch.cuda.current_stream()
            side.wait_stream(main)
            with torch.cuda.stream(side):
                self._function()
            main.wait_stream(side)
            return
        if self._graph is None and not self._failed:
            self._capture()
        if self._graph is None:
            self._function()
        else:
            self._graph.replay()

    def _capture(self) -> None:
        graph = torch.cuda.CUDAGraph()
        try:
            with torch.cuda.graph(graph, capture_error_mode="thread_local"):
                self._function()
        except Exception as error:  # noqa: BLE001 - any error of the GPU's libraries
            name = self._function.__qualname__
            sys.stderr.write(f"{name} runs without a CUDA graph: {error!r}\n")
            self._failed = True
        else:
            self._graph = graph
