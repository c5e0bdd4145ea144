"""``python -m byzanz.web.art``: the pictures as files, or their contact sheet as a page."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from . import PICTURES, picture
from .sheet import sheet


def main() -> None:
    """The files asked for on the command line are written."""
    parser = ArgumentParser(
        prog="python -m byzanz.web.art", description="Draws the table's pictures."
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="write every picture as FOLDER/NAME.svg"
    )
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help="write the contact sheet as a page"
    )
    asked = parser.parse_args()
    if asked.out:
        asked.out.mkdir(parents=True, exist_ok=True)
        for name in PICTURES:
            (asked.out / f"{name}.svg").write_text(picture(name), encoding="utf-8")
    if asked.sheet:
        asked.sheet.write_text(sheet(picture), encoding="utf-8")


if __name__ == "__main__":
    main()
