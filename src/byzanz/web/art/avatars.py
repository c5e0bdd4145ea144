"""Avatars: twelve round pictures of people, animals and things by the sea."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from .figures import DARK, beard, face, nimbus
from .mosaic import Mosaic, Shades, lit, sloped
from .palettes import (
    AZURE,
    BARK,
    BLUE,
    CLAY,
    CRIMSON,
    EARTH,
    GOLD,
    GROUT,
    INK,
    IVORY,
    LEAF,
    OLIVE,
    SAFFRON,
    SAND,
    STRAW,
    TEAL,
    VIOLET,
    WOOD,
)  # fmt: skip
from .shapes import Line, box, clipped, curve, ellipse, leaf, mirrored, moved, star

SIDE = 80
GREY: Shades = ("#8d8880", "#a9a59c", "#c4c0b7", "#dedbd3")


def avatar(number: int) -> str:
    """Draw the avatar with this number, with a golden rim."""
    draw, ground = AVATARS[number]
    picture = Mosaic(f"avatar {number}", SIDE, SIDE)
    picture.shape(GROUT, ellipse((40, 40), 40, corners=36))
    picture.grout = GROUT
    picture.lay(picture.disc((40, 40), 34, rings=4, step=8.6), ground)
    picture.window = ellipse((40, 40), 37)
    draw(picture)
    picture.window = ()
    rim = picture.row(ellipse((40, 40), 39.4, corners=36), -5.4, 0, 7.6, closed=True)
    picture.hide(*rim)
    picture.lay(rim, GOLD)
    return picture.svg()


def _shoulders(picture: Mosaic, shades: Shades, trim: Shades) -> None:
    robe: Line = ((12, 80), (15, 66), (26, 60), (54, 60), (65, 66), (68, 80))
    picture.fill(robe, shades, 7)
    picture.fill(((30, 58), (50, 58), (45, 66), (40, 80), (35, 66)), trim, 6)


def _crown(picture: Mosaic, jewels: Shades) -> None:
    points: Line = ((25, 30), (24, 17), (32, 23), (40, 12), (48, 23), (56, 17), (55, 30))
    picture.fill(points, GOLD[2:], 6.5)
    picture.shape(jewels[2], *(ellipse((x, 26), 2.1, corners=8) for x in (31, 40, 49)))


def _empress(picture: Mosaic) -> None:
    nimbus(picture, (40, 37), 27, CRIMSON[1:])
    _shoulders(picture, CRIMSON, GOLD[1:])
    picture.fill(ellipse((40, 41), 16.5, 18, corners=16), DARK, 7)
    face(picture, (40, 43), 1.12)
    _crown(picture, CRIMSON)
    pearls = [ellipse((x, y), 1.9, corners=8) for x in (24.5, 55.5) for y in (38, 43, 48, 53)]
    picture.shape(IVORY[3], *pearls)


def _emperor(picture: Mosaic) -> None:
    nimbus(picture, (40, 37), 27, TEAL[1:])
    _shoulders(picture, VIOLET, GOLD[1:])
    picture.fill(ellipse((40, 40), 15, 17, corners=16), DARK, 7)
    face(picture, (40, 42), 1.12)
    beard(picture, (40, 42), 1.12)
    _crown(picture, TEAL)


def _monk(picture: Mosaic) -> None:
    hood: Line = (
        (14, 80),
        (18, 52),
        (22, 28),
        (31, 14),
        (40, 9),
        (49, 14),
        (58, 28),
        (62, 52),
        (66, 80),
    )
    picture.fill(hood, BARK, 7, sloped((40, 40), 26))
    picture.shape(INK, ellipse((40, 41), 14.5, 19, corners=16))
    face(picture, (40, 42), 1.12)
    beard(picture, (40, 42), 1.2, GREY)


def _trader(picture: Mosaic) -> None:
    _shoulders(picture, SAFFRON, IVORY[2:])
    face(picture, (40, 43), 1.15)
    beard(picture, (40, 43), 1.15)
    turban = ellipse((40, 25), 20, 13, corners=16)
    picture.hide(turban)
    for k in range(3):
        band = picture.row(
            curve((20 + k, 29 - k * 6), (40, 21 - k * 6), (60 - k, 29 - k * 6)), -4.5, 4.5, 7
        )
        picture.lay(band, (IVORY[2:], AZURE[1:3], IVORY[2:])[k])
    picture.fill(star((40, 20), 4, 6, 3), CRIMSON[2:], 20)


def _ship(picture: Mosaic) -> None:
    picture.fill(box(39, 10, 42, 56), BARK[2:], (4, 8))
    sail = (*curve((18, 22), (40, 18), (62, 22)), *curve((58, 48), (40, 43), (22, 48)))
    picture.hide(sail)
    for k in range(5):
        strip = (
            (18 + k * 8.8, 15),
            (26.8 + k * 8.8, 15),
            (26 + k * 7.2, 50),
            (22 + k * 7.2 - 3, 50),
        )
        cut = clipped(sail, strip)
        picture.lay(picture.grid(cut, (9, 7)), CRIMSON[1:] if k % 2 else IVORY[2:])
    hull = (*curve((8, 50), (20, 57), (40, 58), (60, 57), (72, 47)), (62, 68), (18, 68))
    picture.fill(hull, WOOD[:3], 6.5)
    for y in (66.0, 72.0):
        line = curve(*((x, y + (2 if k % 2 else -1)) for k, x in enumerate(range(6, 80, 11))))
        waves = picture.row(line, -3.4, 3.4, 7)
        picture.hide(*waves)
        picture.lay(waves, BLUE[1:] if y > 70 else AZURE[:2])


def _peacock(picture: Mosaic) -> None:
    for ring, count, size in ((27.5, 9, 7.0), (16, 6, 5.6)):
        for k in range(count):
            turn = pi + (k + 0.5) * pi / count
            eye = (40 + ring * cos(turn), 44 + ring * sin(turn))
            picture.fill(ellipse(eye, size, corners=10), LEAF[1:], size)
            picture.shape(GOLD[2], ellipse(eye, size * 0.56, corners=8))
            picture.shape(BLUE[2], ellipse(eye, size * 0.3, corners=6))
    body: Line = (
        (40, 20),
        (45, 25),
        (45, 38),
        (52, 50),
        (50, 62),
        (40, 70),
        (30, 62),
        (28, 50),
        (35, 38),
        (35, 25),
    )
    picture.fill(body, BLUE[2:], 6, lit((40, 48), 24))
    picture.fill(ellipse((40, 25), 6.5, corners=10), AZURE[:2], 6.5)
    picture.shape(GOLD[2], ((40, 26), (43, 30), (40, 34), (37, 30)))
    picture.shape(
        IVORY[3], ellipse((37.4, 24), 1.5, corners=6), ellipse((42.6, 24), 1.5, corners=6)
    )
    picture.shape(
        BLUE[0],
        *(moved([(-0.6, 0), (0.6, 0), (1.6, -7), (-1.6, -7)], (40, 20), a) for a in (-0.5, 0, 0.5)),
    )


def _lion(picture: Mosaic) -> None:
    for radius, shades in ((31.0, CLAY), (23.0, SAFFRON[:3])):
        mane = star((40, 40), 14, radius, radius * 0.8)
        picture.hide(mane)
        picture.lay(picture.row(mane, -8, 0, 7, closed=True), shades)
    for x in (25.0, 55.0):
        picture.fill(ellipse((x, 24), 5.5, corners=8), STRAW[:2], 6)
    picture.fill(ellipse((40, 40), 17, 18, corners=14), STRAW[1:], 6, lit((40, 40), 17))
    muzzle = ellipse((40, 50), 9.5, 8, corners=12)
    picture.fill(muzzle, IVORY[2:], 6)
    picture.shape(INK, ((35, 43), (45, 43), (40, 49)), box(39.2, 48, 40.8, 53))
    picture.shape(INK, ((34, 53), (40, 52), (46, 53), (40, 55)))
    for x in (32.5, 47.5):
        picture.shape("#fffaf0", ellipse((x, 36), 3.4, 2.7, corners=8))
        picture.shape(INK, ellipse((x, 36), 1.8, corners=6))


def _fish(picture: Mosaic) -> None:
    tail: Line = ((57, 42), (72, 28), (69, 42), (74, 57))
    body = (
        *curve((9, 44), (22, 29), (40, 26), (60, 41)),
        *curve((58, 46), (40, 58), (22, 57), (9, 44))[:-1],
    )
    picture.fill(((30, 28), (40, 18), (50, 31)), CRIMSON[2:], 6)
    picture.fill(tail, CRIMSON[1:], 6)
    picture.fill(body, SAFFRON, 6.4, lit((36, 42), 20), 0.06)
    picture.fill(((9, 44), (16, 36), (23, 32), (25, 44), (23, 55), (15, 51)), STRAW[2:], 7)
    picture.shape("#fffaf0", ellipse((18, 41), 3.2, corners=8))
    picture.shape(INK, ellipse((18, 41), 1.7, corners=6))


def _owl(picture: Mosaic) -> None:
    body: Line = (
        (22, 72),
        (19, 40),
        (20, 14),
        (28, 20),
        (40, 22),
        (52, 20),
        (60, 14),
        (61, 40),
        (58, 72),
    )
    picture.fill(body, WOOD[:3], 6.5, sloped((40, 40), 24))
    picture.fill(ellipse((40, 58), 12, 14, corners=12), IVORY[1:], 6)
    for x in (30.5, 49.5):
        picture.hide(ellipse((x, 33), 10))
        picture.lay(picture.row(ellipse((x, 33), 10), -5, 0, 6, closed=True), IVORY[2:])
        picture.shape(GOLD[2], ellipse((x, 33), 5.2, corners=12))
        picture.shape(INK, ellipse((x, 33), 2.8, corners=8))
    picture.shape(SAFFRON[1], ((36, 38), (44, 38), (40, 47)))


def _dove(picture: Mosaic) -> None:
    picture.fill(((56, 44), (74, 40), (72, 50), (75, 58), (56, 54)), IVORY[1:], 6.5)
    body = (
        *curve((15, 36), (22, 28), (30, 32), (42, 38), (60, 44)),
        *curve((58, 54), (40, 60), (24, 52), (15, 36))[:-1],
    )
    picture.fill(body, IVORY[2:], 6.5)
    picture.fill(((32, 44), (40, 20), (52, 9), (56, 24), (52, 46)), IVORY[1:], 6.4, tilt=0.4)
    picture.shape(SAFFRON[1], ((16, 34), (9, 38), (17, 39)))
    picture.shape(INK, ellipse((22, 34), 1.7, corners=6))
    for base, tip in (((9, 40), (14, 54)), ((9, 42), (6, 52)), ((11, 46), (21, 58))):
        picture.fill(leaf(base, tip, 5.5), LEAF[2:], 20)


def _amphora(picture: Mosaic) -> None:
    for flip in (False, True):
        line = curve((33, 16), (20, 17), (17, 28), (25, 35))
        handle = picture.row(mirrored(line, 40) if flip else line, -2.2, 2.2, 7)
        picture.hide(*handle)
        picture.lay(handle, CLAY[:2])
    half = curve((34, 12), (35, 24), (23, 35), (25, 52), (36, 68), (34, 72))
    pot = (*half, *mirrored(half, 40))
    picture.fill(pot, CLAY, 6.2, sloped((40, 40), 17))
    picture.fill(box(23.5, 38, 56.5, 45), DARK, (6, 7))
    picture.fill(box(32, 9, 48, 14), CLAY[:2], 6)
    picture.shape(
        CLAY[3], *(((x, 42), (x + 3, 39), (x + 6, 42), (x + 3, 45)) for x in (25, 33, 41, 49))
    )


def _beacon(picture: Mosaic) -> None:
    for turn in (-0.42, -0.16, 0.16, 0.42):
        for flip in (0, pi):
            picture.fill(
                moved([(6, -1.4), (32, -4.4), (32, 4.4), (6, 1.4)], (40, 21), turn + flip),
                STRAW[3:],
                (9, 20),
                None,
                turn,
            )
    picture.fill(((27, 76), (32, 32), (48, 32), (53, 76)), IVORY, 6.4, sloped((40, 50), 14))
    picture.fill(box(29, 28, 51, 33.5), CLAY[1:], 6)
    picture.fill(box(34, 15, 46, 28), STRAW[2:], 6)
    picture.fill(((31, 16), (40, 6), (49, 16)), CRIMSON[1:], 6)
    picture.shape(BLUE[0], box(37.5, 42, 42.5, 49), box(37.5, 56, 42.5, 63))
    line = curve((4, 70), (20, 67), (34, 71), (50, 67), (76, 70))
    for drop in (0, 6):
        waves = picture.row(line, -drop - 6, -drop, 8)
        picture.hide(*waves)
        picture.lay(waves, AZURE[:2] if drop == 0 else BLUE[2:])


AVATARS: tuple[tuple[Callable[[Mosaic], None], Shades], ...] = (
    (_empress, VIOLET),
    (_emperor, EARTH),
    (_monk, SAND),
    (_trader, TEAL),
    (_ship, AZURE[1:]),
    (_peacock, IVORY),
    (_lion, OLIVE[:3]),
    (_fish, BLUE),
    (_owl, VIOLET),
    (_dove, TEAL),
    (_amphora, IVORY),
    (_beacon, BLUE),
)
"""The function that draws each avatar, and the shades of its ground."""
