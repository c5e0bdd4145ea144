"""The digits 1 to 6 as strokes, because an SVG used as an image cannot rely on fonts."""

from __future__ import annotations

from .shapes import Point

_STROKES = {
    1: "M-6-7 1-12V12M-6 12H8",
    2: "M-7-6C-6-15 8-15 7-6C7 1-6 5-7 12H8",
    3: "M-7-12H6L-1-3C11-3 9 12-1 12-4 12-6 11-7 9",
    4: "M3 14V-12L-8 5H9",
    5: "M6-12H-5L-6-1C-1-5 8-3 7 5 6 13-4 14-7 9",
    6: "M5-12C-3-10-8 0-7 6-6 14 7 14 7 5 7-3-5-3-7 5",
}
"""Path data of each digit in a box around the origin, from -8 to 8 and from -14 to 14."""


def digit(number: int, centre: Point, height: float, colour: str, weight: float = 5) -> str:
    """Return markup for a digit of the given height, in the picture's units."""
    scale = round(height / 28, 3)
    return (
        f'<path fill="none" stroke="{colour}" stroke-width="{weight}" d="{_STROKES[number]}" '
        f'transform="translate({centre[0]:g} {centre[1]:g})scale({scale:g})"/>'
    )
