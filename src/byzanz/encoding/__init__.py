"""Actions as 289 numbers and views as rows of bytes, for machine learning.

The compiled engine is not used here, so tests can compare its masks and features with those of this
package. This package imports only NumPy and :mod:`byzanz.rules`.
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
