"""SVG pictures as PNG, made by resvg in a separate process.

resvg holds Python's interpreter lock for some tenths of a second, during which a server could not
answer any request. ``python -m byzanz.web.rasterise`` reads an SVG document and writes the PNG.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections import OrderedDict

from resvg_py import svg_to_bytes

_CACHED_PICTURES = 64
_PATIENCE = 30.0
"""The maximum number of seconds for drawing a picture."""


class RasteriseFailed(Exception):
    """Raised if a picture could not be drawn."""


class Rasteriser:
    """Draws one picture at a time and caches the last ones."""

    def __init__(self) -> None:
        self._drawn: OrderedDict[str, bytes] = OrderedDict()
        self._drawing = asyncio.Semaphore(1)

    def cached(self, svg: str) -> bytes | None:
        """Return the picture if it is cached."""
        return self._drawn.get(svg)

    async def png(self, svg: str) -> bytes:
        """Return the picture.

        Raises RasteriseFailed if it cannot be drawn, and TimeoutError if that takes too long.
        """
        async with self._drawing:
            drawn = self._drawn.pop(svg, None) or await _draw(svg)
            self._drawn[svg] = drawn
            if len(self._drawn) > _CACHED_PICTURES:
                self._drawn.popitem(last=False)
            return drawn


async def _draw(svg: str) -> bytes:
    command = sys.executable, "-m", "byzanz.web.rasterise"
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    try:
        async with asyncio.timeout(_PATIENCE):
            drawn, errors = await process.communicate(svg.encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode or not drawn:
        raise RasteriseFailed(errors.decode(errors="replace"))
    return drawn


def main() -> None:
    """Read an SVG document from the standard input and write its PNG to the standard output."""
    svg = sys.stdin.buffer.read().decode()
    sys.stdout.buffer.write(svg_to_bytes(svg_string=svg, skip_system_fonts=True))


if __name__ == "__main__":
    main()
