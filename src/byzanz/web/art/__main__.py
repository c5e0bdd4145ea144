"""``python -m byzanz.web.art``: write the pictures as files, or their contact sheet as a page."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from . import PICTURES, picture
from .contact_sheet import sheet


def main() -> None:
    """Write the files that the command line asks for."""
    parser = ArgumentParser(
        prog="python -m byzanz.web.art", description="Draw the pictures of the table."
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="write every picture as FOLDER/NAME.svg"
    )
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help="write the contact sheet as an HTML page"
    )
    options = parser.parse_args()
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        for name in PICTURES:
            (options.out / f"{name}.svg").write_text(picture(name), encoding="utf-8")
    if options.sheet:
        options.sheet.write_text(sheet(picture), encoding="utf-8")


if __name__ == "__main__":
    main()
