"""The style sheets: what a browser would not report."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

SHEETS = {
    sheet.name: sheet.read_text()
    for sheet in (files("byzanz.web") / "static").iterdir()
    if sheet.name.endswith(".css")
}


@pytest.mark.parametrize("side", ["width", "height"])
def test_there_is_no_gap_between_two_layouts(side: str) -> None:
    """Zoomed pages have sizes such as 899.1, to which neither 899 nor 900 would apply."""
    text = "".join(SHEETS.values())
    least = {int(found) for found in re.findall(rf"\(min-{side}: (\d+)px\)", text)}
    most = {int(found) for found in re.findall(rf"\(max-{side}: (\d+)px\)", text)}
    assert least
    assert not {each - 1 for each in least} & most
