"""The compiled engine: a game is one NumPy record, and an array of records is a batch.

Numba compiles the functions for the CPU, and the same source runs on a GPU with one game per thread
(:mod:`byzanz.fast.gpu`). Action numbers and features are those of :mod:`byzanz.encoding`. The
record holds the state of the random generator. :mod:`byzanz.rules` is the authority: tests play
both engines in lockstep. This package imports only NumPy, Numba, encoding and rules.
"""

from ._cache import forget_stale_code
from .batch import Batch
from .convert import Records, rows_of, to_moment, to_record, view_to_record
from .layout import RECORD, RECORD_LENGTH
from .legal import choose, write_mask
from .observe import write_features
from .play import deal, sell, step
from .results import write_profits, write_shares
from .sensible import sensible
from .worlds import deal_unseen

__all__ = [
    "RECORD",
    "RECORD_LENGTH",
    "Batch",
    "Records",
    "choose",
    "deal",
    "deal_unseen",
    "rows_of",
    "sell",
    "sensible",
    "step",
    "to_moment",
    "to_record",
    "view_to_record",
    "write_features",
    "write_mask",
    "write_profits",
    "write_shares",
]

forget_stale_code()  # before the first call of a compiled function reads the cache
