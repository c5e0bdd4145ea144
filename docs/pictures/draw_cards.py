"""Draw the contact sheet of the cards in a browser: ``python docs/pictures/draw_cards.py``."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from byzanz.web.art import picture
from byzanz.web.art.contact_sheet import HEIGHT, WIDTH, sheet

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

from tests.web.browsers import launch  # noqa: E402


def main() -> None:
    """Write the picture into this folder."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        if browser is None:
            sys.exit("No browser starts. Install Chromium, Chrome or Edge.")
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.set_content(sheet(picture))
        shot = page.screenshot()
        browser.close()
    with Image.open(BytesIO(shot)) as image:
        image.convert("RGB").quantize(256, kmeans=2).save(HERE / "cards.png", optimize=True)


if __name__ == "__main__":
    main()
