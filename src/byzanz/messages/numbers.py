"""Format numbers by the conventions of a language."""

from __future__ import annotations


def decimal(number: float, language: str) -> str:
    """Return a number as text with one decimal place."""
    text = f"{number:.1f}"
    return text if language == "en" else text.replace(".", ",")


def signed(number: float, language: str) -> str:
    """Return a number as text with its sign and one decimal place; zero has no sign."""
    shown = decimal(abs(number), language)
    if float(f"{abs(number):.1f}") == 0:
        return shown
    return ("+" if number > 0 else "\N{MINUS SIGN}") + shown
