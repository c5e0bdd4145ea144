"""Draws the contact sheet of the cards with Chromium: ``python docs/pictures/draw_cards.py``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from byzanz.web.art import picture
from byzanz.web.art.sheet import HEIGHT, WIDTH, sheet

FOLDER = Path(__file__).parent
QUIET = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--hide-scrollbars", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip


def photograph(page: str, file: Path, width: int, height: int) -> None:
    """The page is rendered into the picture file."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        sys.exit("no chromium on the PATH")
    with TemporaryDirectory() as folder:
        source = Path(folder) / "page.html"
        source.write_text(page, encoding="utf-8")
        subprocess.run(  # noqa: S603
            [chromium, *QUIET, f"--user-data-dir={folder}/profile", f"--screenshot={file}",
             f"--window-size={width},{height}", source.as_uri()],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip


if __name__ == "__main__":
    photograph(sheet(picture), FOLDER / "cards.png", WIDTH, HEIGHT)
    with Image.open(FOLDER / "cards.png") as picture_of_all:
        picture_of_all.convert("RGB").quantize(256, kmeans=2).save(
            FOLDER / "cards.png", optimize=True
        )
