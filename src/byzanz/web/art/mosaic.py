"""Mosaics: tesserae in rows, written as one path for each colour with the grout as its stroke."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from math import cos, sin

from byzanz.rules.chance import Chance

from .shapes import (
    Line,
    Point,
    area,
    bounds,
    clipped,
    ellipse,
    grown,
    inside,
    length,
    middle,
    moved,
    spaced,
)  # fmt: skip

Shades = Sequence[str]
"""Colours of one material, from dark to light."""
Light = Callable[[Point], float]
"""The brightness at a point, from 0 to 1."""

Frame = tuple[float, float, float, float]
"""Left, top, right and bottom."""

HIDDEN = 0.8
"""A tessera counts as hidden if this share of its corners, edge midpoints and centre is covered."""


@dataclass(frozen=True)
class _Layer:
    """Tesserae of one colour, or outlines that hide the layers below, or markup."""

    colour: str = ""
    grout: str = ""
    outlines: tuple[Line, ...] = ()
    markup: str = ""


class Mosaic:
    """A picture in painter's order: later layers cover earlier ones.

    The grout is the stroke of the tesserae, so those below a row seem to be cut to fit. While
    ``window`` is set to a convex outline, all tesserae and shapes are clipped to it.
    """

    def __init__(
        self, name: str, width: int, height: int, grain: int = 2, gap: float = 0.9
    ) -> None:
        self.width, self.height, self.grain, self.gap = width, height, grain, gap
        self.grout = ""
        self.window: Line = ()
        self._chance = Chance(int.from_bytes(sha256(name.encode()).digest()[:8], "big"))
        self._layers: list[_Layer] = []

    def share(self) -> float:
        """Return a random number from 0 to 1."""
        return self._chance.below(1 << 16) / (1 << 16)

    def wobble(self, size: float) -> float:
        """Return a random number from ``-size`` to ``size``."""
        return (2 * self.share() - 1) * size

    def hide(self, *outlines: Line) -> None:
        """Leave out the tesserae laid so far that are below these outlines."""
        self._layers.append(_Layer(outlines=outlines))

    def shape(self, colour: str, *outlines: Line) -> None:
        """Fill outlines with one colour, without grout, and hide the layers below."""
        self.hide(*outlines)
        self._layers.append(_Layer(colour, "", tuple(self._cut(outline) for outline in outlines)))
        self.hide()

    def mark(self, markup: str) -> None:
        """Add markup on top of all layers so far."""
        self._layers.append(_Layer(markup=markup))

    def lay(self, tesserae: Iterable[Line], shades: Shades, light: Light | None = None) -> None:
        """Add tesserae, each in a random shade or in a shade that fits the light at its place."""
        for tessera in tesserae:
            bright = self.share()
            if light:
                bright = light(middle(tessera)) + (bright - 0.5) * 0.45
            shade = shades[min(max(int(bright * len(shades)), 0), len(shades) - 1)]
            self._layers.append(_Layer(shade, self.grout, (self._cut(tessera),)))

    def _cut(self, outline: Line) -> Line:
        return clipped(outline, self.window) if self.window else outline

    def fill(
        self,
        outline: Line,
        shades: Shades,
        size: float | tuple[float, float],
        light: Light | None = None,
        tilt: float = 0,
    ) -> None:
        """Fill an outline with tesserae, and hide the layers below."""
        self.hide(outline)
        self.lay(self.grid(outline, size, tilt), shades, light)

    def grid(
        self, outline: Line, size: float | tuple[float, float], tilt: float = 0, rough: float = 0.13
    ) -> list[Line]:
        """Return tesserae in rows at an angle, clipped to the outline."""
        wide, high = size if isinstance(size, tuple) else (size, size)
        centre = middle(outline)
        level = moved(moved(outline, (-centre[0], -centre[1])), (0, 0), -tilt)
        left, top, right, bottom = bounds(level)
        rows, columns = max(1, round((bottom - top) / high)), max(1, round((right - left) / wide))
        high, wide = (bottom - top) / rows, (right - left) / columns
        knots = [
            [
                (left + c * wide + self._inner(c, columns, rough * wide),
                 top + r * high + self._inner(r, rows, rough * high))
                for c in range(columns + 1)
            ]
            for r in range(rows + 1)
        ]  # fmt: skip
        cut = []
        for r in range(rows):
            for c in range(columns):
                cell = (knots[r][c], knots[r][c + 1], knots[r + 1][c + 1], knots[r + 1][c])
                tessera = clipped(outline, moved(cell, centre, tilt))
                if len(tessera) > 2 and area(tessera) > 0.12 * wide * high:
                    cut.append(tessera)
        return cut

    def _inner(self, place: int, last: int, size: float) -> float:
        return self.wobble(size) if 0 < place < last else 0

    def row(
        self, line: Line, inner: float, outer: float, step: float, closed: bool = False
    ) -> list[Line]:
        """Return a row of tesserae along a line, between two distances to the left of the line."""
        if closed:
            line = (*line, line[0])
        count = max(3 if closed else 1, round(length(line) / step))
        shares = [(k + self._inner(k, count, 0.15)) / count for k in range(count + 1)]
        posts = [(x, y, sin(tilt), -cos(tilt)) for (x, y), tilt in spaced(line, shares)]
        if closed:
            posts[-1] = posts[0]
        return [
            (
                (ax + inner * au, ay + inner * av),
                (bx + inner * bu, by + inner * bv),
                (bx + outer * bu, by + outer * bv),
                (ax + outer * au, ay + outer * av),
            )
            for (ax, ay, au, av), (bx, by, bu, bv) in pairwise(posts)
        ]

    def contour(self, outline: Line, wide: float, step: float) -> list[Line]:
        """Return a row of tesserae around an outline."""
        far = grown(outline, wide)
        near = grown(outline, 0)
        count = len(far)
        posts: list[tuple[Point, Point]] = []
        for k in range(count):
            ends = (near[k], near[(k + 1) % count]), (far[k], far[(k + 1) % count])
            parts = max(1, round(length(ends[1]) / step))
            if length(ends[1]) < step / 2 and k % 2:
                continue
            for part in range(parts):
                share = (part + self._inner(part, parts, 0.15)) / parts
                posts.append((_between(*ends[0], share), _between(*ends[1], share)))
        turned = [*posts[1:], posts[0]]
        return [(a, c, d, b) for (a, b), (c, d) in zip(posts, turned, strict=True)]

    def disc(
        self,
        centre: Point,
        radius: float | tuple[float, float],
        rings: int = 2,
        step: float = 6,
        tilt: float = 0,
    ) -> list[Line]:
        """Return tesserae in circular or oval rings around a centre."""
        rx, ry = radius if isinstance(radius, tuple) else (radius, radius)
        wide = min(rx, ry) / (rings + 0.5)
        tesserae: list[Line] = []
        for ring in range(rings):
            turn = tilt + (self.share() if rx == ry else 0)
            rim = ellipse(centre, rx - ring * wide, ry - ring * wide, turn, corners=36)
            tesserae += self.row(rim, -wide, 0, step, closed=True)
        centre_stone = ellipse(centre, rx - rings * wide, ry - rings * wide, tilt, corners=7)
        return [*tesserae, centre_stone]

    def body(self) -> str:
        """Return the picture's SVG elements."""
        covers = [
            (at, bounds(outline), outline)
            for at, layer in enumerate(self._layers)
            if not layer.colour
            for outline in layer.outlines
        ]
        parts: list[str] = ["<g>"]
        strokes: list[str] = []
        fields: dict[tuple[str, str], list[Line]] = {}

        def flush() -> None:
            # Tesserae with no other layer in between do not overlap; their order does not matter.
            for (grout, colour), outlines in sorted(fields.items()):
                strokes.append(grout)
                if len(strokes) < 2 or strokes[-2] != grout:
                    parts.append(f'</g><g stroke="{grout}">' if grout else "</g><g>")
                parts.append(f'<path fill="{colour}" d="{_path(outlines, self.grain)}"/>')
            fields.clear()

        for at, layer in enumerate(self._layers):
            if not layer.colour:
                flush()
                parts.append(layer.markup)
                continue
            seen = [o for o in layer.outlines if o and not _hidden(o, at, covers)]
            if seen:
                fields.setdefault((layer.grout, layer.colour), []).extend(seen)
        flush()
        width = f"{self.gap * self.grain:.1f}".removesuffix(".0")
        return f'<g stroke-width="{width}" stroke-linejoin="round">{"".join(parts)}</g></g>'

    def svg(self) -> str:
        """Return the picture as a complete SVG document."""
        size = f'width="{self.width}" height="{self.height}"'
        view = f'viewBox="0 0 {self.width * self.grain} {self.height * self.grain}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view}>{self.body()}</svg>'


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _hidden(tessera: Line, at: int, covers: list[tuple[int, Frame, Line]]) -> bool:
    """Return whether a later layer covers most of the tessera."""
    left, top, right, bottom = bounds(tessera)
    edges = [_between(a, b, 0.5) for a, b in zip(tessera, (*tessera[1:], tessera[0]), strict=True)]
    probes = [*tessera, *edges, middle(tessera)]
    return any(
        place > at
        and not (right < frame[0] or left > frame[2] or bottom < frame[1] or top > frame[3])
        and sum(inside(probe, cover) for probe in probes) >= HIDDEN * len(probes)
        for place, frame, cover in covers
    )


def _path(outlines: Iterable[Line], grain: int) -> str:
    """Return path data in whole numbers and relative steps; corners after ``m`` need no command."""
    left = [_rounded(outline, grain) for outline in outlines]
    left = [corners for corners in left if len(corners) > 2]
    parts = []
    at = (0, 0)
    while left:
        # The nearest outline comes next, so that the numbers are short.
        corners = left.pop(min(range(len(left)), key=lambda k: _apart(left[k][0], at)))
        first = min(range(len(corners)), key=lambda k: _apart(corners[k], at))
        corners = [*corners[first:], *corners[:first]]
        numbers = []
        for corner in corners:
            numbers += [corner[0] - at[0], corner[1] - at[1]]
            at = corner
        at = corners[0]
        data = "".join(str(n) if n < 0 else f" {n}" for n in numbers)
        parts.append(f"m{data.removeprefix(' ')}z")
    return "".join(parts)


def _apart(a: tuple[int, int], b: tuple[int, int]) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _rounded(outline: Line, grain: int) -> list[tuple[int, int]]:
    corners = [(round(x * grain), round(y * grain)) for x, y in outline]
    return [corner for k, corner in enumerate(corners) if corner != corners[k - 1]]


def lit(centre: Point, radius: float, low: float = 0.0, high: float = 1.0) -> Light:
    """Return a function for the brightness of a round object, lit from the upper left."""

    def light(point: Point) -> float:
        share = 0.5 - ((point[0] - centre[0]) * 0.55 + (point[1] - centre[1]) * 0.83) / (2 * radius)
        return low + (high - low) * min(max(share, 0), 1)

    return light


def sloped(centre: Point, half: float) -> Light:
    """Return a function for the brightness of a surface, lit from the left."""
    return lambda point: 0.5 - (point[0] - centre[0]) / (2 * half)
