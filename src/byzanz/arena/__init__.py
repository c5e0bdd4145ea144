"""Matches between bots: one game, many from one seed, or leagues in duplicate.

The referee is :mod:`byzanz.rules`; bots are handed Views and nothing else. This room imports
rules, notation and bots, and prints nothing. What computes with NumPy is imported by its own name:
:mod:`byzanz.arena.standings`, :mod:`byzanz.arena.matrix` and their charts;
:mod:`byzanz.arena.ray_cluster` needs Ray.
"""

from .cross_play import Cross, read_cross
from .league import League, Outcome, PlayedDeal, missing_deals, play_deal
from .ledger import BadLedger, Ledger, read_league
from .match import offer_sales, play_match, seeded_match
from .pool import play_deals, play_leagues
from .simulation import FAST_POLICIES, Simulated, Simulation, game_seed, simulate
from .workers import PlayersLost

__all__ = [
    "FAST_POLICIES",
    "BadLedger",
    "Cross",
    "League",
    "Ledger",
    "Outcome",
    "PlayedDeal",
    "PlayersLost",
    "Simulated",
    "Simulation",
    "game_seed",
    "missing_deals",
    "offer_sales",
    "play_deal",
    "play_deals",
    "play_leagues",
    "play_match",
    "read_cross",
    "read_league",
    "seeded_match",
    "simulate",
]
