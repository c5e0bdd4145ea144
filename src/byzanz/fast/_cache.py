"""Numba's cache on disk, kept honest.

Numba takes a cached function as fresh while its own file is unchanged, though it holds the code of
all it calls. So whatever is older than the newest source of this engine is forgotten at import.
"""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent


def forget_stale_code() -> None:
    """No compiled code is left in the cache that is older than a source it may hold."""
    sources = [*_HERE.glob("*.py"), *(_HERE.parent / "encoding").glob("*.py")]
    newest = max(source.stat().st_mtime for source in sources)
    for folder in (_HERE, _HERE.parent / "envs"):
        for index in (folder / "__pycache__").glob("*.nbi"):
            try:
                if index.stat().st_mtime < newest:
                    index.unlink()
            except OSError:  # another process was faster, or the folder is not ours to write to
                continue
