"""Games between bots: single matches, simulations, and leagues in duplicate.

Games are played on :mod:`byzanz.rules`, and bots see only Views; fast simulations use the compiled
engine instead. This package prints nothing. Its modules that need NumPy must be imported by name,
such as :mod:`byzanz.arena.standings`, :mod:`byzanz.arena.matrix` and :mod:`byzanz.arena.charts`.
:mod:`byzanz.arena.ray_cluster` needs Ray.
"""

from .cross_play import Cross, read_cross
from .game import play_match, seeded_match
from .league import League, OnFailure, Outcome, PlayedDeal, missing_deals, play_deal
from .ledger import BadLedger, Ledger, read_league
from .pool import play_deals, play_leagues
from .simulation import FAST_POLICIES, Simulated, Simulation, game_seed, simulate
from .workers import WorkersLost

__all__ = [
    "FAST_POLICIES",
    "BadLedger",
    "Cross",
    "League",
    "Ledger",
    "OnFailure",
    "Outcome",
    "PlayedDeal",
    "Simulated",
    "Simulation",
    "WorkersLost",
    "game_seed",
    "missing_deals",
    "play_deal",
    "play_deals",
    "play_leagues",
    "play_match",
    "read_cross",
    "read_league",
    "seeded_match",
    "simulate",
]
