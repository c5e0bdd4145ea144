"""Hyperparameters of a training run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Schedule:
    """A value that changes exponentially from a start to an end value during training."""

    start: float
    end: float

    def at(self, progress: float) -> float:
        """Return the value at a fraction of the training, from 0 to 1."""
        if self.start == self.end:  # both may be 0
            return self.start
        return float(self.start * (self.end / self.start) ** min(max(progress, 0.0), 1.0))


OLD_NAMES = {
    "games": "num_envs", "ticks": "num_steps", "kept": "buffer_steps",
    "minibatch": "minibatch_size", "rate": "learning_rate", "warming": "warmup",
    "entropy": "entropy_coef", "doubt": "uniform_coef", "profit": "profit_coef",
    "trace": "gae_lambda", "clip": "clip_coef", "newest": "ema_rate",
    "alone": "self_play_fraction", "alike": "single_kind_fraction", "single": "single_seat",
    "company": "opponents", "heat": "opponent_temperature", "astray": "random_start_fraction",
    "past_at_once": "num_snapshots", "past_every": "snapshot_interval",
    "panel_games": "evaluation_games", "panel_every": "evaluation_interval",
}  # fmt: skip
"""Old names of settings in files, each with its current name."""


@dataclass(frozen=True)
class Settings:
    """Hyperparameters of a training run, except its length and its seed."""

    players: tuple[int, ...] = (3, 4, 5, 6)
    """Player counts of the games; a count given twice is twice as frequent."""
    shape: tuple[int, int, int, int, int] = (4, 128, 96, 32, 256)
    """Number of layers, and their widths for goods, players, holdings and the table."""
    num_envs: int = 32_768
    """Games played in parallel, of all player counts together."""
    num_steps: int = 64
    """Steps per env between two updates; many games must end within them."""
    buffer_steps: int = 512
    """Steps per env that the buffer holds; games should not be longer."""
    minibatch_size: int = 8192
    """Decisions per gradient step."""
    epochs: int = 1
    """Passes over the decisions of an update."""
    learning_rate: Schedule = Schedule(1e-3, 5e-5)
    """Learning rate of Adam."""
    warmup: float = 0.0
    """Fraction of the training in which the learning rate rises linearly from 0."""
    entropy_coef: Schedule = Schedule(0.02, 0.001)
    """Weight of the policy's entropy in the loss."""
    uniform_coef: Schedule = Schedule(0.01, 0.003)
    """Weight of the cross-entropy of the policy relative to uniform play.

    It keeps the probability of every legal action above a minimum, which is about this weight
    divided by the action's disadvantage and by the number of legal actions. So the policy keeps
    trying actions that seem worse, and can find out if they are not.
    """
    profit_coef: Schedule = Schedule(0.3, 0.003)
    """Reward for a profit margin of 20 over the others' mean; a win has reward 1."""
    gae_lambda: Schedule = Schedule(0.97, 0.7)
    """λ of generalised advantage estimation: 1 uses the game's return, 0 only the next value."""
    value_lambda: float = 0.95
    """λ of the returns on which the values are trained.

    It is higher than the final ``gae_lambda``: values must be unbiased, while advantages must
    have little variance.
    """
    value_coef: float = 0.5
    """Weight of the win probabilities' log loss."""
    margin_coef: float = 0.25
    """Weight of the profit margin's squared error."""
    max_grad_norm: float = 1.0
    """Norm to which gradients are clipped."""
    clip_coef: float = 0.2
    """Clipping range of PPO's probability ratio."""
    ema_rate: float = 0.03
    """Weight of the newest parameters in the moving average, which is the network that plays."""
    self_play_fraction: float = 0.3
    """Fraction of games in which the learner has every seat."""
    single_kind_fraction: float = 0.6
    """Of the other games, the fraction with one learner and opponents of a single kind."""
    single_seat: bool = False
    """Whether the learner has only one seat in all of the other games."""
    opponents: tuple[tuple[str, float], ...] = (
        ("past", 4.0), ("imitator", 5.5), ("trader", 1.0), ("sensible", 0.5),
    )  # fmt: skip
    """Kinds of opponents in those games, with weights; ``past`` means snapshots of the learner."""
    opponent_temperature: float = 0.3
    """Temperature of other networks' policies: 0 is greedy, 1 samples from the policy.

    Snapshots explore and the imitator is uncertain; a low temperature makes them play their best.
    """
    random_start_fraction: float = 0.1
    """Fraction of games that begin with random decisions, at most 99 of them.

    So the learner also sees positions that good play does not reach.
    """
    num_snapshots: int = 2
    """The number of snapshots or given weights that play as ``past`` at the same time."""
    snapshot_interval: float = 1 / 12
    """Fraction of the training between two snapshots of the learner."""
    evaluation_games: int = 1500
    """Evaluation games for each opponent and player count."""
    evaluation_interval: float = 1 / 15
    """Fraction of the training between two evaluations."""

    def __post_init__(self) -> None:
        if not self.players or not set(self.players) <= {3, 4, 5, 6}:
            raise ValueError("player counts must be some of 3, 4, 5 and 6")
        if self.shape[0] < 1:
            raise ValueError("a network needs at least one layer")
        buffered = self.num_envs * self.buffer_steps
        if self.num_steps > self.buffer_steps or 16 * self.minibatch_size > buffered:
            raise ValueError("the buffer is too small for an update: use more games")

    @classmethod
    def small(cls) -> Settings:
        """Return settings for ten minutes of training on two CPU cores."""
        return cls(
            shape=(2, 32, 16, 4, 64), num_envs=2048, num_steps=48, minibatch_size=1024,
            learning_rate=Schedule(3e-3, 3e-4), entropy_coef=Schedule(0.02, 0.003),
            profit_coef=Schedule(1.0, 0.1), ema_rate=0.5,
            opponents=(("past", 5.0), ("trader", 4.5), ("sensible", 0.5)),
            num_snapshots=1, evaluation_games=120, evaluation_interval=1 / 12,
        )  # fmt: skip

    def learning_rate_at(self, progress: float) -> float:
        """Return the learning rate at a fraction of the training, with the warm-up."""
        warm = progress / self.warmup if self.warmup else 1.0
        return self.learning_rate.at(progress) * min(warm, 1.0)

    def with_opponents(self, weights: Mapping[str, float]) -> Settings:
        """Return the settings with these opponents and their weights.

        ``self`` is the weight of games in which the learner has every seat. Raises ValueError for
        unknown opponents, and for weights with which no game could be played.
        """
        others = {name: weight for name, weight in weights.items() if name != "self" and weight}
        known = {"past", "imitator", "trader", "sensible", "random"}
        if unknown := sorted(others.keys() - known):
            raise ValueError(
                f"unknown opponent '{unknown[0]}'; use self, {', '.join(sorted(known))}"
            )
        if others and not others.keys() & {"past", "imitator"}:
            raise ValueError("scripted opponents need 'past' or 'imitator' beside them")
        if not sum(weights.values()):
            raise ValueError("at least one opponent needs a weight above 0")
        alone = weights.get("self", 0.0) / sum(weights.values())
        opponents = tuple(others.items()) or self.opponents
        return replace(self, self_play_fraction=alone, opponents=opponents)

    def fine_tuning(self) -> Settings:
        """Return the settings for a trained network: smaller steps, larger minibatches."""
        return replace(
            self, minibatch_size=2 * self.minibatch_size, learning_rate=Schedule(4e-4, 2e-5),
            warmup=0.01, entropy_coef=Schedule(0.003, 0.001), profit_coef=Schedule(0.02, 0.003),
            gae_lambda=Schedule(0.8, 0.6),
        )  # fmt: skip

    def best_response(self) -> Settings:
        """Return the settings for a best response: one learner among frozen copies.

        The learning rate is low, because larger steps only lead away from a good network.
        """
        return replace(
            self.fine_tuning(), self_play_fraction=0.0, single_seat=True,
            random_start_fraction=0.0, opponents=(("past", 1.0),), num_snapshots=1,
            opponent_temperature=0.0, snapshot_interval=2.0, learning_rate=Schedule(2e-4, 2e-5),
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """Return the settings as a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Settings:
        """Return the settings of a JSON object, including one that an older version wrote.

        Missing settings get their defaults.
        """
        values = {OLD_NAMES.get(name, name): value for name, value in data.items()}
        for name, value in values.items():
            if isinstance(value, Mapping):
                values[name] = Schedule(**value)
            elif name == "opponents":
                values[name] = tuple((opponent, weight) for opponent, weight in value)
            elif isinstance(value, list | tuple):
                values[name] = tuple(value)
        return cls(**values)
