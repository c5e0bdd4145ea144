"""Numba's cache on disk, kept honest.

Numba takes a cached function as fresh while its own file is unchanged, though it holds the code of
all it calls. So whatever is older than the newest source that it may hold is forgotten at import.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_HERE = Path(__file__).parent
_PACKAGES = _HERE.parent


def forget_stale_code() -> None:
    """Delete cached compiled code that is older than any source file it was compiled from."""
    engine = [*_HERE.glob("*.py"), *(_PACKAGES / "encoding").glob("*.py")]
    above = [*(_PACKAGES / "network").glob("*.py"), *(_PACKAGES / "search").glob("*.py")]
    for cache in _PACKAGES.rglob("__pycache__"):
        indexes = list(cache.glob("*.nbi"))
        if indexes:
            held = above if cache.parent != _HERE else []
            newest = _newest([*engine, *held, *cache.parent.glob("*.py")])
            for index in indexes:
                try:
                    if index.stat().st_mtime < newest:
                        index.unlink()
                except OSError:  # another process was faster, or the folder is not ours
                    continue


def _newest(sources: Iterable[Path]) -> float:
    return max(source.stat().st_mtime for source in sources)
