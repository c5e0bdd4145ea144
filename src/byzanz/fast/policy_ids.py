"""The names and ids of the compiled engine's policies."""

from __future__ import annotations

RANDOM, SENSIBLE = 0, 1

POLICIES = {"random": RANDOM, "sensible": SENSIBLE}
"""Uniformly random play, and :mod:`byzanz.fast.sensible`."""
