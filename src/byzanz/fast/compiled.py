"""How the functions of this engine are compiled: no more of each than is used.

Numba makes every function callable from Python and from C as well, and each such door takes as long
to compile as a small function does. No function here takes or makes an object that must be freed.
"""

from __future__ import annotations

from numba import njit

entry = njit(cache=True, _nrt=False, no_cfunc_wrapper=True)
"""Called from Python, and kept on disk."""

part = njit(_nrt=False, no_cfunc_wrapper=True)
"""Called by compiled functions, of other rooms too."""

inlined = njit(forceinline=True, _nrt=False, no_cfunc_wrapper=True)
"""A part so small that it is always put in place of its call."""

private = njit(_nrt=False, no_cfunc_wrapper=True, no_cpython_wrapper=True)
"""Called by compiled functions of its own file alone: Python has no way in, and must not try."""
