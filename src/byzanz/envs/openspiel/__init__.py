"""Byzanz as an OpenSpiel game: importing this module registers ``python_byzanz``.

``pyspiel.load_game("python_byzanz(players=4,reward=profit)")`` loads it for 3 to 6 players, with
the reward ``win`` (the default) or ``profit``. Players choose among the 289 numbers of
:mod:`byzanz.encoding`; an illegal number raises an error. Each card that is dealt to a hand or
turned up for an offer is a chance node. The probability of a face is its share of the cards not
drawn yet. The removed cards are those that are never drawn. Players see their hands when all
hands are dealt, and an offer when it is complete, so the order of its cards reveals nothing.

The game runs on the compiled engine; with ``engine=readable`` it runs on the readable rules, with
the same observations and results. :class:`RolloutEvaluator` evaluates states for OpenSpiel's Python
search.
"""

from __future__ import annotations

import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]

from .evaluator import RolloutEvaluator
from .game import ByzanzGame, ByzanzState, game_type, max_decisions
from .observer import ByzanzObserver

__all__ = ["ByzanzGame", "ByzanzObserver", "ByzanzState", "RolloutEvaluator", "max_decisions"]

pyspiel.register_game(game_type("win"), ByzanzGame)
