"""Numbers for machines: actions as 289 numbers, views as rows of bytes; owned by neither engine.

Masks and features come from :mod:`byzanz.rules` alone, so the compiled engine can be held against
them. This room imports NumPy and :mod:`byzanz.rules`.
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
