"""Charts as SVG: strength over a training, and how far chances can be relied on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

WIDE, HIGH, GAP = 300, 200, 56
COLOURS = {
    "random": "#7a7a7a", "sensible": "#2f7d5b", "trader": "#b5541f", "earlier": "#3b5fa8",
    "frozen": "#8a2f6b",
}  # fmt: skip


def strength_chart(curve: Sequence[Mapping[str, Any]]) -> str:
    """The learner's share of the wins against each of the panel, over minutes.

    There is a plot for each number of players; the dashed line is an equal player's share.
    """
    points = [(told["seconds"] / 60, told["panel"]) for told in curve if "panel" in told]
    names = list(dict.fromkeys(name for _, panel in points for name in panel))
    counts = sorted(
        {int(count) for _, panel in points for shares in panel.values() for count in shares}
    )
    most = max([minutes for minutes, _ in points], default=1) or 1
    plots = []
    for place, count in enumerate(counts):
        marks = [_line([(0, 1 / count), (1, 1 / count)], "#999", dashed=True)]
        for name in names:
            seen = [
                (minutes / most, panel[name][str(count)])
                for minutes, panel in points
                if str(count) in panel.get(name, {})
            ]
            marks.append(_line(seen, COLOURS.get(name, "#000")))
        plots.append(_plot(place, f"{count} players", marks, f"{most:.3g} min"))
    legend = [
        f'<text x="{GAP + 110 * place}" y="20" fill="{COLOURS.get(name, "#000")}">{name}</text>'
        for place, name in enumerate(names)
    ]
    return _picture(len(counts), [*legend, *plots])


def reliability_chart(bins: Mapping[int, Sequence[tuple[float, float, int]]]) -> str:
    """What was said against what came, a plot a number of players; a dot is a bin of decisions."""
    plots = []
    for place, (count, dots) in enumerate(sorted(bins.items())):
        marks = [_line([(0, 0), (1, 1)], "#999", dashed=True)]
        most = max([number for *_, number in dots], default=1)
        for said, came, number in dots:
            x, y = _at(said, came)
            size = 2 + 4 * (number / most) ** 0.5
            marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" fill="#b5541f"/>')
        marks.append(_line([(said, came) for said, came, _ in dots], "#b5541f"))
        plots.append(_plot(place, f"{count} players: said against came", marks, "1"))
    return _picture(len(bins), plots)


def _at(x: float, y: float) -> tuple[float, float]:
    return x * WIDE, HIGH - y * HIGH


def _line(points: Sequence[tuple[float, float]], colour: str, *, dashed: bool = False) -> str:
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in (_at(*point) for point in points))
    dashes = ' stroke-dasharray="4 4"' if dashed else ""
    return f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="1.6"{dashes}/>'


def _plot(place: int, title: str, marks: Sequence[str], right: str) -> str:
    x = GAP + (place % 2) * (WIDE + GAP)
    y = GAP + (place // 2) * (HIGH + GAP)
    frame = f'<rect width="{WIDE}" height="{HIGH}" fill="none" stroke="#ccc"/>'
    texts = (
        f'<text x="0" y="-8" font-weight="bold">{title}</text>'
        f'<text x="-8" y="6" text-anchor="end">1</text>'
        f'<text x="-8" y="{HIGH}" text-anchor="end">0</text>'
        f'<text x="{WIDE}" y="{HIGH + 16}" text-anchor="end">{right}</text>'
    )
    return f'<g transform="translate({x} {y})">{frame}{"".join(marks)}{texts}</g>'


def _picture(plots: int, parts: Sequence[str]) -> str:
    wide = GAP + min(max(plots, 1), 2) * (WIDE + GAP)
    high = GAP + -(-max(plots, 1) // 2) * (HIGH + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
        f'font-family="sans-serif" font-size="13"><rect width="{wide}" height="{high}" '
        f'fill="#fff"/>{"".join(parts)}</svg>\n'
    )
