"""Look-ahead search for the bots.

:func:`byzanz.search.search.search` compares candidate actions in sampled worlds and returns an
estimated win probability for each. Its evaluators are
:class:`byzanz.search.playout_evaluator.PlayoutEvaluator`, which plays worlds out with the trader's
policy, and :class:`byzanz.search.network_evaluator.NetworkEvaluator`, which uses the network. Both
use only what the seat to act can see. The compiled trader is also in this package.

Import the modules of this package by name: all but :mod:`byzanz.search.budget` load Numba or NumPy.
"""

from .budget import HALF_A_SECOND, Budget

__all__ = ["HALF_A_SECOND", "Budget"]
