"""A GPU's kernels, run on the CPU thread by thread."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from byzanz.training.device import Machine
from tests.missing import import_or_skip


def emulated(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine whose engine is a GPU's, in a CPU's memory."""
    import_or_skip("numba.cuda")
    from byzanz.training import gpu_batch  # noqa: PLC0415

    def launched(kernel: Any, count: int, *arguments: Any) -> None:
        for thread in range(count + 1):  # one more than there are slots: a grid is rounded up
            monkeypatch.setattr(
                gpu_batch,
                "cuda",
                SimpleNamespace(grid=lambda _, thread=thread: thread),
                raising=True,
            )
            kernel(*arguments)

    class Launcher(gpu_batch.GpuEngine):
        def bound(self, tensor: Any) -> Any:
            return tensor.numpy()

    monkeypatch.setattr(gpu_batch, "_run", launched)
    machine = Machine("cpu")
    machine.engine = Launcher(torch.device("cpu"))
    return machine
