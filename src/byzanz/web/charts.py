"""Small charts on pages, as SVG in the colours of the page. The page has their numbers as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil

from byzanz.arena.charts.svg import circle, line, number, rect, text
from byzanz.tables import Estimate, WinShare

_BAR_WIDTH, _BAR_HEIGHT, _BAR_EDGE = 180, 24, 6

_WIDTH, _EDGE, _TOP, _BOTTOM, _MOST_BARS = 360, 8, 24, 140, 24

SOFT, GRID, ACCENT, BAR = "var(--soft)", "var(--edge)", "var(--act)", "var(--bronze)"


def share_bar(share: WinShare) -> str:
    """Return a share of wins as a dot with its interval; a dashed line marks a fair share."""
    middle = _BAR_HEIGHT / 2

    def x(value: float) -> float:
        return _BAR_EDGE + value * (_BAR_WIDTH - 2 * _BAR_EDGE)

    wins = share.wins
    parts = [
        rect(x(0), middle - 1, x(1) - x(0), 2, GRID),
        line([(x(share.fair), 2), (x(share.fair), _BAR_HEIGHT - 2)], SOFT, dashed=True),
    ]
    if wins.low is not None and wins.high is not None:
        parts.append(line([(x(wins.low), middle), (x(wins.high), middle)], ACCENT, width=4))
    parts.append(circle(x(wins.value), middle, 5.5, ACCENT))
    return drawing(_BAR_WIDTH, _BAR_HEIGHT, "".join(parts), "bar")


def luck_bar(average: Estimate) -> str:
    """Return the average luck per game as a dot with its interval; a dashed line marks zero."""
    middle = _BAR_HEIGHT / 2
    shown = [abs(each) for each in (average.value, average.low, average.high) if each is not None]
    most = max(10.0, 1.1 * max(shown))

    def x(value: float) -> float:
        return _BAR_EDGE + (value / most + 1) / 2 * (_BAR_WIDTH - 2 * _BAR_EDGE)

    parts = [
        rect(x(-most), middle - 1, x(most) - x(-most), 2, GRID),
        line([(x(0), 2), (x(0), _BAR_HEIGHT - 2)], SOFT, dashed=True),
    ]
    if average.low is not None and average.high is not None:
        parts.append(line([(x(average.low), middle), (x(average.high), middle)], ACCENT, width=4))
    parts.append(circle(x(average.value), middle, 5.5, ACCENT))
    return drawing(_BAR_WIDTH, _BAR_HEIGHT, "".join(parts), "bar")


def histogram(profits: Sequence[int], own: int) -> str:
    """Return a histogram of the profits; the bar with the viewer's own profit stands out."""
    low, high = min(*profits, own), max(*profits, own)
    step = max(1, ceil((high - low + 1) / _MOST_BARS))
    counts = Counter((each - low) // step for each in profits)
    bars = (high - low) // step + 1
    width = (_WIDTH - 2 * _EDGE) / bars
    tallest = max(counts.values(), default=1)
    parts = []
    for place in range(bars):
        here = place == (own - low) // step
        tall = counts[place] / tallest * (_BOTTOM - _TOP)
        x, colour = _EDGE + place * width, ACCENT if here else BAR
        parts.append(rect(x + 1, _BOTTOM - tall, max(width - 2, 1), tall, colour))
        if here:
            shown = text(x + width / 2, _BOTTOM - tall - 6, str(own), anchor="middle", bold=True)
            parts.append(shown)
    parts.append(line([(_EDGE, _BOTTOM), (_WIDTH - _EDGE, _BOTTOM)], SOFT))
    parts.append(text(_EDGE, _BOTTOM + 18, str(low), fill=SOFT))
    parts.append(text(_WIDTH - _EDGE, _BOTTOM + 18, str(high), fill=SOFT, anchor="end"))
    return drawing(_WIDTH, _BOTTOM + 24, "".join(parts), "histogram")


def drawing(width: float, height: float, content: str, css_class: str) -> str:
    """Return an SVG element for a page. Screen readers skip it: the page has the numbers."""
    box = f"0 0 {number(width)} {number(height)}"
    return f'<svg class="{css_class}" viewBox="{box}" aria-hidden="true">{content}</svg>'
