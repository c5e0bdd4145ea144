"""A training: what it has learnt so far, how it goes on, and where it is kept."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from byzanz.network import Weights

from .advancing import SCRIPTS
from .chart import strength_chart
from .league import league
from .learning import learn
from .net import Net
from .panel import judged
from .playing import Player
from .settings import Settings

_SAVED_EVERY = 60.0
"""Seconds."""


@dataclass(frozen=True)
class Length:
    """How long a training is: minutes on the clock, or batches of games."""

    minutes: float | None = None
    batches: int | None = None

    def __post_init__(self) -> None:
        if (self.minutes is None) == (self.batches is None):
            raise ValueError("a training is so many minutes long, or so many batches")

    def progress(self, seconds: float, batches: int) -> float:
        """Which share of it is over."""
        if self.batches is not None:
            return batches / self.batches
        return seconds / (60 * (self.minutes or 1))


class Training:
    """A network that learns, and the folder that it is kept in.

    In the folder are ``checkpoint.pt``, from which it goes on, ``weights.npz``, which plays,
    ``curve.json`` and ``chart.svg``, how it went, and ``past``, its past selves.
    """

    def __init__(
        self, folder: Path, settings: Settings, seed: int, player: Player, *,
        exploited: Path | None = None, against: Sequence[Path] = (),
    ) -> None:  # fmt: skip
        """A training at its beginning; ``exploited`` is whom it should find a best response to."""
        self.folder, self.settings, self.seed, self.player = folder, settings, seed, player
        self.exploited, self.against = exploited, tuple(against)
        self.batches, self.decisions, self.seconds = 0, 0, 0.0
        self.curve: list[dict[str, Any]] = []
        torch.manual_seed(seed)
        net = Net(settings.widths)
        if exploited is not None:
            net = Net.from_weights(Weights.load(exploited))
        self.net = net.to(player.device)
        self.optimizer = torch.optim.Adam(
            self.net.parameters(), lr=settings.rate.start, eps=1e-5,
            fused=player.device.type == "cuda",
        )  # fmt: skip

    @classmethod
    def resume(cls, folder: Path, player: Player) -> Training:
        """The training that a folder keeps, as it was when it was last saved."""
        kept = torch.load(folder / "checkpoint.pt", map_location=player.device, weights_only=True)
        told = json.loads(kept["told"])
        training = cls(
            folder, Settings.from_json(told["settings"]), told["seed"], player,
            exploited=None if told["exploited"] is None else Path(told["exploited"]),
            against=[Path(file) for file in told["against"]],
        )  # fmt: skip
        training.net.load_state_dict(kept["net"])
        training.optimizer.load_state_dict(kept["optimizer"])
        training.batches, training.decisions = told["batches"], told["decisions"]
        training.seconds, training.curve = told["seconds"], told["curve"]
        return training

    def go_on(self, length: Length, horizon: Length | None = None) -> Iterator[dict[str, Any]]:
        """Learns until ``length`` is over, yielding how each batch went; rates fade by ``horizon``.

        Both count from the training's beginning.
        """
        horizon = horizon or length
        saved = time.monotonic()
        while length.progress(self.seconds, self.batches) < 1:
            began = time.monotonic()
            progress = horizon.progress(self.seconds, self.batches)
            before = horizon.progress(*self._last("past"))
            told = self._batch(progress)
            if before < 0 or progress - before >= self.settings.past_every:
                self._keep_past()
                told["past"] = True
            self.seconds += time.monotonic() - began
            self.batches += 1
            began = time.monotonic()
            last = length.progress(self.seconds, self.batches) >= 1
            before = horizon.progress(*self._last("panel"))
            if last or before < 0 or progress - before >= self.settings.panel_every:
                told["panel"] = self.judge()
            self.seconds += time.monotonic() - began
            told |= {"batch": self.batches, "seconds": self.seconds, "decisions": self.decisions}
            self.curve.append(told)
            if last or time.monotonic() - saved > _SAVED_EVERY:
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
            others["earlier"] = self._loaded(str(pasts[len(pasts) // 2]))
        panel = judged(self.player, self.net, others, scripts, self.settings)
        return {
            name: {str(players): share for players, share in shares.items()}
            for name, shares in panel.items()
        }

    def save(self) -> None:
        """All of it is kept in the folder, each file whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        told = {
            "settings": self.settings.as_json(), "seed": self.seed, "batches": self.batches,
            "decisions": self.decisions, "seconds": self.seconds,
            "exploited": None if self.exploited is None else str(self.exploited),
            "against": [str(file) for file in self.against], "curve": self.curve,
        }  # fmt: skip
        kept = {
            "told": json.dumps(told), "net": self.net.state_dict(),
            "optimizer": self.optimizer.state_dict(),
        }  # fmt: skip
        part = self.folder / "checkpoint.pt.part"
        torch.save(kept, part)
        os.replace(part, self.folder / "checkpoint.pt")  # noqa: PTH105
        self.weights().save(self.folder / "weights.npz")
        _write(self.folder / "curve.json", json.dumps(self.curve))
        _write(self.folder / "chart.svg", strength_chart(self.curve))

    def weights(self) -> Weights:
        """What plays now, without PyTorch."""
        return self.net.to_weights(
            {
                "seed": self.seed,
                "batches": self.batches,
                "decisions": self.decisions,
                "minutes": round(self.seconds / 60, 2),
                "settings": self.settings.as_json(),
                "device": _name(self.player.device),
            }
        )

    def _batch(self, progress: float) -> dict[str, Any]:
        """Plays a batch and learns from it; all its chance comes from the seed and its number."""
        chance = np.random.default_rng([self.seed, self.batches])
        others = self._others(chance)
        torch.manual_seed(int(chance.integers(1 << 62)))  # after loading, which draws too
        began = time.monotonic()
        outcome, experience = self.player.play(
            league(self.settings, len(others), chance), [self.net, *others],
            [1.0, *[0.0 if self.exploited else 1.0] * len(others)],
            self.settings.profit.at(progress), remember=True,
        )  # fmt: skip
        if experience is None:
            raise RuntimeError("nothing was remembered")
        played = time.monotonic()
        lesson = learn(
            self.player, self.net, self.optimizer, experience, outcome, self.settings, progress
        )
        self.decisions += lesson.decisions
        return asdict(lesson) | {
            "profit": outcome.learner_profit(), "playing": played - began,
            "learning": time.monotonic() - played,
        }  # fmt: skip

    def _others(self, chance: np.random.Generator) -> list[Net]:
        """The networks besides the learner that play in the next batch."""
        if self.exploited is not None:
            return [self._loaded(str(self.exploited))]
        pasts = self._pasts()
        # Newer ones are met more often; weights that were given as often as the newest.
        often = np.array(
            [*range(1, len(pasts) + 1), *[max(len(pasts), 1)] * len(self.against)], float
        )
        files = [*pasts, *self.against]
        count = min(self.settings.past_at_once, len(files))
        if count == 0:
            return []
        drawn = chance.choice(len(files), count, replace=False, p=often / often.sum())
        return [self._loaded(str(files[place])) for place in drawn]

    @lru_cache(maxsize=64)  # noqa: B019 - a process has one training
    def _loaded(self, file: str) -> Net:
        return Net.from_weights(Weights.load(file)).to(self.player.device)

    def _pasts(self) -> list[Path]:
        """The past selves of before now; a folder may hold later ones that were not saved whole."""
        files = sorted((self.folder / "past").glob("*.npz"))
        return [file for file in files if int(file.stem) <= self.batches]

    def _keep_past(self) -> None:
        (self.folder / "past").mkdir(parents=True, exist_ok=True)
        self.weights().save(self.folder / "past" / f"{self.batches:06}.npz")

    def _last(self, name: str) -> tuple[float, int]:
        """When a batch last told of this; before the beginning if none did."""
        for told in reversed(self.curve):
            if name in told:
                return told["seconds"], told["batch"]
        return -1.0, -1


def _name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"


def _write(path: Path, text: str) -> None:
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)  # noqa: PTH105
