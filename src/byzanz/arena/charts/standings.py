"""The chart of a league's standings: a row for each bot with win share, rating and places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, floor

from byzanz.arena.results import Estimate, Standing, Standings

from .svg import ACCENT, GRID, PALE, circle, document, label, line, rect, text

_ROW, _TOP, _BOTTOM, _LABEL, _PANEL, _GAP = 40, 78, 66, 190, 220, 60
_WIDTH = _LABEL + 3 * _PANEL + 2 * _GAP + 40
_PLACE_COLOURS = ("#4a1259", "#7b2d8b", "#a766b5", "#c9a0d2", "#dfc9e4", "#efe5f1")
_LONGEST_NAME = 21

Scale = Callable[[float], float]


def standings_chart(standings: Standings) -> str:
    """Return the chart as the text of an SVG file."""
    height = _end(standings) + _BOTTOM
    title = (
        f"{standings.league.players} players, {standings.deals} deals in duplicate, "
        f"{standings.games} games"
    )
    note = "lines: 95 % intervals with deals as the unit (Korn-Graubard, Student's t); dashed: fair"
    if any(one.faults for one in standings.bots):
        note += "; *: failed, not rated"
    parts = [
        text(20, 26, title, size=16),
        *_names(standings),
        *_wins(standings, _LABEL),
        *_ratings(standings, _LABEL + _PANEL + _GAP),
        *_places(standings, _LABEL + 2 * (_PANEL + _GAP)),
        text(20, height - 14, note, size=12, fill=PALE),
    ]
    return document(_WIDTH, height, title, parts)


def _end(standings: Standings) -> int:
    """Return the bottom of the last row."""
    return _TOP + _ROW * len(standings.bots)


def _middle(row: int) -> int:
    return _TOP + _ROW * row + _ROW // 2


def _names(standings: Standings) -> Iterator[str]:
    for row, standing in enumerate(standings.bots):
        name = label(standing.bot, _LONGEST_NAME) + ("*" if standing.faults else "")
        yield text(_LABEL - 16, _middle(row) + 5, name, anchor="end")
    for row in range(len(standings.bots) + 1):
        y = _TOP + _ROW * row
        yield line([(20, y), (_WIDTH - 20, y)], "#eee")


def _wins(standings: Standings, left: int) -> Iterator[str]:
    most = max(one.wins.high or one.wins.value for one in standings.bots)
    top = min(1.0, ceil(max(most, standings.fair) * 10 + 0.2) / 10)

    def x(share: float) -> float:
        return left + share / top * _PANEL

    ticks = [(x(share), f"{share:.0%}") for share in (0.0, top / 2, top)]
    yield from _axis(standings, left, "Share of the win, %", ticks)
    fair = x(standings.fair)
    yield line([(fair, _TOP), (fair, _end(standings))], PALE, dashed=True)
    for row, one in enumerate(standings.bots):
        yield from _estimate(one.wins, x, row, f"{one.wins.value:.1%}")


def _ratings(standings: Standings, left: int) -> Iterator[str]:
    ratings = [one.rating for one in standings.bots if one.rating is not None]
    if not ratings:
        yield from _axis(standings, left, "Rating", [])
        return
    lows = [one.value if one.low is None else one.low for one in ratings]
    highs = [one.value if one.high is None else one.high for one in ratings]
    low = floor(min(lows) / 100 - 0.1) * 100
    high = ceil(max(highs) / 100 + 0.1) * 100

    def x(rating: float) -> float:
        return left + (rating - low) / (high - low) * _PANEL

    ticks = [(x(rating), f"{rating:.0f}") for rating in (low, (low + high) / 2, high)]
    yield from _axis(standings, left, "Rating", ticks)
    for row, one in enumerate(standings.bots):
        if one.rating is not None:
            yield from _estimate(one.rating, x, row, f"{one.rating.value:.0f}")


def _places(standings: Standings, left: int) -> Iterator[str]:
    yield from _axis(standings, left, "Places, % of games", [(left, "0%"), (left + _PANEL, "100%")])
    for row, one in enumerate(standings.bots):
        yield from _place_bars(one, left, row)
    y = _end(standings) + 28
    for place in range(standings.league.players):
        x = left + place * 36
        yield rect(x, y, 11, 11, _PLACE_COLOURS[place])
        yield text(x + 15, y + 10, f"{place + 1}", size=12)


def _place_bars(standing: Standing, left: int, row: int) -> Iterator[str]:
    x = float(left)
    for place, share in enumerate(standing.places):
        width = share * _PANEL
        tooltip = f"{place + 1}: {share:.1%}"
        yield rect(x, _middle(row) - 11, width, 22, _PLACE_COLOURS[place], tooltip=tooltip)
        x += width


def _axis(
    standings: Standings, left: int, title: str, ticks: list[tuple[float, str]]
) -> Iterator[str]:
    bottom = _end(standings)
    yield text(left, _TOP - 22, title, bold=True)
    for x, tick in ticks:
        yield line([(x, _TOP), (x, bottom)], GRID)
        yield text(x, bottom + 18, tick, size=11, fill=PALE, anchor="middle")


def _estimate(estimate: Estimate, x: Scale, row: int, figure: str) -> Iterator[str]:
    """Draw an estimate as a dot with its figure, and its interval as a line."""
    y, at = _middle(row) + 4, x(estimate.value)
    if estimate.low is not None and estimate.high is not None:
        yield line([(x(estimate.low), y), (x(estimate.high), y)], ACCENT, width=2.5)
    yield circle(at, y, 4.5, ACCENT)
    yield text(at, y - 10, figure, size=11, anchor="middle")
