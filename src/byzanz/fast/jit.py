"""How the functions of this engine are compiled: no more of each than is used.

Numba makes every function callable from Python and from C as well, and each such door takes as long
to compile as a small function does. No function here takes or makes an object that must be freed.
What is called from Python is kept on disk, beside its file, in the user's cache or where
``NUMBA_CACHE_DIR`` says; where nothing can be written, every process compiles anew.
"""

from __future__ import annotations

from numba import njit


def _can_be_kept() -> bool:
    try:
        njit(cache=True)(_can_be_kept)
    except RuntimeError:  # Numba would rather not compile at all
        return False
    return True


CACHED = _can_be_kept()
"""Whether there is a place on disk for compiled functions."""

entry = njit(cache=CACHED, _nrt=False, no_cfunc_wrapper=True)
"""Called from Python, and kept on disk."""

unlocked = njit(cache=CACHED, nogil=True, _nrt=False, no_cfunc_wrapper=True)
"""Called from Python for long: it is kept on disk, and lets go of Python's lock."""

part = njit(_nrt=False, no_cfunc_wrapper=True)
"""Called by compiled functions, of other rooms too."""

inlined = njit(forceinline=True, _nrt=False, no_cfunc_wrapper=True)
"""A part so small that it is always put in place of its call."""

private = njit(_nrt=False, no_cfunc_wrapper=True, no_cpython_wrapper=True)
"""Called by compiled functions of its own file alone: Python has no way in, and must not try."""
