"""Colours: the shades of each material from dark to light, and a palette for each kind."""

from __future__ import annotations

from dataclasses import dataclass

from byzanz.rules import Kind

from .mosaic import Shades

GROUT = "#2a1d16"
INK = "#20150f"

IVORY: Shades = ("#d9c59c", "#e6d7b3", "#efe3c6", "#f7efdb")
GOLD: Shades = ("#a8701a", "#cf9526", "#e8b63c", "#f7d676")
BRONZE: Shades = ("#5b3a1d", "#7d5228", "#a06d36", "#c6924f", "#e2bb7c")
BLUE: Shades = ("#0f2347", "#16305f", "#1e3f78", "#285092")
AZURE: Shades = ("#3f78b8", "#69a0d3", "#9cc6e6", "#d3e8f4")
EARTH: Shades = ("#6b1c12", "#832618", "#9a3120", "#ad402a")
STRAW: Shades = ("#b9781a", "#dda12c", "#f2c14a", "#fce08a")
LEAF: Shades = ("#2c431b", "#43602a", "#5f7f3a", "#86a35a")
OLIVE: Shades = ("#1c2c10", "#334a16", "#587322", "#95a83f", "#d3da8a")
TEAL: Shades = ("#0b4a4d", "#115c5e", "#1a7071", "#268583")
LAGOON: Shades = ("#063437", "#0a4244", "#105052", "#186160")
SAFFRON: Shades = ("#d05a10", "#ec7a1b", "#fc9f36", "#ffc96e")
SAND: Shades = ("#b98d52", "#c79d62", "#d4ad74", "#dfbd8a")
BARK: Shades = ("#2e1a0e", "#3f2514", "#53331c", "#6a4526")
WOOD: Shades = ("#7c4a22", "#995f2e", "#b67a41", "#d09a5e", "#e5b97f")
GRAPE: Shades = ("#2c0d33", "#4a1650", "#6c2470", "#964196", "#cf8fc6")
VIOLET: Shades = ("#2c1150", "#3a1a66", "#4a257c", "#5d3592")
SKIN: Shades = ("#b5794a", "#cf9667", "#e3b488", "#f1cda6")
CLAY: Shades = ("#8a3d1e", "#a9532b", "#c46c3c", "#dc9160")
RUST: Shades = ("#4f1b14", "#5d231a", "#6b2b20", "#793527")
CRIMSON: Shades = ("#6d1220", "#8c1a2a", "#ab2836", "#c64a4e")


@dataclass(frozen=True)
class Palette:
    """The colours of a kind's cards: ground, frame, goods and grout."""

    ground: Shades
    frame: Shades
    goods: Shades
    grout: str = GROUT


PALETTES: dict[Kind, Palette] = {
    Kind.CLOTH: Palette(BLUE, AZURE[:3], AZURE, "#0a1730"),
    Kind.GRAIN: Palette(EARTH, STRAW[:3], STRAW, "#350c07"),
    Kind.OLIVES: Palette(IVORY, LEAF[:3], OLIVE, "#8a7a58"),
    Kind.SPICES: Palette(LAGOON, SAFFRON[:3], SAFFRON, "#041f21"),
    Kind.WOOD: Palette(SAND, BARK[:3], WOOD, "#6f4f2b"),
    Kind.WINE: Palette(IVORY, GRAPE[1:4], GRAPE, "#8c7b6c"),
    Kind.MERCHANT: Palette(VIOLET, GOLD, GOLD, "#180830"),
}
