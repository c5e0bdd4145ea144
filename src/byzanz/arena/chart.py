"""Standings as a picture: shares of the win, ratings and places, a row for each bot, in SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from math import ceil, floor

from .standings import Estimate, Standing, Standings

_ROW, _TOP, _BOTTOM, _LABEL, _PANEL, _GAP = 40, 78, 66, 190, 220, 60
_WIDTH = _LABEL + 3 * _PANEL + 2 * _GAP + 40
_INK, _PALE = "#7b2d8b", "#8a8a8a"
_SHADES = ("#4a1259", "#7b2d8b", "#a766b5", "#c9a0d2", "#dfc9e4", "#efe5f1")
_LONGEST = 21

Scale = Callable[[float], float]


def drawn(standings: Standings) -> str:
    """The picture as the text of an SVG file."""
    height = _TOP + _ROW * len(standings.bots) + _BOTTOM
    league = standings.league
    title = (
        f"{league.players} players, {standings.deals} deals in duplicate, {standings.games} games"
    )
    size = f'width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}"'
    letters = 'font-family="sans-serif" font-size="13" fill="#222"'
    note = "lines: 95 % intervals, deals as the unit; dashed: a fair share"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {letters}>',
        f"<title>{title}</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
        f'<text x="20" y="26" font-size="16">{title}</text>',
        *_labels(standings),
        *_wins(standings, _LABEL),
        *_ratings(standings, _LABEL + _PANEL + _GAP),
        *_places(standings, _LABEL + 2 * (_PANEL + _GAP)),
        f'<text x="20" y="{height - 14}" font-size="12" fill="{_PALE}">{note}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def printable(text: str) -> str:
    """The text with a mark for every letter that a picture's file may not hold."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def named(bot: str, longest: int) -> str:
    """The inside of a text that names the bot, in so many letters at most; all on hovering."""
    whole = printable(bot)
    short = whole if len(whole) <= longest else whole[: longest - 1] + "…"
    return f"<title>{escape(whole)}</title>{escape(short)}"


def _middle(row: int) -> int:
    return _TOP + _ROW * row + _ROW // 2


def _labels(standings: Standings) -> Iterator[str]:
    for row, one in enumerate(standings.bots):
        yield (
            f'<text x="{_LABEL - 16}" y="{_middle(row) + 5}" text-anchor="end">'
            f"{named(one.bot, _LONGEST)}</text>"
        )
    for row in range(len(standings.bots) + 1):
        yield f'<path d="M20 {_TOP + _ROW * row}H{_WIDTH - 20}" stroke="#eee"/>'


def _wins(standings: Standings, left: int) -> Iterator[str]:
    most = max(one.wins.high or one.wins.value for one in standings.bots)
    top = min(1.0, ceil(max(most, standings.fair) * 10 + 0.2) / 10)

    def x(share: float) -> float:
        return left + share / top * _PANEL

    ticks = [0.0, top / 2, top]
    yield from _axis(standings, left, "Share of the win", [(x(at), f"{at:.0%}") for at in ticks])
    bottom = _TOP + _ROW * len(standings.bots)
    yield (
        f'<path d="M{x(standings.fair):.1f} {_TOP}V{bottom}" stroke="{_PALE}" '
        'stroke-dasharray="5 4"/>'
    )
    for row, one in enumerate(standings.bots):
        yield from _estimate(one.wins, x, row, f"{one.wins.value:.1%}")


def _ratings(standings: Standings, left: int) -> Iterator[str]:
    found = [one.rating for one in standings.bots]
    low = floor(min(one.value if one.low is None else one.low for one in found) / 100 - 0.1) * 100
    high = ceil(max(one.value if one.high is None else one.high for one in found) / 100 + 0.1) * 100

    def x(rating: float) -> float:
        return left + (rating - low) / (high - low) * _PANEL

    ticks = [low, (low + high) / 2, high]
    yield from _axis(standings, left, "Rating", [(x(at), f"{at:.0f}") for at in ticks])
    for row, one in enumerate(standings.bots):
        yield from _estimate(one.rating, x, row, f"{one.rating.value:.0f}")


def _places(standings: Standings, left: int) -> Iterator[str]:
    yield from _axis(standings, left, "Places", [(left, "0%"), (left + _PANEL, "100%")])
    for row, one in enumerate(standings.bots):
        yield from _bar(one, left, row)
    bottom = _TOP + _ROW * len(standings.bots)
    for place in range(standings.league.players):
        x = left + place * 36
        yield (
            f'<rect x="{x}" y="{bottom + 28}" width="11" height="11" fill="{_SHADES[place]}"/>'
            f'<text x="{x + 15}" y="{bottom + 38}" font-size="12">{place + 1}</text>'
        )


def _bar(one: Standing, left: int, row: int) -> Iterator[str]:
    x = float(left)
    for place, share in enumerate(one.places):
        wide = share * _PANEL
        yield (
            f'<rect x="{x:.1f}" y="{_middle(row) - 11}" width="{wide:.1f}" height="22" '
            f'fill="{_SHADES[place]}"><title>{place + 1}: {share:.1%}</title></rect>'
        )
        x += wide


def _axis(
    standings: Standings, left: int, title: str, ticks: list[tuple[float, str]]
) -> Iterator[str]:
    bottom = _TOP + _ROW * len(standings.bots)
    yield f'<text x="{left}" y="{_TOP - 22}" font-weight="bold">{title}</text>'
    for x, text in ticks:
        yield (
            f'<path d="M{x:.1f} {_TOP}V{bottom}" stroke="#ddd"/>'
            f'<text x="{x:.1f}" y="{bottom + 18}" font-size="11" fill="{_PALE}" '
            f'text-anchor="middle">{text}</text>'
        )


def _estimate(estimate: Estimate, x: Scale, row: int, text: str) -> Iterator[str]:
    y, at = _middle(row) + 4, x(estimate.value)
    if estimate.low is not None and estimate.high is not None:
        yield (
            f'<path d="M{x(estimate.low):.1f} {y}H{x(estimate.high):.1f}" stroke="{_INK}" '
            'stroke-width="2.5"/>'
        )
    yield (
        f'<circle cx="{at:.1f}" cy="{y}" r="4.5" fill="{_INK}"/>'
        f'<text x="{at:.1f}" y="{y - 10}" font-size="11" text-anchor="middle">{text}</text>'
    )
