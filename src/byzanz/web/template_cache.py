"""Compiled templates on the disk, so that a server does not compile all of them at every start."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from platformdirs import user_cache_path

_KEPT_SECONDS = 7 * 86400.0
"""How long templates of other versions of the program are kept."""


class TemplateCache(FileSystemBytecodeCache):
    """Compiled templates of one language. Failures to store them are ignored."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a compiled template."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def template_cache(language: str) -> TemplateCache | None:
    """Return the cache of a language; None if there is no folder for it.

    Texts are translated when a template is compiled, and Jinja computes some expressions then. So
    the names of the files contain a checksum of everything that a template could depend on.
    """
    folder = user_cache_path("byzanz") / "templates"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK) or not _is_private(folder):
            return None
        _remove_old(folder)
    except OSError:
        return None
    return TemplateCache(str(folder), f"{_checksum()}-{language}-%s")


def _is_private(folder: Path) -> bool:
    """Return whether nobody else can write to the folder; code is loaded from it."""
    found = folder.stat()
    owned = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    return owned and not found.st_mode & 0o022


@cache
def _checksum() -> str:
    """Return a checksum of the sizes and times of the program's files."""
    package = Path(str(files("byzanz")))
    found = sha256()
    for place in ("web", "locale", "messages", "notation", "rules"):
        for file in sorted((package / place).rglob("*")):
            if file.suffix in (".py", ".html", ".mo", ".css", ".js", ".svg"):
                status = file.stat()
                found.update(f"{file} {status.st_size} {status.st_mtime_ns}\n".encode())
    return found.hexdigest()[:16]


@cache
def _remove_old(folder: Path) -> None:
    """Remove the templates of other versions that were not used for a while."""
    before = time.time() - _KEPT_SECONDS
    for file in folder.iterdir():
        with suppress(OSError):
            if not file.name.startswith(_checksum()) and file.stat().st_mtime < before:
                file.unlink()
