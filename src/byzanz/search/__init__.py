"""What the compiled bots think with: the worth of hands, the trader's habits, and search.

Functions here are compiled and work on records of :mod:`byzanz.fast`; they look at no card that the
seat on turn has not seen. This room is imported when such a bot is made, not before, for it imports
Numba.
"""

from .budget import HALF_A_SECOND, Budget

__all__ = ["HALF_A_SECOND", "Budget"]
