"""The curve of a review: everybody's win probability as one seat saw it, as lines of a picture."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from byzanz.coach.results import Decision, Review, SeatReview

WIDTH, HEIGHT = 1200, 270
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 20, 34
_INSET = 20
"""The distance of the first point from the left edge, so that its mark covers no label."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A marked decision on the curve."""

    decision: Decision
    x: float
    y: float
    symbol: str
    current: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """Lines, grid and marks in the units of an SVG picture."""

    lines: tuple[tuple[int, str], ...]
    """For each seat the points of its line, the player's own line last."""
    shares: tuple[tuple[float, int], ...]
    """Lines of the grid with their percentages."""
    rounds: tuple[tuple[float, int], ...]
    spots: tuple[Spot, ...]
    now: float | None
    """Where the current decision is."""
    size: tuple[int, int] = (WIDTH, HEIGHT)
    edges: tuple[int, int, int, int] = (_LEFT, _TOP, WIDTH - _RIGHT, HEIGHT - _BOTTOM)


def draw_curve(
    review: Review, seat: SeatReview, starts: Mapping[int, int], current: Decision | None
) -> Curve:
    """Return the curve of a seat, without the final result."""
    points = [point for point in seat.curve if point.number < review.actions] or list(seat.curve)
    numbers = [point.number for point in points]
    last = max(len(points) - 1, 1)
    highest = max([share for point in points for share in point.win_probabilities], default=1.0)
    top = min(1.0, max(0.5, ceil(highest * 4 + 0.2) / 4))

    def x(number: int) -> float:
        """Return the horizontal place of an action: the seat's decisions are evenly spaced."""
        place = min(bisect_left(numbers, number), last)
        return round(_LEFT + _INSET + place / last * (WIDTH - _LEFT - _INSET - _RIGHT), 1)

    def y(share: float) -> float:
        return round(HEIGHT - _BOTTOM - share / top * (HEIGHT - _TOP - _BOTTOM), 1)

    seats = sorted(range(review.players), key=lambda at: (at == seat.seat, at))
    lines = tuple(
        (at, " ".join(f"{x(point.number)},{y(point.win_probabilities[at])}" for point in points))
        for at in seats
    )
    spots = tuple(
        Spot(
            one,
            x(one.number - 1),
            y(one.evaluation.outlook[seat.seat]),
            one.symbol,
            current is not None and one.number == current.number,
        )
        for one in seat.noted
    )
    quarters = range(round(top * 4) + 1)
    return Curve(
        lines=lines,
        shares=tuple((y(quarter / 4), 25 * quarter) for quarter in quarters),
        rounds=tuple((x(step), number) for number, step in starts.items()),
        spots=spots,
        now=None if current is None else x(current.number - 1),
    )
