"""A training run: its state, its main loop, and the folder that it is stored in."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import torch

from byzanz.arena.charts import strength_chart
from byzanz.network import Weights

from .checkpoint import Checkpoint
from .device import Device
from .env import SCRIPTS
from .evaluation import evaluate
from .model import Net
from .opponents import training_seating
from .ppo import PPO, optimizer_for
from .rollout import Rollout
from .settings import Settings
from .settings_file import write_settings

IMITATOR = Path(__file__).with_name("imitator.npz")
"""Weights of a network that imitates ``strategist``, which is too slow to be an opponent."""

_SAVE_EVERY = 60.0
"""Seconds between two checkpoints."""


@dataclass(frozen=True)
class Length:
    """The length of a training run, in minutes or in updates."""

    minutes: float | None = None
    updates: int | None = None

    def __post_init__(self) -> None:
        if (self.minutes is None) == (self.updates is None):
            raise ValueError("a length is given in minutes or in updates")
        if not 0 < (self.updates or self.minutes or 0) < inf:
            raise ValueError("the length must be greater than 0")

    def progress(self, seconds: float, updates: int) -> float:
        """Return the completed fraction."""
        if self.updates is not None:
            return updates / self.updates
        return seconds / (60 * (self.minutes or 1))


class Training:
    """A training run, stored in a folder.

    The folder contains ``checkpoint.pt``, from which the run can be resumed; ``weights.npz`` with
    the network that plays; ``settings.toml`` with all hyperparameters; ``curve.json`` and
    ``chart.svg`` with the learning curve; ``past`` with snapshots of the learner; and ``others``
    with copies of the other opponents' weights.
    """

    def __init__(
        self, folder: Path, settings: Settings, seed: int, device: Device, *,
        start: Path | None = None, imitator: Path | None = None, exploited: Path | None = None,
        against: Sequence[Path] = (), layers: int | None = None,
    ) -> None:  # fmt: skip
        """Begin a run with random weights, or with the weights in the file ``start``.

        ``exploited`` has the weights to find a best response to; without ``start``, the run begins
        with them. ``against`` are further opponents. A run that begins with given weights may have
        more ``layers`` than they do; the settings' shape is used only for random weights.
        """
        self.folder, self.seed, self.device = folder, seed, device
        self.updates, self.decisions, self.seconds = 0, 0, 0.0
        self.curve: list[dict[str, Any]] = []
        self.horizon: Length | None = None
        self.initial_card: dict[str, Any] | None = None
        """The card of the weights that the run began with; None if they were random."""
        torch.manual_seed(seed)
        net = Net(settings.shape)
        if first := start or exploited:
            weights = Weights.load(first)
            net = Net.from_weights(weights.deeper(layers or len(weights.layers)))
            self.initial_card = dict(weights.card)
        self.settings = replace(settings, shape=net.shape)
        self.net = net.to(device.torch_device)
        """The network that is trained."""
        self.average = deepcopy(self.net).requires_grad_(False)
        """The network that plays: the moving average of the parameters, which is stronger."""
        self.optimizer = optimizer_for(self.net, device)
        for file in filter(None, (exploited, *against)):
            self._network(str(file))  # raises an error now if the shape does not fit
        # The run uses copies, so that the files may change.
        imitates = "imitator" in dict(settings.opponents)
        self.imitator_file = self._copy("imitator", imitator or IMITATOR) if imitates else None
        self.exploited = self._copy("exploited", exploited) if exploited else None
        self.against = [
            self._copy(f"against-{place:02}", file) for place, file in enumerate(against)
        ]

    @classmethod
    def resume(cls, folder: Path, device: Device) -> Training:
        """Return the run stored in a folder, as of its last checkpoint, with new games.

        Raises OSError if there is no checkpoint, and ValueError if it is invalid.
        """
        checkpoint = Checkpoint.load(folder / "checkpoint.pt", device)
        state = checkpoint.state
        files = {Path(name).stem: folder / "others" / name for name in state["files"]}
        training = cls(
            folder, Settings.from_json(state["settings"]), state["seed"], device,
            exploited=files.pop("exploited", None), imitator=files.pop("imitator", None),
            against=list(files.values()), layers=state["settings"]["shape"][0],
        )  # fmt: skip
        training.initial_card = state["initial_card"]
        training.horizon = None if state["horizon"] is None else Length(**state["horizon"])
        training.net.load_state_dict(checkpoint.net)
        training.average.load_state_dict(checkpoint.average)
        # The optimizer's options depend on the device; only its moments are stored.
        groups = training.optimizer.state_dict()["param_groups"]
        training.optimizer.load_state_dict({"state": checkpoint.optimizer, "param_groups": groups})
        training.updates, training.decisions = state["updates"], state["decisions"]
        training.seconds, training.curve = state["seconds"], state["curve"]
        for file in (folder / "past").glob("*.npz"):
            if int(file.stem) > training.updates:
                file.unlink()  # a snapshot taken after the checkpoint
        return training

    @cached_property
    def rollout(self) -> Rollout:
        """The games, dealt at first use."""
        rng = np.random.default_rng([self.seed, self.updates, 1])
        return Rollout(self.settings, self.device, self.net, rng, self.imitator)

    @cached_property
    def imitator(self) -> Net | None:
        """The imitator, if it is one of the opponents."""
        if self.imitator_file is None:
            return None
        return Net.from_weights(Weights.load(self.imitator_file)).to(self.device.torch_device)

    @cached_property
    def ppo(self) -> PPO:
        """The learning algorithm."""
        return PPO(self.net, self.optimizer, self.rollout.buffer, self.settings, self.device)

    def train(self, length: Length, horizon: Length | None = None) -> Iterator[dict[str, Any]]:
        """Train up to ``length``, and yield the statistics of each update.

        ``horizon`` is the length that schedules refer to. Both start at the beginning of the run.
        A horizon remains in use until another is given.
        """
        self.horizon = horizon or self.horizon
        horizon = self.horizon or length
        saved = time.monotonic()
        if not self._snapshots():
            self._save_snapshot()  # the first opponent
        while length.progress(self.seconds, self.updates) < 1:
            began = time.monotonic()
            progress = horizon.progress(self.seconds, self.updates)
            before = horizon.progress(*self._last("snapshot"))
            entry = self._update(progress)
            if progress - max(before, 0.0) >= self.settings.snapshot_interval:
                self._save_snapshot()
                entry["snapshot"] = True
            self.seconds += time.monotonic() - began
            self.updates += 1
            began = time.monotonic()
            over = length.progress(self.seconds, self.updates) >= 1
            before = horizon.progress(*self._last("evaluation"))
            if over or before < 0 or progress - before >= self.settings.evaluation_interval:
                entry["evaluation"] = self.evaluate()
            self.seconds += time.monotonic() - began
            entry |= {"update": self.updates, "seconds": self.seconds, "decisions": self.decisions}
            self.curve.append(entry)
            over = length.progress(self.seconds, self.updates) >= 1  # the evaluation took time
            if over or time.monotonic() - saved > _SAVE_EVERY:
                self.save()
                saved = time.monotonic()
            yield entry

    def evaluate(self) -> dict[str, Any]:
        """Return the network's shares of the wins, by opponent and player count."""
        others: dict[str, Net] = {}
        scripts: tuple[str, ...] = tuple(SCRIPTS)
        if self.exploited is not None:
            others["frozen"], scripts = self._network(str(self.exploited)), ()
        elif snapshots := self._snapshots():
            # The weights that the run began with, or the middle one of its snapshots.
            place = len(snapshots) // 2 if self.initial_card is None else 0
            others["earlier"] = self._network(str(snapshots[place]))
        if self.imitator is not None:
            others["imitator"] = self.imitator
        evaluation = evaluate(self.device, self.average, others, scripts, self.settings)
        return {
            name: {str(players): share for players, share in shares.items()}
            for name, shares in evaluation.items()
        }

    def save(self) -> None:
        """Write all files to the folder, each of them atomically."""
        self.folder.mkdir(parents=True, exist_ok=True)
        files = self.exploited, self.imitator_file, *self.against
        state = {
            "settings": self.settings.as_json(), "seed": self.seed, "updates": self.updates,
            "decisions": self.decisions, "seconds": self.seconds, "curve": self.curve,
            "initial_card": self.initial_card,
            "files": [file.name for file in files if file is not None],
            "horizon": None if self.horizon is None else asdict(self.horizon),
        }  # fmt: skip
        Checkpoint(
            state, self.net.state_dict(), self.average.state_dict(),
            self.optimizer.state_dict()["state"],
        ).save(self.folder / "checkpoint.pt")  # fmt: skip
        self.weights().save(self.folder / "weights.npz")
        _write(self.folder / "settings.toml", write_settings(self.settings, self.seed))
        _write(self.folder / "curve.json", json.dumps(self.curve))
        chart = strength_chart(self.curve, self.settings.evaluation_games)
        _write(self.folder / "chart.svg", chart)

    def weights(self) -> Weights:
        """Return the weights of the network that plays, with a card.

        The keys of the card are part of the file format.
        """
        return self.average.to_weights(
            {
                "seed": self.seed,
                "lessons": self.updates,
                "decisions": self.decisions,
                "minutes": round(self.seconds / 60, 2),
                "settings": self.settings.as_json(),
                "device": self.device.name,
                "before": self.initial_card or {},
            }
        )

    def _update(self, progress: float) -> dict[str, Any]:
        """Run a rollout and an update; the seed and the update's number fix all random choices."""
        rng = np.random.default_rng([self.seed, self.updates])
        snapshots = self._draw_snapshots(rng)
        torch.manual_seed(int(rng.integers(1 << 62)))  # after loading, which uses random numbers
        settings = self.settings
        began = time.monotonic()
        self.rollout.set_snapshots(snapshots)
        finished = None
        while finished is None:
            self.rollout.run(settings.num_steps)
            self.rollout.envs.queue(training_seating(settings, rng))  # while the GPU is busy
            finished = self.rollout.buffer.finished_games(
                settings.profit_coef.at(progress), settings.gae_lambda.at(progress),
                settings.value_lambda, settings.minibatch_size,
            )  # fmt: skip
        rolled = time.monotonic()
        stats = self.ppo.update(finished.indices, progress)
        self.decisions += len(finished.indices)
        rate = max(settings.ema_rate, 1 / (self.updates + 1))
        for average, newest in zip(self.average.parameters(), self.net.parameters(), strict=True):
            average.lerp_(newest.detach(), rate)
        return asdict(stats) | {
            "profit": finished.profit, "truncated": finished.truncated,
            "rollout_seconds": rolled - began, "update_seconds": time.monotonic() - rolled,
        }  # fmt: skip

    def _draw_snapshots(self, rng: np.random.Generator) -> list[Net]:
        """Return the networks that play as snapshots until the next update."""
        if self.exploited is not None:
            return [self._network(str(self.exploited))] * self.settings.num_snapshots
        snapshots = self._snapshots()
        files = [*snapshots, *self.against]
        # Newer snapshots are drawn more often; given weights are drawn as often as the newest.
        count = len(snapshots)
        weights = np.array([*range(1, count + 1), *[count] * len(self.against)], float)
        number = self.settings.num_snapshots
        drawn = rng.choice(
            len(files), number, replace=number > len(files), p=weights / weights.sum()
        )
        return [self._network(str(files[place])) for place in drawn]

    @lru_cache(maxsize=64)  # noqa: B019 - a process has one training
    def _network(self, file: str) -> Net:
        weights, (depth, *widths) = Weights.load(file), self.net.shape
        if [*weights.widths] != widths or len(weights.layers) > depth:
            raise ValueError(f"the network in '{file}' does not have the learner's shape")
        return Net.from_weights(weights.deeper(depth)).to(self.device.torch_device)

    def _snapshots(self) -> list[Path]:
        return sorted((self.folder / "past").glob("*.npz"))

    def _copy(self, name: str, file: Path) -> Path:
        """Copy weights to the folder; return the copy."""
        copy = self.folder / "others" / f"{name}.npz"
        if file != copy:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
        return copy

    def _save_snapshot(self) -> None:
        (self.folder / "past").mkdir(parents=True, exist_ok=True)
        self.weights().save(self.folder / "past" / f"{self.updates:06}.npz")

    def _last(self, name: str) -> tuple[float, int]:
        """Return seconds and updates of the last entry with this key; both -1 if there is none."""
        for entry in reversed(self.curve):
            if name in entry:
                return entry["seconds"], entry["update"]
        return -1.0, -1


def _write(path: Path, text: str) -> None:
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)  # noqa: PTH105
