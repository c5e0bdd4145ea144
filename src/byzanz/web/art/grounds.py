"""Backgrounds: plain stone that tiles in both directions, and a frieze that tiles along a line."""

from __future__ import annotations

from .mosaic import Mosaic, Shades
from .palettes import CRIMSON, GOLD, GROUT, IVORY, TEAL
from .shapes import Line, Point, box, grown


def ground(dark: bool) -> str:
    """Draw a faint stone background; its opposite edges match, so that it tiles without seams."""
    shades: Shades = ("#f1e7d0", "#f3ead5", "#f5eddb", "#f7f0e0")
    joint = "#ece1c8"
    if dark:
        shades, joint = ("#1d1712", "#1f1914", "#221b16", "#241e18"), "#1a1410"
    picture = Mosaic("ground", 144, 144, grain=1, gap=1.4)
    cells = 9
    wide = 144 / cells
    offsets = [
        [(picture.wobble(2.4), picture.wobble(2.4)) for _ in range(cells)] for _ in range(cells)
    ]

    def corner(row: int, column: int) -> Point:
        dx, dy = offsets[row % cells][column % cells]
        return column * wide + dx, row * wide + dy

    picture.shape(joint, box(0, 0, 144, 144))
    colours: dict[tuple[int, int], str] = {}
    for row in range(-1, cells + 1):
        for column in range(-1, cells + 1):
            cell = (
                corner(row, column),
                corner(row, column + 1),
                corner(row + 1, column + 1),
                corner(row + 1, column),
            )
            place = (row % cells, column % cells)
            if place not in colours:
                colours[place] = shades[int(picture.share() * len(shades))]
            picture.lay([grown(cell, -0.7)], [colours[place]])
    return picture.svg()


def frieze() -> str:
    """Draw a strip of lozenges between two golden lines, 12 high."""
    picture = Mosaic("frieze", 96, 12, grain=4, gap=0.5)
    picture.shape(GROUT, box(0, 0, 96, 12))
    for k in range(24):
        for y in (0.3, 9.4):
            picture.lay([box(k * 4 + 0.3, y, k * 4 + 3.7, y + 2.3)], GOLD[1:])
    for k in range(8):
        x = k * 12 + 6
        lozenge: Line = ((x - 4.6, 6), (x, 3), (x + 4.6, 6), (x, 9))
        picture.lay([lozenge], (TEAL[3:], CRIMSON[2:])[k % 2])
    for y, tip in ((3, 5.4), (9, 6.6)):
        halves: list[Line] = [((0, y), (3.8, y), (0, tip)), ((92.2, y), (96, y), (96, tip))]
        picture.lay(halves, IVORY[2:3])
        between: list[Line] = [((x - 3.8, y), (x + 3.8, y), (x, tip)) for x in range(12, 96, 12)]
        picture.lay(between, IVORY[2:])
    return picture.svg()
