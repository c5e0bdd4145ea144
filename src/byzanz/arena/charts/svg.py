"""SVG elements and colours shared by the charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

INK, PALE, GRID = "#222", "#6a6a6a", "#ddd"
"""Colours of text, of secondary text, and of grid lines."""
ACCENT = "#7b2d8b"

Point = tuple[float, float]


def document(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """Return the text of an SVG file with a white background."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    style = f'font-family="sans-serif" font-size="13" fill="{INK}"'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>'
    name = f"<title>{escape(printable(title))}</title>"
    return "\n".join([start, name, rect(0, 0, width, height, "white"), *parts, "</svg>\n"])


def text(  # noqa: PLR0913
    x: float,
    y: float,
    content: str,
    *,
    size: int | None = None,
    fill: str | None = None,
    anchor: str | None = None,
    bold: bool = False,
) -> str:
    """Return a text element; ``content`` must already be escaped."""
    given = {
        "font-size": size,
        "fill": fill,
        "text-anchor": anchor,
        "font-weight": "bold" if bold else None,
    }
    attributes = "".join(f' {name}="{value}"' for name, value in given.items() if value is not None)
    return f'<text x="{number(x)}" y="{number(y)}"{attributes}>{content}</text>'


def label(name: str, longest: int) -> str:
    """Return a shortened name as the content of a text element, with the whole name as tooltip."""
    whole = printable(name)
    short = whole if len(whole) <= longest else whole[: longest - 1] + "…"
    return f"<title>{escape(whole)}</title>{escape(short)}"


def printable(content: str) -> str:
    """Return the text with a replacement for each character that an SVG file cannot contain."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in content)


def rect(  # noqa: PLR0913
    x: float, y: float, width: float, height: float, fill: str, *, tooltip: str = ""
) -> str:
    """Return a rectangle with an optional tooltip."""
    start = (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" '
        f'height="{number(height)}" fill="{fill}"'
    )
    return f"{start}><title>{escape(tooltip)}</title></rect>" if tooltip else f"{start}/>"


def line(points: Sequence[Point], colour: str, *, width: float = 1, dashed: bool = False) -> str:
    """Return a line through the points."""
    path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return (
        f'<polyline points="{path}" fill="none" stroke="{colour}" '
        f'stroke-width="{number(width)}"{dashes}/>'
    )


def circle(x: float, y: float, radius: float, fill: str) -> str:
    """Return a filled circle."""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"/>'


def number(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")
