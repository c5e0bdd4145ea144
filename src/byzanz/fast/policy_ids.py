"""The names and ids of the compiled engine's policies."""

from __future__ import annotations

RANDOM, SENSIBLE = 0, 1

POLICIES = {"random": RANDOM, "sensible": SENSIBLE}
"""The ids by name: uniformly random play, and the policy of :mod:`byzanz.fast.sensible`."""
