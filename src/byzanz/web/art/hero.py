"""The hero image: a harbour market below a domed city at sunrise, 1200 wide and 400 high."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

from .figures import DARK
from .mosaic import Light, Mosaic, Shades
from .palettes import (
    AZURE,
    BARK,
    BLUE,
    CRIMSON,
    GOLD,
    GRAPE,
    IVORY,
    LEAF,
    OLIVE,
    SAFFRON,
    SAND,
    SKIN,
    STRAW,
    TEAL,
    VIOLET,
    WOOD,
)  # fmt: skip
from .shapes import Line, Point, box, clipped, curve, ellipse, leaf, moved, vault

WIDTH, HEIGHT = 1200, 400
SUN: Point = (840, 128)
SHORE, QUAY = 236, 322
GROUT = "#2b2320"

SKY: Shades = ("#5f9ccb", "#7fb3d8", "#a3cbe2", "#c9dfe2", "#e8e3c8", "#f5dfa4", "#fbd27c")
SEA: Shades = ("#124a72", "#1a5f8a", "#2677a0", "#3d93b4", "#6fb5c7", "#b5dbd8")
HILLS: Shades = ("#6c6f97", "#7d80a6", "#9294b5")
STONE: Shades = ("#c9a878", "#d9bd90", "#e7d2aa", "#f2e4c6")
ROOF: Shades = ("#8f3b22", "#ab4d2d", "#c4653d")


def hero() -> str:
    """Draw the hero image."""
    picture = Mosaic("hero", WIDTH, HEIGHT, grain=1, gap=1.6)
    picture.shape(GROUT, box(0, 0, WIDTH, HEIGHT))
    picture.grout = GROUT
    picture.window = box(0, 0, WIDTH, HEIGHT)
    _sky(picture)
    _sea(picture)
    _city(picture)
    _ship(picture, (700, 268), 1.0, CRIMSON)
    _ship(picture, (1010, 284), 1.25, TEAL)
    _ship(picture, (868, 246), 0.5, SAFFRON)
    _market(picture)
    return picture.svg()


def _sky(picture: Mosaic) -> None:
    def light(point: Point) -> float:
        return 1 - hypot(point[0] - SUN[0], point[1] - SUN[1]) / 560

    picture.window = box(0, 0, WIDTH, SHORE + 6)
    picture.grout = "#5d6a70"
    for radius in range(63, 890, 23):
        ring = picture.row(ellipse(SUN, radius, corners=72), -23, 0, 29, closed=True)
        picture.lay([t for t in ring if _overlaps(t, picture.window)], SKY, light)
    picture.hide(ellipse(SUN, 40))
    picture.grout = "#8a5f1d"
    picture.lay(picture.disc(SUN, 40, rings=3, step=13), STRAW[2:])
    for k, ridge in enumerate(
        (
            ((560, 226), (700, 204), (800, 220), (930, 190), (1060, 214), (1200, 182)),
            ((620, 240), (760, 222), (900, 232), (1040, 212), (1200, 216)),
        )
    ):
        picture.grout = "#4b4d70"
        slope = (*curve(*ridge), (1200, SHORE + 6), (560, SHORE + 6))
        picture.fill(slope, HILLS[k : k + 2], (28, 17))
    picture.window = box(0, 0, WIDTH, HEIGHT)


def _overlaps(tessera: Line, window: Line) -> bool:
    return len(clipped(tessera, window)) > 2


def _sea(picture: Mosaic) -> None:
    def light(point: Point) -> float:
        glitter = max(0.0, 1 - abs(point[0] - SUN[0]) / 130)
        return 0.55 - (point[1] - SHORE) / 190 + 0.5 * glitter

    picture.hide(box(0, SHORE - 1, WIDTH, HEIGHT))
    picture.grout = "#0d3450"
    for k in range(8):
        y = SHORE + 4 + k * 13
        left = -25 if y > 250 else 500
        line = curve(*((x, y + 3 * (-1) ** (x // 50)) for x in range(left, 1251, 50)), steps=3)
        picture.lay(picture.row(line, -7.5, 5.5, 31), SEA, light)
    picture.grout = GROUT


def _dome(picture: Mosaic, at: Point, radius: float, shades: Shades, rings: int) -> None:
    """Draw a dome of rings, lit from the right, where the sun is."""
    window, picture.window = picture.window, box(0, 0, WIDTH, at[1])
    picture.hide(tuple((x, min(y, at[1])) for x, y in ellipse(at, radius)))
    light = _sunlight(at, radius)
    picture.lay(picture.disc(at, radius, rings=rings, step=14), shades, light)
    picture.window = window


def _sunlight(at: Point, half: float) -> Light:
    return lambda point: 0.5 + (point[0] - at[0]) / (2.2 * half) - (point[1] - at[1]) / (4 * half)


def _window(at: Point, wide: float, high: float) -> Line:
    return vault((at[0], at[1] - high), wide, high, corners=5)


def _city(picture: Mosaic) -> None:
    picture.fill(
        ((0, 190), (90, 176), (520, 186), (600, 222), (640, 262), (0, 262)), LEAF[1:], (26, 18)
    )
    for x, y, w, h in (
        (14, 196, 62, 40),
        (92, 186, 54, 46),
        (470, 196, 52, 40),
        (536, 208, 46, 34),
    ):
        picture.fill(box(x, y, x + w, y + h), STONE, 16, _sunlight((x + w / 2, y), w))
        picture.fill(((x - 5, y), (x + w / 2, y - 20), (x + w + 5, y)), ROOF, 12)
        picture.shape(
            BLUE[0], _window((x + w / 3, y + 26), 4, 10), _window((x + 2 * w / 3, y + 26), 4, 10)
        )
    for x, foot, high in (
        (168, 226, 92),
        (452, 226, 84),
        (80, 240, 60),
        (594, 246, 62),
        (530, 246, 48),
    ):
        picture.fill(leaf((x, foot), (x, foot - high), high * 0.3, 0.35), LEAF[:3], (9, 12))
    _cathedral(picture)
    wall = box(0, 232, 640, 266)
    picture.fill(wall, STONE, (23, 17))
    teeth = [box(x, 222, x + 13, 233) for x in range(3, 640, 26)]
    picture.hide(*teeth)
    picture.lay(teeth, STONE[1:])
    for x in (30, 196, 420, 606):
        picture.fill(box(x - 20, 206, x + 20, 268), STONE, 13, _sunlight((x, 230), 30))
        picture.fill(((x - 25, 207), (x, 184), (x + 25, 207)), ROOF, 12)
        picture.shape(BLUE[0], _window((x, 240), 5, 14))
    picture.fill(_window((308, 270), 24, 26), GOLD[1:], 10)
    picture.shape(BARK[0], _window((308, 270), 17, 24))


def _cathedral(picture: Mosaic) -> None:
    picture.fill(box(196, 150, 420, 236), STONE, 16, _sunlight((308, 190), 120))
    for x in (214, 402):
        picture.fill(box(x - 16, 132, x + 16, 236), STONE, 13, _sunlight((x, 180), 30))
        _dome(picture, (x, 133), 20, TEAL, 1)
    for x in (250, 366):
        _dome(picture, (x, 158), 46, TEAL, 3)
    picture.fill(box(242, 112, 374, 134), STONE[1:], (13, 11))
    _dome(picture, (308, 113), 70, TEAL, 4)
    picture.fill(box(304, 22, 312, 46), GOLD[2:], 8)
    picture.shape(GOLD[3], ellipse((308, 22), 7, corners=10))
    picture.shape(BLUE[0], *(_window((x, 131), 5, 9) for x in range(254, 370, 18)))
    picture.shape(BLUE[0], *(_window((x, 208), 8, 22) for x in range(248, 370, 30)))
    picture.fill(box(196, 214, 420, 222), GOLD[1:], (14, 8))


def _ship(picture: Mosaic, at: Point, size: float, stripe: Shades) -> None:
    def put(line: Line) -> Line:
        return moved(line, at, 0, size)

    picture.fill(put(box(-3, -104, 3, 4)), BARK[2:], (8, 14))
    sail = put((*curve((-46, -90), (0, -98), (46, -90)), *curve((40, -26), (0, -36), (-40, -26))))
    picture.hide(sail)
    x, y = at
    for k in range(5):
        strip = box(x + (-50 + 20 * k) * size, y - 110 * size, x + (-30 + 20 * k) * size, y)
        picture.lay(
            picture.grid(clipped(sail, strip), (20 * size, 13)), stripe[1:] if k % 2 else IVORY[2:]
        )
    picture.fill(put(((0, -108), (26, -114), (0, -120))), stripe[2:], 20)
    hull = put((*curve((-72, -22), (-52, -6), (0, -3), (52, -6), (76, -28)), (58, 18), (-56, 18)))
    picture.fill(hull, WOOD[:3], (16, 14))
    rail = picture.row(
        put(curve((-72, -22), (-52, -6), (0, -3), (52, -6), (76, -28))), 0, 7 * size, 14
    )
    picture.hide(*rail)
    picture.lay(rail, stripe[1:])
    foam = picture.row(put(((-66, 18), (68, 18))), -7, 2, 16)
    picture.hide(*foam)
    picture.lay(foam, SEA[4:])


def _market(picture: Mosaic) -> None:
    picture.fill(box(0, QUAY, WIDTH, HEIGHT), STONE[1:], (32, 20))
    edge = picture.row(((0, QUAY), (WIDTH, QUAY)), -9, 3, 27)
    picture.hide(*edge)
    picture.lay(edge, SAND)
    _stall(picture, 60, CRIMSON, _bolts)
    _stall(picture, 330, TEAL, _heaps)
    _stall(picture, 600, GRAPE[1:4], _jars)
    _stall(picture, 930, SAFFRON, _heaps)
    for x, robe, trim in (
        (30, TEAL, GOLD), (262, VIOLET, GOLD), (300, SAFFRON, IVORY), (540, CRIMSON, GOLD),
        (812, BLUE, IVORY), (858, EARTHY, GOLD), (1140, VIOLET, IVORY), (1176, LEAF, STRAW),
    ):  # fmt: skip
        _person(picture, (x, 392), robe, trim)


EARTHY: Shades = ("#7a2a1c", "#933825", "#ab4a33")


def _person(picture: Mosaic, foot: Point, robe: Shades, trim: Shades) -> None:
    x, y = foot
    robed: Line = ((-19, 0), (-15, -44), (-7, -54), (7, -54), (15, -44), (19, 0))
    picture.fill(moved(robed, foot), robe, 14, _sunlight((x, y - 30), 20))
    picture.fill(box(x - 4, y - 54, x + 4, y), trim[1:], (8, 12))
    picture.fill(ellipse((x, y - 64), 11.5, 13, corners=12), DARK, 30)
    picture.fill(ellipse((x + 1, y - 62), 8, 10, corners=10), SKIN[1:], 30)


def _stall(
    picture: Mosaic, left: float, stripe: Shades, wares: Callable[[Mosaic, float], None]
) -> None:
    right = left + 190
    for x in (left + 12, right - 12):
        picture.fill(box(x - 4, 326, x + 4, 400), BARK[1:], (8, 14))
    picture.shape("#4a3526", box(left + 18, 330, right - 18, 366))
    wares(picture, left + 20)
    picture.fill(box(left + 4, 366, right - 4, 400), WOOD[1:4], (23, 17))
    for k in range(8):
        a, b = left + k * 23.75, left + (k + 1) * 23.75
        top_a, top_b = left + 22 + k * 18.25, left + 22 + (k + 1) * 18.25
        flap = ((top_a, 288), (top_b, 288), (b, 322), (b - 4, 332), (a + 4, 332), (a, 322))
        picture.fill(flap, IVORY[1:] if k % 2 else stripe, (24, 22))


def _heaps(picture: Mosaic, left: float) -> None:
    for k, shades in enumerate((SAFFRON, CRIMSON, STRAW, OLIVE[1:4])):
        x = left + 20 + k * 37
        picture.fill(((x - 17, 358), (x, 336), (x + 17, 358)), shades, 11, _sunlight((x, 346), 16))
        picture.fill(
            ((x - 18, 357), (x + 18, 357), (x + 12, 367), (x - 12, 367)), BARK[2:], (9, 10)
        )


def _jars(picture: Mosaic, left: float) -> None:
    for k in range(5):
        x = left + 16 + k * 29
        pot: Line = (
            (x - 5, 338),
            (x + 5, 338),
            (x + 11, 348),
            (x + 8, 362),
            (x + 4, 368),
            (x - 4, 368),
            (x - 8, 362),
            (x - 11, 348),
        )
        picture.fill(pot, ROOF, 9, _sunlight((x, 350), 12))


def _bolts(picture: Mosaic, left: float) -> None:
    for k, shades in enumerate((AZURE[:3], CRIMSON[1:], GOLD[1:])):
        picture.fill(box(left + 6, 335 + k * 11, left + 128, 346 + k * 11), shades, (13, 11))
        picture.fill(ellipse((left + 134, 340 + k * 11), 6, corners=8), IVORY[2:], 20)
