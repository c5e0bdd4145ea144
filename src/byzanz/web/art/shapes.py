"""Geometry: outlines and lines as sequences of points, and operations on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin

Point = tuple[float, float]
Line = Sequence[Point]
"""Points in drawing order: an open line, or the corners of an outline."""


def ellipse(centre: Point, rx: float, ry: float = 0, tilt: float = 0, corners: int = 24) -> Line:
    """Return the outline of an ellipse, or of a circle if only one radius is given."""
    ring = [2 * pi * k / corners for k in range(corners)]
    return moved([(rx * cos(a), (ry or rx) * sin(a)) for a in ring], centre, tilt)


def box(left: float, top: float, right: float, bottom: float, corner: float = 0) -> Line:
    """Return the outline of an upright rectangle; ``corner`` is the radius of its corners."""
    if not corner:
        return ((left, top), (right, top), (right, bottom), (left, bottom))
    turns = (
        (right - corner, top + corner, -pi / 2),
        (right - corner, bottom - corner, 0.0),
        (left + corner, bottom - corner, pi / 2),
        (left + corner, top + corner, pi),
    )
    return tuple(
        (x + corner * cos(start + k * pi / 10), y + corner * sin(start + k * pi / 10))
        for x, y, start in turns
        for k in range(6)
    )


def vault(centre: Point, radius: float, foot: float = 0, corners: int = 16) -> Line:
    """Return the outline of an arch: a half circle on walls that are ``foot`` high."""
    x, y = centre
    turns = [pi + pi * k / corners for k in range(corners + 1)]
    arch = [(x + radius * cos(a), y + radius * sin(a)) for a in turns]
    return (*arch, (x + radius, y + foot), (x - radius, y + foot)) if foot else tuple(arch)


def star(centre: Point, points: int, outer: float, inner: float, tilt: float = 0) -> Line:
    """Return the outline of a star whose first point is at the top."""
    turn = [pi * k / points - pi / 2 for k in range(2 * points)]
    rays = [((inner if k % 2 else outer), a) for k, a in enumerate(turn)]
    return moved([(r * cos(a), r * sin(a)) for r, a in rays], centre, tilt)


def leaf(base: Point, tip: Point, width: float, belly: float = 0.45) -> Line:
    """Return the outline of a leaf from base to tip; it is widest at ``belly``, from 0 to 1."""
    length, tilt = hypot(tip[0] - base[0], tip[1] - base[1]), angle(base, tip)
    side = [(0.0, 0.0), (0.18, 0.55), (belly, 1.0), (0.78, 0.6), (1.0, 0.0)]
    upper = [(x * length, -y * width / 2) for x, y in side]
    lower = [(x * length, y * width / 2) for x, y in reversed(side[1:-1])]
    return moved(upper + lower, base, tilt)


def curve(*knots: Point, steps: int = 8) -> Line:
    """Return a smooth open line through the knots (a Catmull-Rom spline)."""
    ends = (knots[0], *knots, knots[-1])
    line: list[Point] = []
    for p, q, r, s in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for k in range(steps):
            t = k / steps
            line.append((_spline(p[0], q[0], r[0], s[0], t), _spline(p[1], q[1], r[1], s[1], t)))
    return (*line, knots[-1])


def _spline(p: float, q: float, r: float, s: float, t: float) -> float:
    return q + t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * q - p - 3 * r + s))) / 2


def angle(start: Point, end: Point) -> float:
    """Return the direction from one point to another, in radians, clockwise from the right."""
    return atan2(end[1] - start[1], end[0] - start[0])


def moved(line: Iterable[Point], by: Point, turn: float = 0, scale: float = 1) -> Line:
    """Scale and rotate a line about the origin, then move it."""
    c, s = cos(turn) * scale, sin(turn) * scale
    return tuple((by[0] + x * c - y * s, by[1] + x * s + y * c) for x, y in line)


def mirrored(line: Line, middle: float) -> Line:
    """Mirror a line about the vertical axis at ``middle``."""
    return tuple((2 * middle - x, y) for x, y in reversed(line))


def along(line: Line, share: float) -> tuple[Point, float]:
    """Return the point at a fraction of the line's length, and the line's direction there."""
    return spaced(line, [share])[0]


def spaced(line: Line, shares: Sequence[float]) -> list[tuple[Point, float]]:
    """Return the points at ascending fractions of the line's length, with the directions there."""
    edges = [(a, b, hypot(b[0] - a[0], b[1] - a[1])) for a, b in pairwise(line)]
    whole = sum(size for *_, size in edges)
    points = []
    before, k = 0.0, 0
    for share in shares:
        while k < len(edges) - 1 and share * whole > before + edges[k][2]:
            before += edges[k][2]
            k += 1
        a, b, size = edges[k]
        t = (share * whole - before) / size if size else 0.0
        points.append(((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])), angle(a, b)))
    return points


def length(line: Line) -> float:
    """Return the length of a line."""
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))


def middle(outline: Line) -> Point:
    """Return the mean of the corners."""
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)


def area(outline: Line) -> float:
    """Return the area of an outline."""
    return abs(_signed(outline))


def _signed(outline: Line) -> float:
    turned = (*outline[1:], outline[0])
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(outline, turned, strict=True)) / 2


def bounds(outline: Line) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of an outline."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return min(xs), min(ys), max(xs), max(ys)


def inside(point: Point, outline: Line) -> bool:
    """Return whether the point is inside the outline."""
    x, y = point
    within = False
    before = outline[-1]
    for corner in outline:
        if (corner[1] > y) != (before[1] > y):
            cut = corner[0] + (y - corner[1]) * (before[0] - corner[0]) / (before[1] - corner[1])
            within ^= x < cut
        before = corner
    return within


def grown(outline: Line, by: float) -> Line:
    """Move every edge of an outline outwards, or inwards if ``by`` is negative."""
    if _signed(outline) < 0:
        outline = tuple(reversed(outline))
    corners: list[Point] = []
    count = len(outline)
    for k, (x, y) in enumerate(outline):
        ax, ay = _normal(outline[k - 1], (x, y))
        bx, by_ = _normal((x, y), outline[(k + 1) % count])
        reach = max(1 + ax * bx + ay * by_, 0.5)
        corners.append((x + by * (ax + bx) / reach, y + by * (ay + by_) / reach))
    return tuple(corners)


def _normal(a: Point, b: Point) -> Point:
    size = hypot(b[0] - a[0], b[1] - a[1]) or 1
    return (b[1] - a[1]) / size, (a[0] - b[0]) / size


def clipped(outline: Line, window: Line) -> Line:
    """Clip an outline to a convex window (Sutherland-Hodgman); empty if nothing is inside."""
    if _signed(window) < 0:
        window = tuple(reversed(window))
    shape = list(outline)
    for a, b in zip(window, (*window[1:], window[0]), strict=True):
        shape = _cut(shape, _side(a, b))
        if not shape:
            break
    return tuple(shape)


def _side(a: Point, b: Point) -> Callable[[Point], float]:
    return lambda p: (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _cut(shape: list[Point], side: Callable[[Point], float]) -> list[Point]:
    kept: list[Point] = []
    for p, q in zip(shape, shape[1:] + shape[:1], strict=True):
        at, then = side(p), side(q)
        if at >= 0:
            kept.append(p)
        if (at < 0) != (then < 0):
            t = at / (at - then)
            kept.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
    return kept
