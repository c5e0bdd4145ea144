"""Removal of outdated files from Numba's cache on disk.

Numba considers a cached function up to date as long as the function's file is unchanged, although
the cached code includes all functions that this function calls. So importing the package deletes
cached code that is older than the newest source file it may include.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_HERE = Path(__file__).parent
_PACKAGES = _HERE.parent


def forget_stale_code() -> None:
    """Delete cached compiled code that is older than a source file that it may include."""
    engine = [*_HERE.glob("*.py"), *(_PACKAGES / "encoding").glob("*.py")]
    above = [*(_PACKAGES / "network").glob("*.py"), *(_PACKAGES / "search").glob("*.py")]
    for cache in _PACKAGES.rglob("__pycache__"):
        indexes = list(cache.glob("*.nbi"))
        if indexes:
            included = above if cache.parent != _HERE else []
            newest = _newest([*engine, *included, *cache.parent.glob("*.py")])
            for index in indexes:
                try:
                    if index.stat().st_mtime < newest:
                        index.unlink()
                except OSError:  # deleted by another process, or no permission
                    continue


def _newest(sources: Iterable[Path]) -> float:
    return max(source.stat().st_mtime for source in sources)
