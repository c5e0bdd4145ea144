"""A cross as a picture: a row for who is alone, a column for the others, in SVG.

Purple is above a fair share, orange below: colour-blind people can tell the two apart, and every
cell has its figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from .chart import named, printable
from .matrix import Matrix

_WIDE, _HIGH, _LEFT, _TOP, _BOTTOM, _EDGE = 112, 48, 190, 104, 84, 20
_BELOW, _FAIR, _ABOVE = (179, 88, 6), (247, 247, 247), (74, 18, 89)
_EMPTY, _PALE = "#e4e4e4", "#6a6a6a"
_LONGEST_ROW, _LONGEST_COLUMN = 21, 15
_STEPS = 24

Colour = tuple[float, float, float]


def drawn_matrix(matrix: Matrix) -> str:
    """The picture as the text of an SVG file."""
    bots = len(matrix.cross.bots)
    width = _LEFT + _WIDE * max(bots, 4) + _EDGE
    height = _TOP + _HIGH * bots + _BOTTOM
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    letters = 'font-family="sans-serif" font-size="13" fill="#222"'
    note = "share of the win, %, ± half of its 95 % interval, deals as the unit; grey: not played"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {letters}>',
        f"<title>One among others: {matrix.title}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{_EDGE}" y="26" font-size="16">{matrix.title}</text>',
        *_labels(matrix),
        *(_cell(matrix, row, column) for row in range(bots) for column in range(bots)),
        *_legend(matrix, _TOP + _HIGH * bots + 16),
        f'<text x="{_EDGE}" y="{height - 14}" font-size="12" fill="{_PALE}">{note}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _labels(matrix: Matrix) -> Iterator[str]:
    players = matrix.cross.players
    yield (
        f'<text x="{_LEFT - 16}" y="{_TOP - 12}" font-weight="bold" text-anchor="end">One</text>'
        f'<text x="{_LEFT}" y="{_TOP - 36}" font-weight="bold">among {players - 1} others</text>'
    )
    for at, bot in enumerate(matrix.cross.bots):
        yield (
            f'<text x="{_LEFT - 16}" y="{_TOP + _HIGH * at + _HIGH // 2 + 5}" text-anchor="end">'
            f"{named(bot, _LONGEST_ROW)}</text>"
            f'<text x="{_LEFT + _WIDE * at + _WIDE // 2}" y="{_TOP - 12}" text-anchor="middle">'
            f"{named(bot, _LONGEST_COLUMN)}</text>"
        )


def _cell(matrix: Matrix, row: int, column: int) -> str:
    alone, others = matrix.cross.bots[row], matrix.cross.bots[column]
    cell = matrix.cell(alone, others)
    back, ink, figure, more = _EMPTY, "#444", "", ""
    if cell is not None:
        colour = _colour(cell.wins.value, matrix.fair)
        back, ink = _written(colour), _ink(colour)
        figure = f"{100 * cell.wins.value:.1f}"
        more = "" if cell.half is None else f"± {100 * cell.half:.1f}"
        deals = "1 deal" if cell.deals == 1 else f"{cell.deals} deals"
        told = f"{figure} % {more}".strip() + f" in {deals}"
    elif row == column:
        figure = f"{100 * matrix.fair:.1f}"
        told = f"{figure} %, a fair share: not played"
    else:
        told = "not played yet"
    told = escape(printable(f"{alone} among {others}: {told}"))
    x, y = _LEFT + _WIDE * column, _TOP + _HIGH * row
    middle = x + _WIDE // 2
    return (
        f"<g><title>{told}</title>"
        f'<rect x="{x}" y="{y}" width="{_WIDE}" height="{_HIGH}" fill="{back}" stroke="white" '
        'stroke-width="2"/>'
        f'<text x="{middle}" y="{y + (22 if more else 29)}" font-size="15" fill="{ink}" '
        f'text-anchor="middle">{figure}</text>'
        f'<text x="{middle}" y="{y + 38}" font-size="11" fill="{ink}" '
        f'text-anchor="middle">{more}</text></g>'
    )


def _legend(matrix: Matrix, y: int) -> Iterator[str]:
    """Shares from none to all, the fair one in the middle."""
    wide = 4 * _WIDE / _STEPS
    for step in range(_STEPS):
        colour = _written(_colour(_share((step + 0.5) / _STEPS, matrix.fair), matrix.fair))
        x = _LEFT + wide * step
        yield f'<rect x="{x:.1f}" y="{y}" width="{wide + 0.5:.1f}" height="12" fill="{colour}"/>'
    for quarter in range(5):
        share = _share(quarter / 4, matrix.fair)
        fair = "fair: " if quarter == 2 else ""
        yield (
            f'<text x="{_LEFT + _WIDE * quarter}" y="{y + 27}" font-size="11" fill="{_PALE}" '
            f'text-anchor="middle">{fair}{100 * share:.1f} %</text>'
        )


def _share(at: float, fair: float) -> float:
    """The share at a point of the scale, which goes from 0 to 1."""
    return 2 * at * fair if at < 0.5 else fair + (2 * at - 1) * (1 - fair)


def _colour(share: float, fair: float) -> Colour:
    """The further from fair, the darker."""
    far = (fair - share) / fair if share < fair else (share - fair) / (1 - fair)
    red, green, blue = (
        near + far * (end - near)
        for near, end in zip(_FAIR, _BELOW if share < fair else _ABOVE, strict=True)
    )
    return red, green, blue


def _written(colour: Colour) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in colour)


def _ink(back: Colour) -> str:
    """Black or white, whichever is read better on the colour (as WCAG measures contrast)."""
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in back
    )
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000" if (light + 0.05) ** 2 > 1.05 * 0.05 else "#fff"
