"""Matches between bots: one game, or many from one seed.

The referee is :mod:`byzanz.rules`; bots are handed Views and nothing else. This room imports
rules, notation and bots, and prints nothing.
"""

from .match import offer_sales, play_match, seeded_match
from .simulation import FAST_POLICIES, Simulated, Simulation, game_seed, simulate

__all__ = [
    "FAST_POLICIES",
    "Simulated",
    "Simulation",
    "game_seed",
    "offer_sales",
    "play_match",
    "seeded_match",
    "simulate",
]
