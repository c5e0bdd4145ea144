"""Numba decorators for the compiled functions.

By default Numba compiles wrappers that make each function callable from Python and from C. A
wrapper takes as long to compile as a small function, so the decorators leave out those that are not
used. No function allocates objects, so Numba's runtime (NRT) is off. Functions that Python calls
are cached on disk: beside their file, in the user's cache directory, or in ``NUMBA_CACHE_DIR``. If
none of these is writable, every process compiles them again.
"""

from __future__ import annotations

from numba import njit

from .compilation import log_compilation


def _can_cache() -> bool:
    try:
        njit(cache=True)(_can_cache)
    except RuntimeError:  # raised if no cache directory is writable
        return False
    return True


CACHED = _can_cache()
"""Whether compiled functions can be cached on disk."""

entry = njit(cache=CACHED, _nrt=False, no_cfunc_wrapper=True)
"""For functions called from Python; cached on disk."""

nogil_entry = njit(cache=CACHED, nogil=True, _nrt=False, no_cfunc_wrapper=True)
"""For long-running functions called from Python; cached on disk, and they release the GIL."""

part = njit(_nrt=False, no_cfunc_wrapper=True)
"""For functions called by compiled code, including code in other packages."""

inlined = njit(forceinline=True, _nrt=False, no_cfunc_wrapper=True)
"""For small functions that are always inlined."""

private = njit(_nrt=False, no_cfunc_wrapper=True, no_cpython_wrapper=True)
"""For functions called only by compiled code of the same file; calling one from Python crashes."""

log_compilation()
