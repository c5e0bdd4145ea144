"""Faults in the layout of a table's page, found by a script in the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def faults(page: Page, *, touch: bool = False) -> list[str]:
    """Return all faults of the current layout; with ``touch``, targets must be large enough."""
    size = page.viewport_size
    assert size is not None
    given = {**size, "touch": touch}
    found: list[str] = page.evaluate(f"(given) => ({_SCRIPT}).faults(given)", given)
    return found


def places(page: Page) -> dict[str, Any]:
    """Return the positions of the areas that must never move."""
    found: dict[str, Any] = page.evaluate(f"() => ({_SCRIPT}).places()")
    return found
