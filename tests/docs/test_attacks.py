"""SECURITY.md lists attacks, each with a test that repeats it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_attack_has_a_test_that_exists_once() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    table = text.partition("## Attacks")[2].partition("\n[")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 20
    sources = [file.read_text(encoding="utf-8") for file in ROOT.glob("tests/**/test_*.py")]
    for row in rows:
        names = re.findall(r"`(test_\w+)`", row)
        assert names, row
        for name in names:
            defined = re.compile(rf"^(?:async )?def {name}\(", re.MULTILINE)
            assert sum(len(defined.findall(source)) for source in sources) == 1, name
