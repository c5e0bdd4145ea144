"""A training: what it has learnt so far, how it goes on, and where it is kept."""

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
from pickle import UnpicklingError
from typing import Any

import numpy as np
import torch

from byzanz.network import Weights

from .chart import strength_chart
from .device import Machine
from .env import SCRIPTS
from .evaluation import judged
from .model import Net
from .opponents import league
from .ppo import Learner, optimizer_for
from .rollout import Stream
from .settings import Settings

IMITATOR = Path(__file__).with_name("imitator.npz")
"""A network that plays much as ``strategist`` does, who thinks too long to sit in a league."""

_SAVED_EVERY = 60.0
"""Seconds."""
_FORMAT = 6
"""Of a checkpoint: another one means other networks or other settings."""


@dataclass(frozen=True)
class Length:
    """How long a training is: minutes on the clock, or lessons."""

    minutes: float | None = None
    lessons: int | None = None

    def __post_init__(self) -> None:
        if (self.minutes is None) == (self.lessons is None):
            raise ValueError("a training is so many minutes long, or so many lessons")
        if not 0 < (self.lessons or self.minutes or 0) < inf:
            raise ValueError("a training's length is above 0")

    def progress(self, seconds: float, lessons: int) -> float:
        """Which share of it is over."""
        if self.lessons is not None:
            return lessons / self.lessons
        return seconds / (60 * (self.minutes or 1))


class Training:
    """A network that learns, and the folder that it is kept in.

    In the folder are ``checkpoint.pt``, from which it goes on, ``weights.npz``, which plays,
    ``curve.json`` and ``chart.svg``, how it went, ``past``, its past selves, and ``others``, whose
    weights it was given.
    """

    def __init__(
        self, folder: Path, settings: Settings, seed: int, machine: Machine, *,
        start: Path | None = None, imitator: Path | None = None, exploited: Path | None = None,
        against: Sequence[Path] = (), layers: int | None = None,
    ) -> None:  # fmt: skip
        """A training at its beginning: from nothing, or from the weights of ``start``.

        ``exploited`` is whom it should find a best response to, and where that begins if ``start``
        is not given. From weights it may have more ``layers`` than they have; the settings' shape
        is for one from nothing.
        """
        self.folder, self.seed, self.machine = folder, seed, machine
        self.lessons, self.decisions, self.seconds = 0, 0, 0.0
        self.curve: list[dict[str, Any]] = []
        self.horizon: Length | None = None
        self.before: dict[str, Any] | None = None
        """The card of the weights that it began with; None from nothing."""
        torch.manual_seed(seed)
        net = Net(settings.shape)
        if first := start or exploited:
            weights = Weights.load(first)
            net = Net.from_weights(weights.deeper(layers or len(weights.layers)))
            self.before = dict(weights.card)
        self.settings = replace(settings, shape=net.shape)
        self.net = net.to(machine.device)
        """What learns."""
        self.average = deepcopy(self.net).requires_grad_(False)
        """What it was lately, on average: steadier, and a little stronger. That is who plays."""
        self.optimizer = optimizer_for(self.net, machine)
        for file in filter(None, (exploited, *against)):
            self._loaded(str(file))  # refused now rather than in the middle
        # They stay as they are now, whatever becomes of the files.
        imitated = "imitator" in dict(settings.company)
        self.imitator_file = (
            self._kept_other("imitator", imitator or IMITATOR) if imitated else None
        )
        self.exploited = self._kept_other("exploited", exploited) if exploited else None
        self.against = [
            self._kept_other(f"against-{place:02}", file) for place, file in enumerate(against)
        ]

    @classmethod
    def resume(cls, folder: Path, machine: Machine) -> Training:
        """The training that a folder keeps, as it was when it was last saved, at fresh games.

        Raises ValueError for a checkpoint that this version did not keep.
        """
        kept = _kept(folder / "checkpoint.pt", machine)
        told = json.loads(kept["told"])
        others = {Path(name).stem: folder / "others" / name for name in told["others"]}
        training = cls(
            folder, Settings.from_json(told["settings"]), told["seed"], machine,
            exploited=others.pop("exploited", None), imitator=others.pop("imitator", None),
            against=list(others.values()), layers=told["settings"]["shape"][0],
        )  # fmt: skip
        training.before = told["before"]
        training.horizon = None if told["horizon"] is None else Length(**told["horizon"])
        training.net.load_state_dict(kept["net"])
        training.average.load_state_dict(kept["average"])
        # How steps are done is this machine's; only what was learnt about them is kept.
        groups = training.optimizer.state_dict()["param_groups"]
        training.optimizer.load_state_dict({"state": kept["optimizer"], "param_groups": groups})
        training.lessons, training.decisions = told["lessons"], told["decisions"]
        training.seconds, training.curve = told["seconds"], told["curve"]
        for file in (folder / "past").glob("*.npz"):
            if int(file.stem) > training.lessons:
                file.unlink()  # of a way that it did not go
        return training

    @cached_property
    def stream(self) -> Stream:
        """The games, dealt when they are first asked for."""
        chance = np.random.default_rng([self.seed, self.lessons, 1])
        return Stream(self.settings, self.machine, self.net, chance, self.imitator)

    @cached_property
    def imitator(self) -> Net | None:
        """Who plays much as a strategist does, if the company has it."""
        if self.imitator_file is None:
            return None
        return Net.from_weights(Weights.load(self.imitator_file)).to(self.machine.device)

    @cached_property
    def learner(self) -> Learner:
        """What learns from the stream."""
        return Learner(self.net, self.optimizer, self.stream.ring, self.settings, self.machine)

    def go_on(self, length: Length, horizon: Length | None = None) -> Iterator[dict[str, Any]]:
        """Learns until ``length`` is over, yielding how lessons went; rates fade by ``horizon``.

        Both count from the training's beginning. A horizon once given stays until another is.
        """
        self.horizon = horizon or self.horizon
        horizon = self.horizon or length
        saved = time.monotonic()
        if not self._pasts():
            self._keep_past()  # there is always a past self to play against
        while length.progress(self.seconds, self.lessons) < 1:
            began = time.monotonic()
            progress = horizon.progress(self.seconds, self.lessons)
            before = horizon.progress(*self._last("past"))
            told = self._lesson(progress)
            if progress - max(before, 0.0) >= self.settings.past_every:
                self._keep_past()
                told["past"] = True
            self.seconds += time.monotonic() - began
            self.lessons += 1
            began = time.monotonic()
            over = length.progress(self.seconds, self.lessons) >= 1
            before = horizon.progress(*self._last("panel"))
            if over or before < 0 or progress - before >= self.settings.panel_every:
                told["panel"] = self.judge()
            self.seconds += time.monotonic() - began
            told |= {"lesson": self.lessons, "seconds": self.seconds, "decisions": self.decisions}
            self.curve.append(told)
            over = length.progress(self.seconds, self.lessons) >= 1  # judging takes time, too
            if over or time.monotonic() - saved > _SAVED_EVERY:
                self.save()
                saved = time.monotonic()
            yield told

    def judge(self) -> dict[str, Any]:
        """How strong the network is now."""
        others: dict[str, Net] = {}
        scripts: tuple[str, ...] = tuple(SCRIPTS)
        if self.exploited is not None:
            others["frozen"], scripts = self._loaded(str(self.exploited)), ()
        elif pasts := self._pasts():
            # Who began with weights is compared with those, and others with half of their way.
            compared = len(pasts) // 2 if self.before is None else 0
            others["earlier"] = self._loaded(str(pasts[compared]))
        if self.imitator is not None:
            others["imitator"] = self.imitator
        panel = judged(self.machine, self.average, others, scripts, self.settings)
        return {
            name: {str(players): share for players, share in shares.items()}
            for name, shares in panel.items()
        }

    def save(self) -> None:
        """All of it is kept in the folder, each file whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        others = self.exploited, self.imitator_file, *self.against
        told = {
            "settings": self.settings.as_json(), "seed": self.seed, "lessons": self.lessons,
            "decisions": self.decisions, "seconds": self.seconds, "curve": self.curve,
            "before": self.before, "others": [file.name for file in others if file is not None],
            "horizon": None if self.horizon is None else asdict(self.horizon),
        }  # fmt: skip
        kept = {
            "format": _FORMAT, "told": json.dumps(told), "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict()["state"],
        }  # fmt: skip
        part = self.folder / "checkpoint.pt.part"
        torch.save(kept, part)
        os.replace(part, self.folder / "checkpoint.pt")  # noqa: PTH105
        self.weights().save(self.folder / "weights.npz")
        _write(self.folder / "curve.json", json.dumps(self.curve))
        _write(self.folder / "chart.svg", strength_chart(self.curve))

    def weights(self) -> Weights:
        """What plays now, without PyTorch."""
        return self.average.to_weights(
            {
                "seed": self.seed,
                "lessons": self.lessons,
                "decisions": self.decisions,
                "minutes": round(self.seconds / 60, 2),
                "settings": self.settings.as_json(),
                "device": self.machine.name,
                "before": self.before or {},
            }
        )

    def _lesson(self, progress: float) -> dict[str, Any]:
        """Plays on and learns from what ended; all chance comes from the seed and the number."""
        chance = np.random.default_rng([self.seed, self.lessons])
        pasts = self._invited(chance)
        torch.manual_seed(int(chance.integers(1 << 62)))  # after loading, which draws too
        settings = self.settings
        began = time.monotonic()
        self.stream.invite(pasts)
        harvest = None
        while harvest is None:
            self.stream.play(settings.ticks)
            self.stream.games.seat(league(settings, chance))  # drawn while a GPU still plays
            figures = settings.profit.at(progress), settings.trace.at(progress)
            harvest = self.stream.ring.harvest(*figures, settings.minibatch)
        played = time.monotonic()
        lesson = self.learner.learn(harvest.places, progress)
        self.decisions += len(harvest.places)
        newest = max(settings.newest, 1 / (self.lessons + 1))
        for kept, now in zip(self.average.parameters(), self.net.parameters(), strict=True):
            kept.lerp_(now.detach(), newest)
        return asdict(lesson) | {
            "profit": harvest.profit, "cut": harvest.cut,
            "playing": played - began, "learning": time.monotonic() - played,
        }  # fmt: skip

    def _invited(self, chance: np.random.Generator) -> list[Net]:
        """The networks besides the learner that play until the next lesson."""
        if self.exploited is not None:
            return [self._loaded(str(self.exploited))] * self.settings.past_at_once
        pasts = self._pasts()
        files = [*pasts, *self.against]
        # Newer ones are met more often; weights that were given as often as the newest.
        often = np.array([*range(1, len(pasts) + 1), *[len(pasts)] * len(self.against)], float)
        count = self.settings.past_at_once
        drawn = chance.choice(len(files), count, replace=count > len(files), p=often / often.sum())
        return [self._loaded(str(files[place])) for place in drawn]

    @lru_cache(maxsize=64)  # noqa: B019 - a process has one training
    def _loaded(self, file: str) -> Net:
        weights, (depth, *wide) = Weights.load(file), self.net.shape
        if [*weights.widths] != wide or len(weights.layers) > depth:
            raise ValueError(f"'{file}' is a network of another shape than the learner's")
        return Net.from_weights(weights.deeper(depth)).to(self.machine.device)

    def _pasts(self) -> list[Path]:
        return sorted((self.folder / "past").glob("*.npz"))

    def _kept_other(self, name: str, file: Path) -> Path:
        """A copy of somebody's weights, in the folder."""
        kept = self.folder / "others" / f"{name}.npz"
        if file != kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, kept)
        return kept

    def _keep_past(self) -> None:
        (self.folder / "past").mkdir(parents=True, exist_ok=True)
        self.weights().save(self.folder / "past" / f"{self.lessons:06}.npz")

    def _last(self, name: str) -> tuple[float, int]:
        """When a lesson last told of this; before the beginning if none did."""
        for told in reversed(self.curve):
            if name in told:
                return told["seconds"], told["lesson"]
        return -1.0, -1


def _kept(path: Path, machine: Machine) -> dict[str, Any]:
    """What a checkpoint keeps, by name."""
    try:
        kept = torch.load(path, map_location=machine.device, weights_only=True)
    except (EOFError, RuntimeError, UnpicklingError):
        kept = None  # whatever it is, nothing that was saved here
    if not isinstance(kept, dict) or kept.get("format") != _FORMAT:
        raise ValueError(
            f"'{path}' was not kept by this version of byzanz; "
            "weights of another one can be gone on from with --from, in a new folder"
        )
    return kept


def _write(path: Path, text: str) -> None:
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)  # noqa: PTH105
