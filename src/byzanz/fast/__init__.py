"""The same game for machines: one NumPy record is a game, an array of them is a batch.

Functions are plain Python compiled by Numba for the CPU, and the same source runs on a GPU, one
game a thread (:mod:`byzanz.fast.gpu`). Numbers and features are those of :mod:`byzanz.encoding`;
chance is kept in the record. Nothing here is trusted alone: tests play it in lockstep with
:mod:`byzanz.rules`. This room imports NumPy, Numba, encoding and rules, and nothing above.
"""

from ._cache import forget_stale_code
from .batch import Batch
from .convert import Records, to_moment, to_record, view_to_record, words_of
from .layout import RECORD, WORDS
from .legal import choose, write_mask
from .observe import write_features
from .play import deal, sell, step
from .results import write_profits, write_shares
from .sensible import sensible
from .worlds import deal_unseen

__all__ = [
    "RECORD",
    "WORDS",
    "Batch",
    "Records",
    "choose",
    "deal",
    "deal_unseen",
    "sell",
    "sensible",
    "step",
    "to_moment",
    "to_record",
    "view_to_record",
    "words_of",
    "write_features",
    "write_mask",
    "write_profits",
    "write_shares",
]

forget_stale_code()  # before anything is called: caches are read at the first call
