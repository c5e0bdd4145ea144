"""The documentation of tables names everything public and every code."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import fields

import byzanz.tables
from byzanz.tables import (
    GuestService,
    HistoryService,
    SharedDealService,
    TableOptions,
    TableReason,
    TableService,
)

PAGE = (Path(__file__).parents[2] / "docs" / "tables.md").read_text(encoding="utf-8")


def test_the_page_names_everything_public() -> None:
    for name in byzanz.tables.__all__:
        assert re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", PAGE), name
    for service in (TableService, GuestService, HistoryService, SharedDealService):
        for name, member in vars(service).items():
            if not name.startswith("_") and callable(member):
                assert f"`{name}`" in PAGE, name


def test_the_page_lists_every_code_and_every_option() -> None:
    for reason in TableReason:
        assert f"`{reason}`" in PAGE, reason
    for option in fields(TableOptions):
        assert f"| `{option.name}` |" in PAGE, option.name
