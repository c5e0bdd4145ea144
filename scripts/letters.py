"""Extract the letters of a font as paths: ``python -m scripts.letters FONT.otf``.

Writes ``src/byzanz/web/letters.json``, for the text in shared pictures, from Source Serif Pro
Semibold. Run it only to add characters; it needs the package fonttools.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen  # type: ignore[import-not-found]
from fontTools.ttLib import TTFont  # type: ignore[import-not-found]

TARGET = Path(__file__).parents[1] / "src" / "byzanz" / "web" / "letters.json"
RANGES = [
    (0x20, 0x7F),
    (0xA0, 0x180),
    (0x218, 0x21C),
    (0x370, 0x400),
    (0x400, 0x460),
    (0x2010, 0x2040),
]


def main() -> None:
    """Write the file: for each character its width and its path, in 1000 units per em."""
    font = TTFont(sys.argv[1])
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    letters = {}
    for first, end in RANGES:
        for code in range(first, end):
            if code in names:
                glyph, pen = glyphs[names[code]], SVGPathPen(glyphs, lambda value: f"{value:g}")
                glyph.draw(pen)
                letters[chr(code)] = [glyph.width, pen.getCommands()]
    lines = [f"{json.dumps(letter)}: {json.dumps(drawn)}" for letter, drawn in letters.items()]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="ascii")


if __name__ == "__main__":
    main()
