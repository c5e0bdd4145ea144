"""Static files. Their addresses contain their version, so that they can be cached for ever."""

from __future__ import annotations

import gzip
import re
from functools import cache
from hashlib import blake2s
from http import HTTPStatus
from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

if TYPE_CHECKING:
    from starlette.types import Scope

CACHE_FOREVER = "public, max-age=31536000, immutable"
"""The header of a response whose address changes with its content."""

_FOLDER = files("byzanz.web") / "static"
_IMPORT = re.compile(rb'(?<="\./)([a-z-]+\.js)(?=")')


def mark(content: bytes) -> str:
    """Return a short digest that changes with the content."""
    return blake2s(content, digest_size=6).hexdigest()


@cache
def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def asset(content: bytes, media_type: str, headers: Headers) -> Response:
    """Return a response that may be cached for ever. The content is compressed only once.

    ``headers`` are those of the request. Use it for content with few versions: it keeps them
    all in memory.
    """
    given = {"cache-control": CACHE_FOREVER}
    if "gzip" in headers.get("accept-encoding", ""):
        given |= {"content-encoding": "gzip", "vary": "Accept-Encoding"}
        content = _compressed(content)
    return Response(content, headers=given, media_type=media_type)


@cache
def static(name: str) -> str:
    """Return the address of a static file. It changes with the file and can be cached for ever."""
    return f"/static/{name}?{mark(content(name))}"


@cache
def content(name: str) -> bytes:
    """Return a static file. The imports of a script contain the imported scripts' versions."""
    found = (_FOLDER / name).read_bytes()
    if not name.endswith(".js") or name.endswith(".min.js"):
        return found
    return _IMPORT.sub(lambda match: _versioned(match[1].decode()).encode(), found)


def static_names() -> tuple[str, ...]:
    """Return the names of all scripts and style sheets, sorted."""
    names = (file.name for file in _FOLDER.iterdir())
    return tuple(sorted(name for name in names if name.endswith((".js", ".css"))))


def _versioned(name: str) -> str:
    return static(name).removeprefix("/static/")


class Static(StaticFiles):
    """Serves static files. A file whose address contains its version may be cached for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file, or a response with status 404."""
        response = await super().get_response(path, scope)
        if not scope["query_string"] or response.status_code >= HTTPStatus.BAD_REQUEST:
            return response
        media = {"js": "text/javascript", "css": "text/css"}.get(path.rpartition(".")[2])
        if media is not None and response.status_code == HTTPStatus.OK:
            return asset(content(path), media, Headers(scope=scope))
        response.headers["cache-control"] = CACHE_FOREVER
        return response
