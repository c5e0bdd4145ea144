"""The GPU's kernels, run on the CPU one thread after the other."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from byzanz.training.device import Device
from tests.requirements import import_or_skip


def emulated_gpu(monkeypatch: pytest.MonkeyPatch) -> Device:
    """Return a device with the GPU's engine in the CPU's memory."""
    import_or_skip("numba.cuda")
    from byzanz.training import gpu_batch  # noqa: PLC0415

    def launch(kernel: Any, count: int, *arguments: Any) -> None:
        for thread in range(count + 1):  # one more than there are envs: a grid is rounded up
            monkeypatch.setattr(
                gpu_batch,
                "cuda",
                SimpleNamespace(grid=lambda _, thread=thread: thread),
                raising=True,
            )
            kernel(*arguments)

    class EmulatedEngine(gpu_batch.GpuEngine):
        def as_array(self, tensor: Any) -> Any:
            return tensor.numpy()

    monkeypatch.setattr(gpu_batch, "_run", launch)
    device = Device("cpu")
    device.engine = EmulatedEngine(torch.device("cpu"))
    return device
