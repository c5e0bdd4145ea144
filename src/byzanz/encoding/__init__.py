"""Actions as 289 numbers and views as rows of bytes, for learning programs.

Masks and features are computed from :mod:`byzanz.rules` alone, so tests can compare the compiled
engine with them. This package imports NumPy and :mod:`byzanz.rules`.
"""

from .features import FEATURES, PIECES, Piece, features, piece_of, scales
from .moment import IllegalNumber, Moment
from .numbers import NUMBERS, SETS, action_of, numbers_of

__all__ = [
    "FEATURES",
    "NUMBERS",
    "PIECES",
    "SETS",
    "IllegalNumber",
    "Moment",
    "Piece",
    "action_of",
    "features",
    "numbers_of",
    "piece_of",
    "scales",
]
