"""Write the tables of all settings into docs/deploying.md: ``python scripts/settings_table.py``."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from byzanz.web.configuration import SETTINGS

PAGE = Path(__file__).parents[1] / "docs" / "deploying.md"
BEGIN, END = "<!-- settings: written by scripts/settings_table.py -->", "<!-- end of settings -->"

HEAD = (
    "| key | environment variable | default | valid values | meaning |",
    "|---|---|---|---|---|",
)


def tables() -> str:
    """Return a Markdown table for each TOML table of settings."""
    lines = []
    for table, settings in groupby(SETTINGS, lambda setting: setting.table):
        lines += [f"**`[{table}]`**", "", *HEAD]
        for setting in settings:
            value, _, words = setting.default_text.partition(" ")
            default = f"`{value}` {words}".strip()
            names = f"`{setting.key}`", f"`{setting.variable}`"
            lines += [f"| {' | '.join([*names, default, setting.expected, setting.meaning])} |"]
        lines += [""]
    return "\n".join(lines)


def with_tables(page: str) -> str:
    """Return the page with the tables between the two marks."""
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    return f"{page[:begin]}\n\n{tables()}\n{page[end:]}"


def main() -> None:
    """Write the tables into the page."""
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
