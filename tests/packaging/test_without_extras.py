"""The tests run on a plain installation, without the libraries of the extras."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.requirements import MODULES

ROOT = Path(__file__).parents[2]
LIBRARIES = [name for name in MODULES if "." not in name]
PYTEST = f"""
import sys
sys.modules.update(dict.fromkeys({LIBRARIES}))  # importing them raises ModuleNotFoundError
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "arguments",
    [["--collect-only"], ["tests/docs/test_docs.py", "-k", "has_a_docstring"]],
    ids=["all tests are collected", "all modules are imported"],
)
def test_without_the_libraries_of_extras(arguments: list[str]) -> None:
    given = [*arguments, "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-c", PYTEST, *given],
        cwd=ROOT, env={**os.environ, "BYZANZ_TESTS": ""}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "needs PyTorch" in done.stdout
