"""Charts of a training run: strength over time, and calibration of the win probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .svg import GRID, PALE, Point, circle, document, line, text

_WIDTH, _HEIGHT, _GAP, _LEFT, _TOP = 300, 200, 72, 64, 56
_COLOURS = {
    "random": "#7a7a7a", "sensible": "#2f7d5b", "trader": "#b5541f", "earlier": "#3b5fa8",
    "frozen": "#8a2f6b",
}  # fmt: skip
"""The colour of each opponent; other opponents are black."""
_DOTS = "#b5541f"


def strength_chart(curve: Sequence[Mapping[str, Any]], games: int | None = None) -> str:
    """Return the chart of the learner's win share against each opponent over time.

    ``curve`` has the entries of a training log. There is a plot for each number of players, and a
    dashed line marks a fair share. If ``games`` is given, each share was measured in that many
    games and has an error bar.
    """
    points = [
        (entry["seconds"] / 60, entry["evaluation"]) for entry in curve if "evaluation" in entry
    ]
    names = list(dict.fromkeys(name for _, evaluation in points for name in evaluation))
    counts = sorted(
        {int(count) for _, found in points for shares in found.values() for count in shares}
    )
    most = max([minutes for minutes, _ in points], default=1) or 1
    plots = []
    for place, count in enumerate(counts):
        marks = [_curve([(0, 1 / count), (1, 1 / count)], PALE, dashed=True)]
        for name in names:
            shares = [
                (minutes / most, evaluation[name][str(count)])
                for minutes, evaluation in points
                if str(count) in evaluation.get(name, {})
            ]
            colour = _COLOURS.get(name, "#000")
            marks.append(_curve(shares, colour))
            for when, share in shares if games else ():
                length = _two_errors(share, games or 1)
                ends = max(share - length, 0), min(share + length, 1)
                marks.append(_curve([(when, end) for end in ends], colour))
        axes = ("training time, minutes", "share of the wins, %")
        plots.append(_plot(place, f"{count} players", marks, f"{most:.3g}", axes))
    legend = [
        text(_LEFT + 110 * place, 20, name, fill=_COLOURS.get(name, "#000"))
        for place, name in enumerate(names)
    ]
    note = "bars: 2 standard errors; dashed: a fair share" if games and plots else ""
    return _grid(len(counts), "Share of the wins over time", [*legend, *plots], note)


def _two_errors(share: float, games: int) -> float:
    """Return twice the standard error of a win share.

    One win and one loss are added, so that the result is never 0.
    """
    estimate = (share * games + 1) / (games + 2)
    return 2 * float((estimate * (1 - estimate) / games) ** 0.5)


def reliability_chart(
    bins: Mapping[int, Sequence[tuple[float, float, int]]],
    errors: Mapping[int, Sequence[float]] | None = None,
    notes: Mapping[int, str] | None = None,
) -> str:
    """Return the reliability diagram of predicted win probabilities.

    For each number of players, ``bins`` has a tuple for each bin: the mean prediction, the observed
    share of wins and the number of decisions. ``errors`` has the length of each bin's error bar in
    either direction, and ``notes`` has a line of text. There is a plot for each number of players.
    """
    plots = []
    for place, (count, dots) in enumerate(sorted(bins.items())):
        marks = [_curve([(0, 0), (1, 1)], PALE, dashed=True)]
        most = max([decisions for *_, decisions in dots], default=1)
        lengths = (errors or {}).get(count, [0.0] * len(dots))
        for (predicted, observed, decisions), length in zip(dots, lengths, strict=True):
            x, y = _at(predicted, observed)
            low, high = max(observed - length, 0), min(observed + length, 1)
            marks.append(_curve([(predicted, low), (predicted, high)], _DOTS))
            marks.append(circle(x, y, 2 + 4 * (decisions / most) ** 0.5, _DOTS))
        marks.append(_curve([(predicted, observed) for predicted, observed, _ in dots], _DOTS))
        if note := (notes or {}).get(count):
            marks.append(text(8, 16, note, size=11, fill=PALE))
        axes = ("predicted win probability, %", "observed share of wins, %")
        plots.append(_plot(place, f"{count} players", marks, "100", axes))
    note = "dots: decisions; bars: 2 standard errors; dashed: perfect" if errors else ""
    return _grid(len(bins), "Reliability of win probabilities", plots, note)


def _at(x: float, y: float) -> Point:
    """Return the point of a plot for two values from 0 to 1."""
    return x * _WIDTH, _HEIGHT - y * _HEIGHT


def _curve(points: Sequence[Point], colour: str, *, dashed: bool = False) -> str:
    return line([_at(*point) for point in points], colour, width=1.6, dashed=dashed)


def _plot(place: int, title: str, marks: Sequence[str], right: str, axes: tuple[str, str]) -> str:
    """Return one plot of the grid, with 0 to 100 % on its vertical axis."""
    x = _LEFT + (place % 2) * (_WIDTH + _LEFT)
    y = _TOP + (place // 2) * (_HEIGHT + _GAP)
    corners = [(0, 0), (_WIDTH, 0), (_WIDTH, _HEIGHT), (0, _HEIGHT), (0, 0)]
    across, up = axes
    turned = f'<g transform="translate(-40 {_HEIGHT // 2}) rotate(-90)">'
    parts = [
        line(corners, GRID),
        *marks,
        text(0, -8, title, bold=True),
        text(-8, 6, "100", anchor="end"),
        text(-8, _HEIGHT // 2 + 4, "50", anchor="end"),
        text(-8, _HEIGHT, "0", anchor="end"),
        text(0, _HEIGHT + 16, "0"),
        text(_WIDTH, _HEIGHT + 16, right, anchor="end"),
        text(_WIDTH // 2, _HEIGHT + 16, across, size=11, fill=PALE, anchor="middle"),
        turned + text(0, 0, up, size=11, fill=PALE, anchor="middle") + "</g>",
    ]
    return f'<g transform="translate({x} {y})">{"".join(parts)}</g>'


def _grid(plots: int, title: str, parts: Sequence[str], note: str = "") -> str:
    """Return a document with the plots in two columns and a note below them."""
    width = _LEFT + min(max(plots, 1), 2) * (_WIDTH + _LEFT)
    height = _TOP + -(-max(plots, 1) // 2) * (_HEIGHT + _GAP)
    notes = [text(_LEFT, height - 10, note, size=11, fill=PALE)] if note else []
    return document(width, height, title, [*parts, *notes])
