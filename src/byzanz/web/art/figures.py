"""Figures: faces, halos, and the merchant on the cards."""

from __future__ import annotations

from byzanz.rules import Kind

from .mosaic import Mosaic, Shades, lit, sloped
from .palettes import CRIMSON, GOLD, INK, IVORY, PALETTES, SKIN, VIOLET
from .shapes import Line, Point, box, ellipse, moved

DARK: Shades = ("#2a1a10", "#3d2817", "#523722")
"""The shades of dark hair."""


def face(picture: Mosaic, at: Point, size: float) -> None:
    """Draw a face with large eyes, seen from the front; with ``size`` 1 it is about 20 wide."""
    x, y = at
    cheeks = ellipse(at, 10 * size, 13 * size, corners=14)
    grout, picture.grout = picture.grout, SKIN[0]
    picture.fill(cheeks, SKIN[1:], 5.6 * size, sloped((x, y), 10 * size))
    picture.grout = grout
    for side in (-1, 1):
        eye = moved(
            [(-3.1, 0), (0, -2), (3.1, 0), (0, 1.6)],
            (x + side * 4.4 * size, y - 1.5 * size),
            0,
            size,
        )
        brow = [(-3.4, -4.6), (0, -6.2), (3.4, -5), (3.2, -4), (0, -4.9), (-3.2, -3.6)]
        picture.shape("#fffaf0", eye)
        arch = moved(brow, (x + side * 4.4 * size, y), 0, size)
        pupil = ellipse((x + side * 4.2 * size, y - 1.6 * size), 1.5 * size, corners=6)
        picture.shape(INK, arch, pupil)
    picture.shape(SKIN[0], moved([(-0.7, -2), (0.7, -2), (1.9, 4), (-1.9, 4)], at, 0, size))
    picture.shape("#96382e", moved([(-3, 7), (0, 6.4), (3, 7), (0, 8.6)], at, 0, size))


def beard(picture: Mosaic, at: Point, size: float, shades: Shades = DARK) -> None:
    """Draw a full beard around the mouth."""
    jaw = [
        (-10.4, 0),
        (-7, 5),
        (0, 4.4),
        (7, 5),
        (10.4, 0),
        (10, 9),
        (6, 16),
        (0, 19),
        (-6, 16),
        (-10, 9),
    ]
    picture.fill(moved(jaw, at, 0, size), shades, 6.6 * size)
    picture.shape("#96382e", moved([(-2.6, 7.4), (2.6, 7.4), (0, 9.2)], at, 0, size))


def nimbus(picture: Mosaic, at: Point, radius: float, rim: Shades = CRIMSON) -> None:
    """Draw a golden halo with a coloured rim."""
    picture.hide(ellipse(at, radius))
    picture.lay(picture.row(ellipse(at, radius), -4.5, 0, 9, closed=True), rim)
    picture.lay(picture.disc(at, radius - 4.5, rings=2, step=9), GOLD[1:])


def merchant(picture: Mosaic, _number: int) -> None:
    """Draw a merchant with a golden halo who holds scales."""
    picture.grout = PALETTES[Kind.MERCHANT].grout
    at = (57.0, 52.0)
    nimbus(picture, (57, 47), 29)
    robe: Line = (
        (30, 133),
        (33, 98),
        (41, 86),
        (50, 80),
        (64, 80),
        (73, 86),
        (82, 96),
        (92, 104),
        (92, 133),
    )
    picture.fill(robe, IVORY, 11, sloped((60, 100), 38))
    picture.fill(((50, 79), (64, 79), (62, 133), (52, 133)), CRIMSON[1:], (6, 8))
    picture.fill(box(50, 64, 64, 82), SKIN[:2], 7)
    picture.fill(ellipse((57, 50), 16, 18, corners=14), DARK, 9)
    face(picture, at, 1.25)
    beard(picture, at, 1.25)
    cap: Line = ((40, 42), (42, 33), (49, 26), (57, 24), (65, 26), (72, 33), (74, 42))
    picture.fill(cap, VIOLET[2:], 8.5)
    picture.fill(box(39.5, 39, 74.5, 44), GOLD[1:], (6, 5))
    scales(picture, (25, 84), 1)


def scales(picture: Mosaic, at: Point, size: float) -> None:
    """Draw a pair of golden scales in balance."""
    x, y = at
    beam = picture.row(
        ((x - 15 * size, y), (x + 15 * size, y)), -1.7 * size, 1.7 * size, 7.5 * size
    )
    beam += picture.row(((x, y - 11 * size), (x, y + 9 * size)), -1.6 * size, 1.6 * size, 7 * size)
    pans = []
    for side in (-13, 13):
        hook = (x + side * size, y + 1.5 * size)
        for way in (-7, 7):
            cord = [(0, 0), (way, 20), (way * 0.74, 20), (-way * 0.06, 1)]
            beam.append(moved(cord, hook, 0, size))
        hung = [(-9.5, 20), (9.5, 20), (7, 24.5), (3, 26.5), (-3, 26.5), (-7, 24.5)]
        pans.append(moved(hung, hook, 0, size))
    picture.hide(*beam, *pans)
    picture.lay(beam, GOLD[2:])
    for pan in pans:
        picture.fill(pan, GOLD[1:], 6.5 * size, lit((pan[0][0] + 9, pan[0][1]), 8))
    picture.fill(ellipse((x, y + 10 * size), 4.6 * size, corners=8), SKIN[2:], 10)
