"""The compiled engine's own policies, by name and by number."""

from __future__ import annotations

RANDOM, SENSIBLE = 0, 1

POLICIES = {"random": RANDOM, "sensible": SENSIBLE}
"""All legal numbers alike, and :mod:`byzanz.fast.sensible`."""
