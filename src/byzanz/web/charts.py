"""Small charts on pages, as SVG in the colours of the page. The page has their numbers as text."""

from __future__ import annotations

from byzanz.arena.charts.svg import circle, line, number, rect
from byzanz.tables import WinShare

_BAR_WIDTH, _BAR_HEIGHT, _BAR_EDGE = 180, 24, 6

INK, SOFT, GRID, ACCENT = "var(--ink)", "var(--soft)", "var(--edge)", "var(--act)"


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


def drawing(width: float, height: float, content: str, css_class: str) -> str:
    """Return an SVG element for a page. Screen readers skip it: the page has the numbers."""
    box = f"0 0 {number(width)} {number(height)}"
    return f'<svg class="{css_class}" viewBox="{box}" aria-hidden="true">{content}</svg>'
