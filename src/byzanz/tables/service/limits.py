"""How much and how long: the figures of a house."""

from __future__ import annotations

from dataclasses import dataclass

_DAY = 24 * 3600.0


@dataclass(frozen=True)
class Limits:
    """Figures that whoever runs a house may set."""

    stand_in: str = "trader"
    """The bot that plays for who is away or left, and on seats left open at the start."""
    open_seconds: float = 1 * _DAY
    """How long a table waits for its start."""
    idle_seconds: float = 30 * _DAY
    """How long a table in play waits for the next action."""
    expired_seconds: float = 30 * _DAY
    """How long an expired table can still be told from one that never was."""
    finished_seconds: float | None = None
    """How long finished tables are kept; None is for good."""
    guest_seconds: float = 400 * _DAY
    """How long a guest who does not come back is known."""
    answer_seconds: float = 1 * _DAY
    """How long a repeated request gets the answer it got before."""
    pass_seconds: float = 1 * _DAY
    """How long a personal link works; it works once."""
    grace_seconds: float = 10.0
    """How long a seat counts as present after its last connection closed."""
    cool_seconds: float = 60.0
    """How long a table that nobody watches is held in memory."""
    live_tables: int = 2000
    """How many tables are held in memory if that many are not watched."""
    tables_per_guest: int = 30
    """Tables open or in play that one guest may host."""
    name_length: int = 24
    """Characters of a guest's name."""
    key_length: int = 64
    """Characters of a request's key."""
    sights_waiting: int = 32
    """Sights that wait for a slow reader before it skips to the newest."""
    thinkers: int = 2
    """Bots that think at once."""
    bot_seconds: float = 10.0
    """How long a bot may be silent before a safe action is played for it."""
    tick_seconds: float = 1.0
    """How often time limits are looked at."""
    sweep_seconds: float = 600.0
    """How often idle tables and old data are looked for."""
