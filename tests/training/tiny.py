"""Settings for a training run that takes only seconds."""

from __future__ import annotations

from byzanz.training import Schedule, Settings

TINY = Settings(
    players=(3,),
    shape=(2, 16, 12, 6, 32),
    num_envs=96,
    num_steps=64,
    buffer_steps=384,
    minibatch_size=512,
    learning_rate=Schedule(5e-3, 2e-3),
    profit_coef=Schedule(2.0, 1.0),
    opponents=(("past", 5.0), ("trader", 4.5), ("sensible", 0.5)),
    num_snapshots=1,
    evaluation_games=60,
    snapshot_interval=0.4,
    evaluation_interval=2.0,
)
