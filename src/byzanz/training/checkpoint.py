"""Checkpoints of training runs, including those that older versions wrote."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, NamedTuple
from zipfile import is_zipfile

import torch

from .device import Device
from .model import OLD_PARAMETERS

_FORMAT = 7
_OLD_FORMAT = 6

_OLD_STATE = {"lessons": "updates", "before": "initial_card", "others": "files"}
"""Old names in the state of checkpoints, each with its current name."""
_OLD_CURVE = {
    "lesson": "update", "panel": "evaluation", "past": "snapshot", "surprise": "value_loss",
    "change": "approx_kl", "cut": "truncated", "playing": "rollout_seconds",
    "learning": "update_seconds",
}  # fmt: skip
"""Old names in the learning curve of checkpoints, each with its current name."""

Parameters = dict[str, torch.Tensor]


class Checkpoint(NamedTuple):
    """The stored state of a training run."""

    state: dict[str, Any]
    """Everything except tensors, as a JSON object."""
    net: Parameters
    average: Parameters
    optimizer: dict[int, Any]
    """The optimizer's state by parameter, without its hyperparameters."""

    def save(self, path: Path) -> None:
        """Write the checkpoint to a file atomically."""
        stored = {
            "format": _FORMAT, "state": json.dumps(self.state), "net": self.net,
            "average": self.average, "optimizer": self.optimizer,
        }  # fmt: skip
        part = path.with_name(f"{path.name}.part")
        torch.save(stored, part)
        os.replace(part, path)  # noqa: PTH105

    @classmethod
    def load(cls, path: Path, device: Device) -> Checkpoint:
        """Read a checkpoint; raise ValueError if the file is not a readable checkpoint."""
        stored: Any = None
        with path.open("rb") as file, suppress(EOFError, RuntimeError, UnpicklingError):
            if is_zipfile(file):
                stored = torch.load(path, map_location=device.torch_device, weights_only=True)
        version = stored.get("format") if isinstance(stored, dict) else None
        if version == _OLD_FORMAT:
            state = _state_of_old(json.loads(stored["told"]))
            net, average = (
                {OLD_PARAMETERS.get(name, name): value for name, value in stored[key].items()}
                for key in ("net", "average")
            )
            return cls(state, net, average, stored["optimizer"])
        if version != _FORMAT:
            raise ValueError(
                f"'{path}' is not a checkpoint of this version; use --from to continue from "
                "weights, in a new folder"
            )
        state = json.loads(stored["state"])
        return cls(state, stored["net"], stored["average"], stored["optimizer"])


def _state_of_old(state: dict[str, Any]) -> dict[str, Any]:
    """Return an old checkpoint's state with current names; its settings keep their old names."""
    renamed = {_OLD_STATE.get(name, name): value for name, value in state.items()}
    renamed["curve"] = [
        {_OLD_CURVE.get(name, name): value for name, value in entry.items()}
        for entry in state["curve"]
    ]
    if horizon := state["horizon"]:
        renamed["horizon"] = {_OLD_STATE.get(name, name): horizon[name] for name in horizon}
    return renamed
