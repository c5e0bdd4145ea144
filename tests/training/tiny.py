"""A training so small that a test can wait for it."""

from __future__ import annotations

from byzanz.training import Fade, Settings

TINY = Settings(
    players=(3,),
    shape=(2, 16, 12, 6, 32),
    games=96,
    ticks=64,
    kept=384,
    minibatch=512,
    rate=Fade(5e-3, 2e-3),
    profit=Fade(2.0, 1.0),
    company=(("past", 5.0), ("trader", 4.5), ("sensible", 0.5)),
    past_at_once=1,
    panel_games=60,
    past_every=0.4,
    panel_every=2.0,
)
