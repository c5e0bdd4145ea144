"""Draw the icons of the installed application from our pictures: ``python -m scripts.icons``.

A browser renders them. The files are committed, so this runs only when the pictures change.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from tests.web.browsers import launch

from byzanz.web.art import picture

FOLDER = Path(__file__).parents[1] / "src" / "byzanz" / "web" / "static" / "icons"
PICTURE = "avatar-0"
SHARE = {"icon": 1.0, "maskable": 0.8}
"""The share of the icon's width that the picture fills; a mask may cut off a tenth on each side."""
ICONS = (("icon", 192), ("icon", 512), ("maskable", 512), ("apple", 180))
PAGE = """<!doctype html><style>
  body {{ margin: 0; display: grid; place-items: center; height: 100vh; background: {ground}; }}
  svg {{ width: {share}vw; height: {share}vw; }}
</style>{svg}"""
GROUND = "radial-gradient(circle at 50% 45%, #1f6b5d, #0b322d)"


def icon(browser: Browser, kind: str, size: int) -> bytes:
    """Return an icon as a PNG file with at most 256 colours."""
    whole = kind == "icon"
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(
        PAGE.format(
            ground="transparent" if whole else GROUND,
            share=100 * SHARE.get(kind, SHARE["maskable"]),
            svg=picture(PICTURE),
        )
    )
    drawn = Image.open(BytesIO(page.screenshot(omit_background=whole)))
    page.close()
    written = BytesIO()
    drawn.quantize(256).save(written, "PNG", optimize=True)
    return written.getvalue()


def main() -> None:
    """Write all icons."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        if browser is None:
            sys.exit("No browser starts. Install Chromium, Chrome or Edge.")
        for kind, size in ICONS:
            (FOLDER / f"{kind}-{size}.png").write_bytes(icon(browser, kind, size))
        browser.close()


if __name__ == "__main__":
    main()
