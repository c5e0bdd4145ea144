"""What is wrong with how a table's page is laid out, told by the page itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def faults(page: Page, *, touch: bool = False) -> list[str]:
    """Everything that is wrong with the layout now; with touch, targets must suit a thumb."""
    size = page.viewport_size
    assert size is not None
    given = {**size, "touch": touch}
    found: list[str] = page.evaluate(f"(given) => ({_SCRIPT}).faults(given)", given)
    return found


def places(page: Page) -> dict[str, Any]:
    """Where the areas are that never move."""
    found: dict[str, Any] = page.evaluate(f"() => ({_SCRIPT}).places()")
    return found
