"""The goods of each kind: one to four of them on a card that is 100 wide and 140 high."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, sin

from byzanz.rules import Kind

from .figures import merchant
from .mosaic import Mosaic, lit, sloped
from .palettes import AZURE, BARK, GOLD, GRAPE, IVORY, LEAF, OLIVE, PALETTES, SAFFRON, STRAW, WOOD
from .shapes import Line, Point, along, angle, box, curve, ellipse, grown, leaf, length, moved

Places = Mapping[int, tuple[tuple[float, float, float], ...]]
"""For each number of goods, the position and the size of each good."""


def surround(
    picture: Mosaic, kind: Kind, *outlines: Line, wide: float = 5.5, step: float = 9
) -> None:
    """Draw a row of the ground's tesserae around every outline."""
    palette = PALETTES[kind]
    picture.hide(*(grown(outline, wide) for outline in outlines))
    rows = [t for outline in outlines for t in picture.contour(outline, wide, step)]
    picture.lay(rows, palette.ground[1:])
    picture.hide(*outlines)


# Cloth: rolled-up bolts, seen from the side, with one end visible.

_BOLTS: Places = {
    1: ((50, 70, 18),),
    2: ((52, 52.5, 13.5), (48, 87.5, 13.5)),
    3: ((53, 47.5, 9.5), (50, 70, 9.5), (47, 92.5, 9.5)),
    4: ((54, 44.5, 7.2), (51, 61.5, 7.2), (49, 78.5, 7.2), (46, 95.5, 7.2)),
}


def cloth(picture: Mosaic, number: int) -> None:
    """Draw bolts of cloth, one above the other."""
    bodies = [_chamfered(x - 36, y - half, x + 36, y + half) for x, y, half in _BOLTS[number]]
    surround(picture, Kind.CLOTH, *bodies, wide=4.4, step=12)
    for x, y, half in _BOLTS[number]:
        left, right, end = x - 36, x + 36, ellipse((x + 36 - half * 0.7, y), half * 0.8, half)
        columns = 7
        wide = (right - half * 1.1 - left) / columns
        light = lit((x, y), half * 1.2, 0.1, 1)
        for k in range(columns):
            strip = box(left + k * wide, y - half, left + (k + 1) * wide, y + half)
            shades = (AZURE, IVORY[2:], AZURE, GOLD[1:], AZURE, IVORY[2:], AZURE)[k]
            picture.lay(
                picture.grid(strip, (wide, max(half * 0.68, 6.5)), rough=0.08), shades, light
            )
        picture.hide(end)
        rings = 1 if number > 2 else 2
        stones = picture.disc((x + 36 - half * 0.7, y), (half * 0.8, half), rings, half * 0.8)
        outer = len(stones) - 1 if rings == 1 else len(stones) * 3 // 5
        picture.lay(stones[:outer], IVORY[2:])
        picture.lay(stones[outer:-1], AZURE[:2])
        picture.lay(stones[-1:], IVORY[3:] if rings == 2 else AZURE[:1])


def _chamfered(left: float, top: float, right: float, bottom: float, cut: float = 4) -> Line:
    return (
        (left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut),
        (right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut),
    )  # fmt: skip


# Grain: ears on their stalks, tied at the foot.

_EARS: Mapping[int, tuple[tuple[Point, Point], ...]] = {
    1: (((46, 131), (55, 26)),),
    2: (((43, 130), (33, 50)), ((49, 130), (71, 30))),
    3: (((41, 129), (21, 58)), ((45, 130), (48, 40)), ((49, 129), (77, 31))),
    4: (((39, 128), (16, 64)), ((43, 130), (37, 48)), ((47, 130), (60, 34)), ((51, 128), (82, 39))),
}


def grain(picture: Mosaic, number: int) -> None:
    """Draw a sheaf of ears of grain."""
    size = {1: 1.6, 2: 1.25, 3: 1.1, 4: 0.98}[number]
    halves: tuple[list[Line], list[Line]] = ([], [])
    stalks = []
    for base, tip in _EARS[number]:
        bend = ((base[0] + tip[0]) / 2 - (tip[0] - 50) * 0.2, (base[1] + tip[1]) / 2 + 4)
        stalk = curve(base, bend, tip)
        stalks.append(stalk)
        whole = length(stalk)
        for k in range(5):
            (x, y), tilt = along(stalk, 1 - (k * 7.8 + 2) * size / whole)
            for side in (-1, 1):
                _kernel(halves, (x, y), tilt + side * 0.52, side, size)
        _kernel(halves, *along(stalk, 0.995), 0, size)
    stems = [t for s in stalks for t in picture.row(s[: len(s) * 3 // 4], -1.5, 1.5, 10)]
    picture.hide(*stems)
    picture.lay(stems, STRAW[:3])
    picture.hide(*halves[0], *halves[1])
    picture.lay(halves[0], STRAW[2:])
    picture.lay(halves[1], STRAW[:3])
    if number > 1:
        (ax, ay), (bx, _) = along(stalks[0], 0.14)[0], along(stalks[-1], 0.14)[0]
        tie = box(ax - 5, ay - 3.5, bx + 5, ay + 3.5)
        picture.hide(tie)
        picture.lay(picture.grid(tie, (5, 7)), IVORY[2:])


def _kernel(
    halves: tuple[list[Line], list[Line]], foot: Point, tilt: float, side: int, size: float
) -> None:
    """Add a kernel of two tesserae, the upper one lighter."""
    foot = (foot[0] - side * size * sin(tilt), foot[1] + side * size * cos(tilt))
    reach = [(0.0, 0.0), (0.35, 3.4), (0.65, 3.2), (1.0, 0.0)]
    for half, way in zip(halves, (-1, 1), strict=True):
        half.append(moved([(13 * size * t, way * w * size) for t, w in reach], foot, tilt))


# Olives: a branch from one free corner to the other.

_OLIVES: Places = {
    1: ((51, 72, 1.85),),
    2: ((66, 56, 1.35), (37, 88, 1.35)),
    3: ((73, 53, 1.15), (40, 62, 1.15), (49, 96, 1.15)),
    4: ((78, 55, 1.02), (45, 52, 1.02), (25, 82, 1.02), (57, 90, 1.02)),
}
_LEAVES: Mapping[int, tuple[tuple[float, int], ...]] = {
    1: ((0.08, -1), (0.12, 1), (0.27, -1), (0.7, 1), (0.74, -1), (0.92, -1)),
    2: ((0.08, -1), (0.1, 1), (0.42, -1), (0.5, 1), (0.74, -1), (0.92, -1)),
    3: ((0.08, -1), (0.1, 1), (0.28, -1), (0.47, 1), (0.74, -1), (0.92, -1)),
    4: ((0.06, -1), (0.1, 1), (0.46, 1), (0.5, -1), (0.76, -1), (0.92, -1)),
}


def olives(picture: Mosaic, number: int) -> None:
    """Draw olives on a branch with leaves."""
    branch = curve((24, 128), (37, 104), (54, 66), (78, 16))
    leaves = []
    for where, side in _LEAVES[number]:
        (x, y), tilt = along(branch, where)
        tilt += side * 0.8
        leaves.append(leaf((x, y), (x + 27 * cos(tilt), y + 27 * sin(tilt)), 11.5))
    fruits = [((x, y), 10.5 * s, 8.8 * s) for x, y, s in _OLIVES[number]]
    outlines = [ellipse(at, a, b, -1.0, corners=16) for at, a, b in fruits]
    soft, picture.grout = picture.grout, "#3a3a20"
    twigs = picture.row(branch, -1.4, 1.4, 10)
    picture.hide(*twigs)
    picture.lay(twigs, BARK[1:])
    picture.hide(*leaves)
    for one in leaves:
        cut = len(one) // 2
        tilt = angle(one[0], one[cut])
        for half, shades in ((one[: cut + 1], LEAF[2:]), ((*one[cut:], one[0]), LEAF[:3])):
            picture.lay(picture.grid(half, (13, 9), tilt, 0.04), shades)
    picture.grout = soft
    surround(picture, Kind.OLIVES, *outlines, wide=4.2)
    picture.grout = OLIVE[0]
    for at, a, b in fruits:
        stones = picture.disc(at, (a, b), 2, 8 if number > 1 else 9, -1.0)
        picture.lay(stones, OLIVE, lit(at, a * 0.85))


# Spices: bowls heaped to a point.

_BOWLS: Places = {
    1: ((50, 72, 1.72),),
    2: ((62, 47, 1.3), (38, 100, 1.3)),
    3: ((67, 36, 1.05), (44, 73, 1.05), (33, 111, 1.05)),
    4: ((68, 33, 0.92), (30, 67, 0.92), (70, 77, 0.92), (32, 112, 0.92)),
}
_HEAP: Line = ((-21, 0), (-12, -9), (-5, -17), (0, -21), (5, -17), (12, -9), (21, 0))
_BOWL: Line = ((-24, 0), (24, 0), (21, 9), (13, 16), (-13, 16), (-21, 9))


def spices(picture: Mosaic, number: int) -> None:
    """Draw bowls heaped with spices."""
    whole = (*_HEAP[:-1], *_BOWL[1:], _BOWL[0])
    outlines = [moved(whole, (x, y), 0, size) for x, y, size in _BOWLS[number]]
    surround(picture, Kind.SPICES, *outlines, wide=4.6, step=13)
    fine = 7.4 if number == 1 else 6.6
    for x, y, size in _BOWLS[number]:
        heap, bowl = moved(_HEAP, (x, y), 0, size), moved(_BOWL, (x, y), 0, size)
        picture.lay(picture.grid(heap, fine), SAFFRON, sloped((x, y), 20 * size))
        picture.lay(
            picture.grid(bowl, (fine * 1.25, 8 * size), rough=0.08),
            IVORY,
            sloped((x, y), 24 * size),
        )


# Wood: trunks seen from their cut end.

_TRUNKS: Places = {
    1: ((50, 70, 34),),
    2: ((64.5, 46, 24.5), (35.5, 94, 24.5)),
    3: ((66, 37, 20), (31, 73, 20), (69, 81, 19)),
    4: ((67.5, 31, 17.5), (28, 60, 17.5), (71, 78, 17.5), (32, 107, 17.5)),
}


def wood(picture: Mosaic, number: int) -> None:
    """Draw trunks with their rings."""
    outlines = [ellipse((x, y), radius, corners=12) for x, y, radius in _TRUNKS[number]]
    surround(picture, Kind.WOOD, *outlines, wide=4.6, step=14)
    picture.grout = BARK[0]
    rings = 3 if number == 1 else 2
    for x, y, radius in _TRUNKS[number]:
        at, bark = (x, y), radius * 0.17
        rind = picture.row(ellipse(at, radius), -bark, 0, 11, closed=True)
        picture.lay(rind, BARK, lit(at, radius, 0.2))
        wide = (radius - bark) / (rings + 0.5)
        for k in range(rings):
            rim = ellipse(at, radius - bark - k * wide)
            row = picture.row(rim, -wide, 0, 9 if number < 4 else 10, closed=True)
            picture.lay(row, WOOD[:2] if k % 2 else WOOD[2:])
        picture.lay([ellipse(at, wide / 2, corners=7)], WOOD[:1] if rings % 2 else WOOD[4:])


# Wine: bunches of grapes, each below a leaf.

_BUNCHES: Places = {
    1: ((50, 56, 9.6),),
    2: ((64, 40, 8.0), (36, 90, 8.0)),
    3: ((67, 33, 6.6), (29, 66, 6.6), (67, 76, 6.6)),
    4: ((68, 31, 5.9), (29, 60, 5.9), (71, 72, 5.9), (32, 104, 5.9)),
}
_VINE_LEAF: Line = (
    (0, 1), (-8, 5), (-20, 1), (-15, -6), (-18, -14), (-8, -13), (0, -20), (8, -13), (18, -14),
    (15, -6), (20, 1), (8, 5),
)  # fmt: skip


def wine(picture: Mosaic, number: int) -> None:
    """Draw bunches of grapes, each below a vine leaf."""
    rows = 4 if number == 1 else 3
    size = 0.125 if number < 3 else 0.14
    places = _BUNCHES[number]
    bunches = [moved(_bunch(rows), (x, y), 0, r) for x, y, r in places]
    sprouts = [moved(_VINE_LEAF, (x, y - 0.8 * r), 0, r * size) for x, y, r in places]
    surround(picture, Kind.WINE, *bunches, wide=3.4, step=16)
    picture.lay(bunches, IVORY[3:])
    grapes = [
        ((x + (n - k / 2) * 2 * r, y + (rows - 1 - k) * 1.75 * r), r)
        for x, y, r in places
        for k in range(rows)
        for n in range(k + 1)
    ]
    picture.hide(*(ellipse(at, r, corners=10) for at, r in grapes))
    picture.grout = GRAPE[0]
    for at, r in grapes:
        stones = (r, r) if number < 3 else (r, 2 * r)
        round_one = picture.grid(ellipse(at, r, corners=10), stones, 0.6, 0.05)
        picture.lay(round_one, GRAPE[1:], lit(at, r * 0.8))
    picture.hide(*sprouts)
    picture.grout = LEAF[0]
    for (x, y, r), sprout in zip(places, sprouts, strict=True):
        stones_of_leaf = picture.grid(sprout, 1.8 * r, pi / 4)
        picture.lay(stones_of_leaf, LEAF[1:], lit((x, y - 1.6 * r), 1.6 * r))


def _bunch(rows: int) -> Line:
    """Return the outline of a bunch of grapes of radius 1, with its first row at the origin."""
    foot = (rows - 1) * 1.75 + 1
    return (
        (-rows, 0), (-rows * 0.8, -1), (rows * 0.8, -1), (rows, 0), (1, foot - 0.4), (0, foot),
        (-1, foot - 0.4),
    )  # fmt: skip


GOODS: dict[Kind, Callable[[Mosaic, int], None]] = {
    Kind.CLOTH: cloth,
    Kind.GRAIN: grain,
    Kind.OLIVES: olives,
    Kind.SPICES: spices,
    Kind.WOOD: wood,
    Kind.WINE: wine,
    Kind.MERCHANT: merchant,
}
"""For each kind, the function that draws a number of its goods."""
