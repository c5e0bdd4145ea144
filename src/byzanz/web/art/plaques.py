"""Bronze plaques: the offer cards 1 to 6."""

from __future__ import annotations

from .digits import digit
from .mosaic import Mosaic, lit
from .palettes import BRONZE, GROUT
from .shapes import box, ellipse, grown

SIDE = 100


def plaque(number: int) -> str:
    """Draw a bronze plaque with its number."""
    picture = Mosaic(f"plaque {number}", SIDE, SIDE)
    edge = box(0, 0, SIDE, SIDE, 12)
    picture.shape(GROUT, edge)
    picture.grout = GROUT
    picture.lay(picture.row(grown(edge, -1), -8, 0, 9, closed=True), BRONZE[2:], lit((50, 50), 55))
    picture.shape("#3b2512", box(10, 10, 90, 90, 5))
    picture.lay(picture.grid(box(11, 11, 89, 89), 9.5), BRONZE[:3], lit((50, 50), 60))
    for at in ((17, 17), (83, 17), (17, 83), (83, 83)):
        picture.shape("#2a1a0c", ellipse(at, 4.6, corners=12))
        picture.shape(BRONZE[4], ellipse((at[0] - 0.5, at[1] - 0.6), 3.4, corners=12))
    grain = picture.grain
    picture.mark(digit(number, (51.6 * grain, 52 * grain), 60 * grain, "#1c0f06", 6.4))
    picture.mark(digit(number, (50 * grain, 50 * grain), 60 * grain, "#f6dfa8", 5.4))
    return picture.svg()
