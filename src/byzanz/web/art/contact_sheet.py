"""The contact sheet: faces at 60 pixels in colour, in grey and as seen with colour blindness."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping

from byzanz.rules import FACES, Kind

SMALL = (60, 84)
"""The size in pixels at which all faces must be distinguishable."""

VISIONS: Mapping[str, tuple[float, ...]] = {
    "as it is": (1, 0, 0, 0, 1, 0, 0, 0, 1),
    "greyscale": (0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722),
    "protanopia": (0.1523, 1.0526, -0.2049, 0.1145, 0.7863, 0.0992, -0.0039, -0.0481, 1.0520),
    "deuteranopia": (0.3673, 0.8606, -0.2280, 0.2801, 0.6725, 0.0474, -0.0118, 0.0429, 0.9689),
    "tritanopia": (1.2555, -0.0767, -0.1788, -0.0784, 0.9308, 0.1476, 0.0047, 0.6914, 0.3039),
}
"""Colour vision simulations as matrices on linear RGB (Machado, Oliveira, Fernandes 2009)."""

WIDTH, HEIGHT = 1800, 1300
_LEFT, _TOP, _ACROSS, _DOWN = 112, 22, 67, 96


def place(vision: int, face: int) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of a face in the row of a simulation, in pixels."""
    left, top = _LEFT + face * _ACROSS, _TOP + vision * _DOWN
    return left, top, left + SMALL[0], top + SMALL[1]


def sheet(picture: Callable[[str], str]) -> str:
    """Return the contact sheet as an HTML page without external files."""
    parts = [_filters(), *_rows(picture), *_large(picture)]
    for ground, top in (("ground", 896), ("ground-dark", 1092)):
        parts += [_tiled(picture(ground), top, 196), *_others(picture, top)]
    parts.append(_tiled(picture("frieze"), 1288, 12))
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Cards</title><style>'
        "body{margin:0;background:#f4ecd8;font:15px serif;color:#2a1d16}"
        "img,p,div{position:absolute;margin:0}</style>" + "".join(parts) + "</html>"
    )


def _rows(picture: Callable[[str], str]) -> Iterator[str]:
    for vision, name in enumerate(VISIONS):
        yield f'<p style="left:14px;top:{place(vision, 0)[1] + 33}px">{name}</p>'
        for number, card in enumerate(FACES):
            left, top, *_ = place(vision, number)
            look = f"filter:url(#s{vision})" if vision else ""
            yield _image(picture(card.name), left, top, SMALL[0], look)


def _large(picture: Callable[[str], str]) -> Iterator[str]:
    for number, name in enumerate([*(card.name for card in FACES), "back"]):
        row, column = divmod(number, 13)
        yield _image(picture(name), 22 + column * 136, 516 + row * 186, 124)


def _others(picture: Callable[[str], str], top: int) -> Iterator[str]:
    for number in range(12):
        yield _image(picture(f"avatar-{number}"), 22 + number * 84, top + 14, 74)
    for number in range(1, 7):
        yield _image(picture(f"plaque-{number}"), 1040 + number * 84, top + 14, 74)
    for kind in Kind:
        yield _image(picture(f"kind-{kind.letter}"), 22 + kind * 60, top + 104, 48)
        yield _image(picture(f"kind-{kind.letter}"), 470 + kind * 28, top + 118, 20)
    yield _image(picture("logo"), 720, top + 100, 128)
    yield _image(picture("favicon"), 880, top + 104, 48)
    yield _image(picture("favicon"), 940, top + 120, 16)
    for number, name in enumerate(("C2", "O3", "M", "back")):
        yield _image(picture(name), 1124 + number * 72, top + 102, SMALL[0])


def _filters() -> str:
    matrices = []
    for number, matrix in enumerate(VISIONS.values()):
        rows = ["{:g} {:g} {:g} 0 0 ".format(*matrix[k : k + 3]) for k in (0, 3, 6)]
        values = "".join(rows) + "0 0 0 1 0"
        matrices.append(f'<filter id="s{number}"><feColorMatrix values="{values}"/></filter>')
    return f'<svg width="0" height="0" style="position:absolute">{"".join(matrices)}</svg>'


def _source(svg: str) -> str:
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def _tiled(svg: str, top: int, height: int) -> str:
    style = f"left:0;top:{top}px;width:{WIDTH}px;height:{height}px;background:url({_source(svg)})"
    return f'<div style="{style}"></div>'


def _image(svg: str, left: float, top: float, width: float, look: str = "") -> str:
    style = f"left:{left:g}px;top:{top:g}px;width:{width:g}px;{look}"
    return f'<img alt="" src="{_source(svg)}" style="{style}">'
