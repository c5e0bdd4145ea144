"""The chart of a cross-play.

The row is the bot that plays with one copy; the column is the bot that fills all other seats.
Purple cells are above a fair share, orange cells below. Colour-blind people can tell these colours
apart, and every cell shows its figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from byzanz.arena.matrix import Cell, Matrix

from .svg import PALE, document, label, printable, rect, text

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM, _EDGE = 112, 48, 190, 104, 84, 20
_BELOW, _FAIR, _ABOVE = (179, 88, 6), (247, 247, 247), (74, 18, 89)
_EMPTY = "#e4e4e4"
_LONGEST_ROW, _LONGEST_COLUMN = 21, 15
LEGEND_STEPS = 24
"""Number of colours in the legend."""

Colour = tuple[float, float, float]


def matrix_chart(matrix: Matrix) -> str:
    """Return the chart as the text of an SVG file."""
    bots = len(matrix.cross.bots)
    width = _LEFT + _WIDTH * max(bots, 4) + 2 * _EDGE
    height = _TOP + _HEIGHT * bots + _BOTTOM
    note = "share of the win, %, with its 95 % interval (Korn-Graubard, deals as the unit)"
    if any(cell.failed for cell in matrix.cells):
        note += "; *: a bot of the pair failed"
    parts = [
        text(_EDGE, 26, matrix.title, size=16),
        *_names(matrix),
        *(_cell(matrix, row, column) for row in range(bots) for column in range(bots)),
        *_legend(matrix, _TOP + _HEIGHT * bots + 16),
        text(_EDGE, height - 14, note, size=12, fill=PALE),
    ]
    return document(width, height, f"One among others: {matrix.title}", parts)


def _names(matrix: Matrix) -> Iterator[str]:
    others = matrix.cross.players - 1
    yield text(_LEFT - 16, _TOP - 12, "One", bold=True, anchor="end")
    yield text(_LEFT, _TOP - 36, f"among {others} others", bold=True)
    for at, bot in enumerate(matrix.cross.bots):
        y = _TOP + _HEIGHT * at + _HEIGHT // 2 + 5
        yield text(_LEFT - 16, y, label(bot, _LONGEST_ROW), anchor="end")
        x = _LEFT + _WIDTH * at + _WIDTH // 2
        yield text(x, _TOP - 12, label(bot, _LONGEST_COLUMN), anchor="middle")


def _cell(matrix: Matrix, row: int, column: int) -> str:
    alone, others = matrix.cross.bots[row], matrix.cross.bots[column]
    cell = matrix.cell(alone, others)
    fill, ink, figure, interval = _EMPTY, "#444", "", ""
    if cell is not None:
        colour = share_colour(cell.wins.value, matrix.fair)
        fill, ink = _hex(colour), ink_on(colour)
        figure = f"{100 * cell.wins.value:.1f}{'*' if cell.failed else ''}"
        interval = interval_text(cell)
        deals = "1 deal" if cell.deals == 1 else f"{cell.deals} deals"
        tooltip = f"{figure} %" + (f" ({interval})" if interval else "") + f" in {deals}"
    elif row == column:
        figure = f"{100 * matrix.fair:.1f}"
        tooltip = f"{figure} %, a fair share: not played"
    else:
        tooltip = "not played yet"
    tooltip = escape(printable(f"{alone} among {others}: {tooltip}"))
    x, y = _LEFT + _WIDTH * column, _TOP + _HEIGHT * row
    middle = x + _WIDTH // 2
    return "".join(
        [
            f"<g><title>{tooltip}</title>",
            rect(x + 1, y + 1, _WIDTH - 2, _HEIGHT - 2, fill),
            text(middle, y + (22 if interval else 29), figure, size=15, fill=ink, anchor="middle"),
            text(middle, y + 38, interval, size=11, fill=ink, anchor="middle"),
            "</g>",
        ]
    )


def interval_text(cell: Cell) -> str:
    """Return the interval of a cell in per cent; empty if the cell has none."""
    if cell.wins.low is None or cell.wins.high is None:
        return ""
    return f"{100 * cell.wins.low:.1f} to {100 * cell.wins.high:.1f}"


def _legend(matrix: Matrix, y: int) -> Iterator[str]:
    """Draw the colours of all shares, with the fair share in the middle."""
    width = 4 * _WIDTH / LEGEND_STEPS
    for step in range(LEGEND_STEPS):
        share = share_at((step + 0.5) / LEGEND_STEPS, matrix.fair)
        colour = _hex(share_colour(share, matrix.fair))
        yield rect(_LEFT + width * step, y, width + 0.5, 12, colour)
    for quarter in range(5):
        share = share_at(quarter / 4, matrix.fair)
        fair = "fair: " if quarter == 2 else ""
        tick = f"{fair}{100 * share:.1f} %"
        yield text(_LEFT + _WIDTH * quarter, y + 27, tick, size=11, fill=PALE, anchor="middle")


def share_at(position: float, fair: float) -> float:
    """Return the share shown at ``position`` in the legend: 0 is its left end, 1 its right end."""
    if position < 0.5:
        return 2 * position * fair
    return fair + (2 * position - 1) * (1 - fair)


def share_colour(share: float, fair: float) -> Colour:
    """Return the colour of a share: the farther from a fair share, the darker."""
    far = (fair - share) / fair if share < fair else (share - fair) / (1 - fair)
    red, green, blue = (
        near + far * (end - near)
        for near, end in zip(_FAIR, _BELOW if share < fair else _ABOVE, strict=True)
    )
    return red, green, blue


def ink_on(back: Colour) -> str:
    """Return black or white, whichever has the higher contrast with the colour (WCAG 2)."""
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in back
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "#fff"


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in colour)
