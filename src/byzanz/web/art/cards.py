"""Card faces and the card back."""

from __future__ import annotations

from byzanz.rules import Card

from .digits import digit
from .goods import GOODS
from .mosaic import Mosaic, Shades
from .palettes import BRONZE, GOLD, GROUT, INK, PALETTES, RUST, VIOLET
from .shapes import box, ellipse, star

WIDTH, HEIGHT = 100, 140
MEDALLION = (20.0, 20.0)


def face(card: Card) -> str:
    """Draw a card's face: its goods on the kind's ground, and its value in two corners."""
    picture = Mosaic(card.name, WIDTH, HEIGHT)
    palette = PALETTES[card.kind]
    picture.shape(palette.grout, box(0, 0, WIDTH, HEIGHT, 8))
    picture.grout = palette.grout
    picture.lay(picture.grid(box(7.2, 7.2, WIDTH - 7.2, HEIGHT - 7.2), 9.2), palette.ground)
    GOODS[card.kind](picture, card.worth)
    x, y = MEDALLION
    for centre in (MEDALLION, (WIDTH - x, HEIGHT - y)):
        picture.hide(ellipse(centre, 18.4))
    picture.mark(_twice(corner(card)))
    return picture.svg()


def _twice(half: Mosaic) -> str:
    """Return markup for a half picture and the same half turned upside down."""
    turn = f"rotate(180 {WIDTH * half.grain / 2:g} {HEIGHT * half.grain / 2:g})"
    return f'<g id="h">{half.body()}</g><use href="#h" transform="{turn}"/>'


def half_frame(picture: Mosaic, shades: Shades) -> None:
    """Draw a row of tesserae along the left and the upper edge."""
    edge = box(1, 1, WIDTH - 1, HEIGHT - 1, 7)
    line = (*edge[14:], *edge[:3])
    picture.lay(picture.row(line, -6.2, 0, 7.6), shades)


def corner(card: Card) -> Mosaic:
    """Draw the upper left half of the frame, with the medallion that shows the value."""
    picture = Mosaic(f"corner {card.name}", WIDTH, HEIGHT)
    picture.grout = PALETTES[card.kind].grout
    half_frame(picture, PALETTES[card.kind].frame)
    picture.grout = GROUT
    x, y = MEDALLION
    picture.shape(GROUT, ellipse(MEDALLION, 18.4))
    picture.lay(picture.row(ellipse(MEDALLION, 17.7), -3.9, 0, 6.6, closed=True), GOLD)
    grain = picture.grain
    disc = '<circle cx="{:g}" cy="{:g}" r="{:g}" fill="{}"/>'
    if card.worth:
        picture.mark(disc.format(x * grain, y * grain, 13.6 * grain, "#fbf5e4"))
        picture.mark(digit(card.worth, (x * grain, y * grain), 19 * grain, INK, 5.4))
    else:
        picture.mark(disc.format(x * grain, y * grain, 13.6 * grain, VIOLET[0]))
        picture.shape(GOLD[3], star(MEDALLION, 8, 12.8, 6))
    return picture


def back() -> str:
    """Draw the back of every card: a plain lattice that looks the same upside down."""
    picture = Mosaic("back", WIDTH, HEIGHT)
    picture.shape("#2b0f0b", box(0, 0, WIDTH, HEIGHT, 8))
    half = Mosaic("half of the back", WIDTH, HEIGHT)
    half.grout = "#2b0f0b"
    half.window = box(8, 8, WIDTH - 8, HEIGHT - 8)
    for row in range(6):
        for column in range(-4, 5):
            x, y = 50 + (column + row % 2 / 2) * 14, 70 - row * 12.4
            lozenge = ((x, y - 12.4), (x + 7, y), (x, y + 12.4), (x - 7, y))
            half.lay([lozenge], RUST[:2])
            half.lay([((x, y - 5.6), (x + 3.2, y), (x, y + 5.6), (x - 3.2, y))], RUST[3:])
    half.window = ()
    half_frame(half, RUST[1:])
    picture.mark(_twice(half))
    boss = Mosaic("boss", WIDTH, HEIGHT)
    boss.grout = "#2b0f0b"
    boss.lay(boss.disc((50, 70), 17, rings=2, step=7), BRONZE[1:4])
    boss.shape(BRONZE[4], star((50, 70), 8, 9, 4))
    picture.mark(boss.body())
    return picture.svg()
