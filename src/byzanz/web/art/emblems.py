"""Emblems: the logo, the favicon, and for each kind a square that is legible at 20 pixels."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, sin

from byzanz.rules import Kind

from .mosaic import Mosaic, lit
from .palettes import (
    AZURE,
    BARK,
    BLUE,
    CLAY,
    CRIMSON,
    GOLD,
    GRAPE,
    GROUT,
    IVORY,
    LEAF,
    OLIVE,
    PALETTES,
    SAFFRON,
    SKIN,
    STRAW,
    TEAL,
    WOOD,
)  # fmt: skip
from .shapes import Line, box, ellipse, grown, leaf, moved, vault

NIGHT = "#1d0b38"
SIDE = 40


def emblem(kind: Kind) -> str:
    """Draw the sign of a kind on its ground."""
    picture = Mosaic(f"kind {kind.letter}", SIDE, SIDE, grain=3, gap=1.1)
    palette = PALETTES[kind]
    edge = box(0, 0, SIDE, SIDE, 7)
    picture.shape(palette.grout, edge)
    picture.grout = palette.grout
    picture.lay(picture.grid(grown(edge, -0.8), 9.6, rough=0.1), palette.ground[1:])
    SIGNS[kind](picture)
    return picture.svg()


def _cloth(picture: Mosaic) -> None:
    for y in (13.0, 27.5):
        body, end = box(3, y - 6, 31, y + 6), ellipse((30.5, y), 5.2, 6.2, corners=12)
        picture.shape("#0a1730", grown(body, 1), grown(end, 1.2))
        for k in range(4):
            strip = box(3 + k * 6, y - 6, 9 + k * 6, y + 6)
            picture.lay(picture.grid(strip, (6, 6), rough=0.05), GOLD[2:] if k == 1 else AZURE[2:])
        picture.shape("#0a1730", grown(end, 0.8))
        picture.shape(IVORY[3], end)
        picture.shape(BLUE[2], ellipse((30.5, y), 2, 2.6, corners=8))


def _grain(picture: Mosaic) -> None:
    kernels = [leaf((20, 15), (20, 2), 8)]
    for y in (18.0, 25.5, 33.0):
        for side in (-1, 1):
            tilt = -1.57 + side * 0.55
            foot = (20 + side * 1.2, y)
            kernels.append(leaf(foot, (foot[0] + 14 * cos(tilt), y + 14 * sin(tilt)), 8, 0.5))
    picture.shape("#350c07", *(grown(k, 1) for k in kernels), box(18, 31, 22, 40))
    picture.lay(kernels, STRAW[2:])
    picture.lay([box(18.8, 33, 21.2, 39)], STRAW[:1])


def _olives(picture: Mosaic) -> None:
    leaves = [leaf((20, 14), (37, 5), 9), leaf((20, 14), (4, 4), 9), leaf((22, 12), (36, 20), 8)]
    fruit = ellipse((18.5, 25), 11, 9.5, -0.9, corners=16)
    picture.shape("#fbf3dd", *(grown(o, 2) for o in (*leaves, fruit)))
    picture.lay(leaves, LEAF[1:3])
    picture.shape(OLIVE[0], grown(fruit, 0.4))
    picture.lay(picture.grid(fruit, 6, -0.9, 0.06), OLIVE[1:], lit((18.5, 25), 9))


def _spices(picture: Mosaic) -> None:
    heap: Line = ((4, 22), (20, 4), (36, 22))
    bowl: Line = ((3, 23), (37, 23), (34, 30), (27, 36), (13, 36), (6, 30))
    picture.shape("#06282a", grown(heap, 1), grown(bowl, 1.2))
    picture.lay(picture.grid(heap, (6.5, 6)), SAFFRON[1:], lit((20, 18), 12))
    picture.lay(picture.grid(bowl, (6.8, 7)), IVORY[1:])


def _wood(picture: Mosaic) -> None:
    centre = (20.0, 20.0)
    picture.shape(BARK[0], ellipse(centre, 17.5))
    picture.lay(picture.row(ellipse(centre, 17), -4.2, 0, 7, closed=True), BARK[1:])
    picture.lay(picture.row(ellipse(centre, 12.6), -4, 0, 7, closed=True), WOOD[3:])
    picture.lay(picture.row(ellipse(centre, 8.4), -4, 0, 6, closed=True), WOOD[:2])
    picture.lay([ellipse(centre, 3.6, corners=8)], WOOD[4:])


def _wine(picture: Mosaic) -> None:
    grapes = [
        (20 + (n - (2 - k) / 2) * 10.8, 17.5 + k * 8.6) for k in range(3) for n in range(3 - k)
    ]
    sprout: Line = ((20, 13), (11, 13), (4, 7), (13, 7), (20, 1.5), (27, 7), (36, 7), (29, 13))
    picture.grout = GRAPE[0]
    for x, y in grapes:
        picture.fill(ellipse((x, y), 5.4, corners=12), GRAPE[1:3], 20)
        picture.shape(GRAPE[4], ellipse((x - 1.5, y - 1.7), 1.6, corners=6))
    picture.grout = LEAF[0]
    picture.fill(sprout, LEAF[1:3], (16, 20))


def _merchant(picture: Mosaic) -> None:
    ring, robe = (
        ellipse((20, 16), 13.5),
        moved([(-15, 16), (-12, 5), (-5, 0), (5, 0), (12, 5), (15, 16)], (20, 26)),
    )
    picture.shape("#180830", grown(ring, 0.8))
    picture.lay(picture.disc((20, 16), 13.5, rings=1), GOLD[2:])
    picture.shape("#180830", grown(robe, 1))
    picture.lay(picture.grid(robe, 7), IVORY[1:])
    picture.shape(BARK[0], ellipse((20, 15), 8, 9, corners=14))
    picture.shape(SKIN[2], ellipse((20, 16.4), 5.6, 6.6, corners=12))
    picture.shape(BARK[0], moved([(-5.6, 2), (5.6, 2), (4, 8), (0, 11), (-4, 8)], (20, 16)))


SIGNS: dict[Kind, Callable[[Mosaic], None]] = {
    Kind.CLOTH: _cloth,
    Kind.GRAIN: _grain,
    Kind.OLIVES: _olives,
    Kind.SPICES: _spices,
    Kind.WOOD: _wood,
    Kind.WINE: _wine,
    Kind.MERCHANT: _merchant,
}


def favicon() -> str:
    """Draw the favicon: a golden dome over an open gate."""
    picture = Mosaic("favicon", 32, 32, grain=2, gap=1)
    picture.shape(NIGHT, box(0, 0, 32, 32, 7))
    picture.shape(GOLD[2], vault((16, 16), 12), box(14.5, 1, 17.5, 6))
    picture.shape(GOLD[3], vault((16, 16), 7))
    picture.shape(IVORY[3], box(3, 18, 29, 29))
    picture.shape(NIGHT, vault((16, 24), 5, 5))
    return picture.svg()


def logo() -> str:
    """Draw the logo: a domed gate by the sea at sunrise, under a wide arch."""
    picture = Mosaic("logo", 160, 100)
    edge = vault((80, 79), 78, 20, corners=30)
    picture.shape(GROUT, grown(edge, 1.6))
    picture.grout = GROUT
    for k in range(5):
        rays = picture.row(vault((80, 79), 71 - k * 10, corners=30), -10, 0, 11)
        picture.lay(rays, IVORY[1:] if k % 2 else STRAW[2:])
    for k, shades in enumerate((AZURE[:2], BLUE[1:])):
        picture.fill(box(8, 79 + k * 7, 152, 86 + k * 7), shades, (10, 7))
    for x in (32, 110):
        picture.fill(box(x, 48, x + 18, 80), CLAY, 7)
        picture.fill(((x - 3, 48), (x + 9, 34), (x + 21, 48)), CRIMSON[1:], 7)
    picture.fill(box(50, 54, 110, 80), IVORY, 7.5)
    picture.hide(vault((80, 48), 26))
    for k in range(3):
        picture.lay(picture.row(vault((80, 48), 26 - k * 8), -8, 0, 8), TEAL[1:], lit((80, 36), 20))
    picture.fill(box(53, 47, 107, 54), GOLD[1:], (6.5, 7))
    picture.fill(box(78.2, 12, 81.8, 24), GOLD[3:], 20)
    for x, half in ((62, 5), (98, 5), (80, 8)):
        picture.shape(GOLD[1], vault((x, 67), half + 2, 13))
        picture.shape(BLUE[0], vault((x, 67), half, 13))
    rim = picture.row((*edge, edge[0]), -6.4, 0, 9)
    picture.hide(*rim)
    picture.lay(rim, GOLD)
    return picture.svg()
