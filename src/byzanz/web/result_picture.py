"""The picture of a finished game for link previews: places, names, profits, date.

It is drawn as SVG from the same art as the table. It uses no fonts and has no translated text,
so it looks the same on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .art import picture
from .lettering import drawable, lettering, shortened

WIDTH, HEIGHT = 1200, 630
_CREAM, _GOLD, _PALE = "#f9f0dc", "#f3d994", "#d5d2bd"
_PODIUM = ((2, 200, 150), (1, 380, 210), (3, 560, 105))
"""Rank, middle and height of the three plinths."""
_PLINTH = 170
_FLOOR = 540
_DOCUMENT = re.compile(
    r'<svg [^>]*viewBox="0 0 (?P<width>[\d.]+) [\d.]+"[^>]*>(?P<body>.*)</svg>', re.DOTALL
)
_BACKGROUND = (
    '<defs><radialGradient id="felt" cx=".42" cy=".45" r=".8"><stop stop-color="#207061"/>'
    '<stop offset=".5" stop-color="#175449"/><stop offset="1" stop-color="#0b322d"/>'
    '</radialGradient><linearGradient id="gold" x2="0" y2="1"><stop stop-color="#f3cb66"/>'
    '<stop offset="1" stop-color="#b57f1c"/></linearGradient>'
    '<linearGradient id="bronze" x2="0" y2="1"><stop stop-color="#94713b"/>'
    '<stop offset="1" stop-color="#553b17"/></linearGradient></defs>'
    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#felt)"/>'
)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player in the picture."""

    place: int
    name: str
    avatar: int
    profit: int
    winner: bool


def result_svg(entrants: Sequence[Entrant], date: str) -> str:
    """Draw the picture as an SVG document; the entrants are in the order of their places."""
    parts = [
        _BACKGROUND,
        *(_image("frieze", x, y, 240) for x in range(0, WIDTH, 240) for y in (0, HEIGHT - 30)),
        _image("logo", 60, 58, 128),
        lettering("Byzanz", 212, 122, 72, _GOLD),
        lettering(date, WIDTH - 60, 116, 34, _PALE, "end"),
        *(_step(entrants[rank - 1], middle, height) for rank, middle, height in _PODIUM),
        *(_row(each, 208 + 62 * line) for line, each in enumerate(entrants)),
    ]
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


def _image(name: str, x: float, y: float, width: float) -> str:
    """Return one of the table's pictures with its upper left corner at a point.

    The shapes are copied, because an ``image`` element needs a separate layer, which is slow.
    """
    found = _DOCUMENT.fullmatch(picture(name))
    if found is None:
        raise ValueError(f"the picture {name} has no view box")
    scale = width / float(found["width"])
    return f'<g transform="translate({x:g} {y:g})scale({scale:g})">{found["body"]}</g>'


def _step(entrant: Entrant, middle: int, height: int) -> str:
    top, fill = _FLOOR - height, "gold" if entrant.winner else "bronze"
    face = 128 if entrant.winner else 104
    ink = "#2b1d0c" if entrant.winner else _CREAM
    left = middle - _PLINTH / 2
    box = f'x="{left:g}" y="{top}" width="{_PLINTH}" height="{height}" rx="8"'
    return "".join(
        [
            f'<rect {box} fill="url(#{fill})"/>',
            _image(f"avatar-{entrant.avatar}", middle - face / 2, top - face - 8, face),
            lettering(str(entrant.place), middle, top + 74, 64, ink, "middle"),
        ]
    )


def _row(entrant: Entrant, y: int) -> str:
    """Return a line of the table: place, portrait, name and profit."""
    ink = _GOLD if entrant.winner else _CREAM
    name = shortened(drawable(entrant.name), 34, 250)
    return "".join(
        [
            lettering(str(entrant.place), 742, y + 34, 34, _PALE, "middle"),
            _image(f"avatar-{entrant.avatar}", 770, y, 48),
            lettering(name, 834, y + 34, 34, ink),
            lettering(str(entrant.profit), WIDTH - 60, y + 36, 40, ink, "end"),
        ]
    )
