"""Numbers as a language writes them."""

from __future__ import annotations


def decimal(number: float, language: str) -> str:
    """Return a number with one decimal."""
    text = f"{number:.1f}"
    return text if language == "en" else text.replace(".", ",")


def signed(number: float, language: str) -> str:
    """Return a number with one decimal and its sign."""
    shown = decimal(abs(number), language)
    if float(f"{abs(number):.1f}") == 0:
        return shown
    return ("+" if number > 0 else "\N{MINUS SIGN}") + shown
