"""Checks of the arrays that callers pass to a batch: their type, length and range."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from byzanz.rules.chance import SEEDS

from .layout import Ints


def integers(given: npt.ArrayLike, name: str, count: int | None = None) -> npt.NDArray[Any]:
    """Return a one-dimensional array of integers.

    Raises TypeError if the values are not integers, ValueError if they are not in one dimension or
    if there are not ``count`` of them.
    """
    found = np.asarray(given)
    if found.shape == (0,):  # NumPy makes an empty list an array of floats
        found = found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, not {found.dtype}")
    if found.ndim != 1 or (count is not None and len(found) != count):
        expected = "one dimension" if count is None else f"shape ({count},)"
        raise ValueError(f"{name} must have {expected}, not shape {found.shape}")
    return found


def seeds_of(given: npt.ArrayLike, count: int | None = None) -> Ints:
    """Return seeds as the 64-bit integers that the compiled functions take.

    Raises TypeError or ValueError unless they are ``count`` integers from 0 to 2**64 - 1.
    """
    if isinstance(given, list | tuple) and all(isinstance(seed, int) for seed in given):
        outside = [seed for seed in given if not 0 <= seed < SEEDS]
        if outside:
            raise ValueError(f"seeds are 0 to 2**64 - 1, not {outside[0]}")
        given = np.array(given, dtype=np.uint64)  # NumPy would make floats of large integers
    found = integers(given, "seeds", count)
    if found.dtype.kind == "i" and (found < 0).any():
        raise ValueError(f"seeds are 0 to 2**64 - 1, not {found.min()}")
    return found.astype(np.uint64).view(np.int64)


def places_of(given: npt.ArrayLike, count: int) -> Ints:
    """Return indexes of games, given as indexes or as a mask of ``count`` booleans.

    Raises TypeError, ValueError or IndexError if they are neither, or out of range.
    """
    found = np.asarray(given)
    if found.dtype == np.bool_:
        if found.shape != (count,):
            raise ValueError(f"a mask of games must have shape ({count},), not {found.shape}")
        return np.flatnonzero(found)
    places = integers(given, "places").astype(np.int64)
    if ((places < -count) | (places >= count)).any():
        raise IndexError(f"there are {count} games, so places are 0 to {count - 1}")
    return places
