"""The coach: what teaches people to play.

:func:`odds` counts what a seat can work out about unseen cards. Lessons, reasons and levels are in
modules of their own.
"""

from .odds import Odds, odds

__all__ = ["Odds", "odds"]
