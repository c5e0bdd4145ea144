"""How a training goes: sizes, rates and the company that the learner keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Fade:
    """A figure that goes from one value to another as training goes on, evenly in its logarithm."""

    start: float
    end: float

    def at(self, progress: float) -> float:
        """The figure when this share of the training is over."""
        return float(self.start * (self.end / self.start) ** min(max(progress, 0.0), 1.0))


@dataclass(frozen=True)
class Settings:
    """What a training is, but for its length and its seed."""

    players: tuple[int, ...] = (3, 4, 5, 6)
    """How many sit at a table; one named twice is twice as frequent."""
    shape: tuple[int, int, int, int, int] = (4, 128, 96, 32, 256)
    """How many layers, and how wide they are for goods, players, holdings and the table."""
    games: int = 32_768
    """That go on side by side, of all numbers of players alike."""
    ticks: int = 64
    """Moves in each game between one lesson and the next: enough for many games to end."""
    kept: int = 512
    """Ticks that are remembered; no game should be longer."""
    minibatch: int = 8192
    epochs: int = 1
    rate: Fade = Fade(1e-3, 5e-5)
    warming: float = 0.0
    """The share of the training in which the rate rises from 0: steps are not yet well measured."""
    entropy: Fade = Fade(0.02, 0.001)
    doubt: Fade = Fade(0.01, 0.003)
    """How much it counts that no number is given up, by the average logarithm of the shares.

    What turns out worse is still played now and then, the worse the more seldom: about so often as
    this, divided by how much worse it is and by how many numbers there are. What is never played is
    never learnt about.
    """
    profit: Fade = Fade(0.3, 0.003)
    """How much a win of 20 more profit than the others counts beside the win itself."""
    trace: Fade = Fade(0.97, 0.7)
    """How far a result reaches back: 1 is whole-game returns, 0 the next decision's value."""
    clip: float = 0.2
    newest: float = 0.03
    """How much a lesson's network weighs in the average of all, which is the one that plays."""
    alone: float = 0.3
    """The share of games in which the learner sits in every seat."""
    alike: float = 0.6
    """Of the other games, the share in which it has one seat and all others are of one kind."""
    single: bool = False
    """Whether it has one seat in all of the other games."""
    company: tuple[tuple[str, float], ...] = (
        ("past", 4.0), ("imitator", 5.5), ("trader", 1.0), ("sensible", 0.5),
    )  # fmt: skip
    """Who sits in those games' other seats, and how often."""
    heat: float = 0.3
    """How much other networks leave to chance: 1 is all of their doubt, and 0 nothing.

    What a past self tried in order to learn, or a strategist's imitator takes for possible, they
    would not play in earnest.
    """
    astray: float = 0.1
    """The share of games whose first decisions, few or many, are left to chance.

    So the learner gets into positions that good players would never get into.
    """
    past_at_once: int = 2
    """Past selves, and other weights given, that play at one time."""
    past_every: float = 1 / 12
    """A self becomes a past one after so much of the training."""
    panel_games: int = 1500
    """Games against each of the panel, at each number of players."""
    panel_every: float = 1 / 15

    def __post_init__(self) -> None:
        if not self.players or not set(self.players) <= {3, 4, 5, 6}:
            raise ValueError("a training is for some of 3, 4, 5 and 6 players")
        if self.shape[0] < 1:
            raise ValueError("a network has a layer at least")
        if self.ticks > self.kept or 16 * self.minibatch > self.games * self.kept:
            raise ValueError("too little is remembered for a lesson: more games, or smaller parts")

    @classmethod
    def small(cls) -> Settings:
        """A setting that shows learning within ten minutes on two CPU cores."""
        return cls(
            shape=(2, 32, 16, 4, 64), games=2048, ticks=48, minibatch=1024,
            rate=Fade(3e-3, 3e-4), entropy=Fade(0.02, 0.003), profit=Fade(1.0, 0.1), newest=0.5,
            company=(("past", 5.0), ("trader", 4.5), ("sensible", 0.5)),
            past_at_once=1, panel_games=120, panel_every=1 / 12,
        )  # fmt: skip

    def rate_at(self, progress: float) -> float:
        """How far steps go when this share of the training is over."""
        warm = progress / self.warming if self.warming else 1.0
        return self.rate.at(progress) * min(warm, 1.0)

    def among(self, often: Mapping[str, float]) -> Settings:
        """The same in other company: how often each sits there, and ``self`` in every seat.

        Raises ValueError for company that nobody can keep.
        """
        others = {name: share for name, share in often.items() if name != "self" and share}
        known = {"past", "imitator", "trader", "sensible", "random"}
        if unknown := sorted(others.keys() - known):
            raise ValueError(
                f"nobody is called '{unknown[0]}'; company is self, {', '.join(sorted(known))}"
            )
        if others and not others.keys() & {"past", "imitator"}:
            raise ValueError("company needs past selves or the imitator beside scripted players")
        if not sum(often.values()):
            raise ValueError("company needs somebody")
        alone = often.get("self", 0.0) / sum(often.values())
        return replace(self, alone=alone, company=tuple(others.items()) or self.company)

    def further(self) -> Settings:
        """The same for a network that has learnt already: quieter, and of more at a step."""
        return replace(
            self, minibatch=2 * self.minibatch, rate=Fade(4e-4, 2e-5), warming=0.01,
            entropy=Fade(0.003, 0.001), profit=Fade(0.02, 0.003), trace=Fade(0.8, 0.6),
        )  # fmt: skip

    def exploiting(self) -> Settings:
        """The same for a best response: one seat learns further, the others are frozen copies.

        Its steps are small: larger ones only lead away from a network that is good already.
        """
        return replace(
            self.further(), alone=0.0, single=True, astray=0.0, company=(("past", 1.0),),
            past_at_once=1, heat=0.0, past_every=2.0, rate=Fade(2e-4, 2e-5),
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """The settings as what JSON can hold."""
        return asdict(self)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Settings:
        """The settings that :meth:`as_json` told."""
        faded = ("rate", "entropy", "doubt", "profit", "trace")
        fades = {name: Fade(**told[name]) for name in faded}
        lists = {name: tuple(told[name]) for name in ("players", "shape")}
        company = tuple((name, share) for name, share in told["company"])
        return cls(**{**told, **fades, **lists, "company": company})
