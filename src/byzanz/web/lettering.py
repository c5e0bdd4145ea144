"""Text as SVG paths, so that a picture does not depend on the fonts of a machine.

The letters are those of Source Serif Pro Semibold, under the SIL Open Font License
(``letters-license.txt``): Latin, Greek and Cyrillic. ``scripts/letters.py`` makes the file.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files

import msgspec

_EM = 1000
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}


@cache
def _letters() -> dict[str, tuple[int, str]]:
    """Return the width and the path of each letter."""
    text = (files("byzanz.web") / "letters.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, tuple[int, str]])


def drawable(text: str) -> str:
    """Return the text without characters that the font lacks, such as emoji."""
    composed = unicodedata.normalize("NFC", text)
    return " ".join("".join(each for each in composed if each in _letters()).split())


def width(text: str, size: float) -> float:
    """Return the width of a drawable text."""
    return sum(_letters()[each][0] for each in text) * size / _EM


def shortened(text: str, size: float, room: float) -> str:
    """Return the text; if it is wider than ``room``, cut it and add an ellipsis."""
    if width(text, size) <= room:
        return text
    while text and width(text + _ELLIPSIS, size) > room:
        text = text[:-1]
    return text.rstrip() + _ELLIPSIS


def lettering(  # noqa: PLR0913, PLR0917
    text: str, x: float, y: float, size: float, fill: str, anchor: str = "start"
) -> str:
    """Return SVG markup for a drawable text; ``y`` is its baseline."""
    x -= width(text, size) * _ANCHORS[anchor]
    paths, at = [], 0
    for letter in text:
        advance, path = _letters()[letter]
        if path:
            paths.append(f'<path transform="translate({at})" d="{path}"/>')
        at += advance
    scale = size / _EM
    return (
        f'<g fill="{fill}" transform="translate({x:.2f} {y:.2f})scale({scale:g} {-scale:g})">'
        f"{''.join(paths)}</g>"
    )
