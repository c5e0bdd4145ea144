"""Optional requirements of tests: browser, proxies, CUDA, libraries outside the ``dev`` extra.

A test whose requirement is missing is skipped with a reason from this module.
``tests/conftest.py`` lists these reasons and the tests at the end of a run.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import NoReturn

import pytest

PIP = "run .venv/bin/pip install -c constraints.txt -e"


@dataclass(frozen=True)
class Need:
    """Something that tests need, and how to install it."""

    name: str
    install: str

    @property
    def reason(self) -> str:
        """Why a test is skipped."""
        return f"needs {self.name}"

    def skip(self) -> NoReturn:
        """Skip the test that is running."""
        pytest.skip(self.reason)


BROWSER = Need(
    "a browser",
    "install Chromium, Chrome or Edge, or run .venv/bin/playwright install --only-shell chromium",
)
NOTIFICATIONS = Need("a browser with notifications", "install Chromium, Chrome or Edge")
NGINX = Need("nginx and openssl", "install nginx and openssl")
CADDY = Need("Caddy and openssl", "install Caddy and openssl")
CUDA = Need("CUDA", "run them on a machine with an NVIDIA GPU")
MODULES = {
    "torch": Need("PyTorch", f"{PIP} '.[train]'"),
    "tensorboard": Need("TensorBoard", f"{PIP} '.[tensorboard]'"),
    "ray": Need("Ray", f"{PIP} '.[ray]'"),
    "pyspiel": Need("OpenSpiel", f"{PIP} '.[openspiel]'"),
    "pyarrow": Need("PyArrow", f"{PIP} '.[data]'"),
    "matplotlib": Need("Matplotlib", f"{PIP} '.[notebook]'"),
    "polars": Need("Polars", f"{PIP} '.[notebook]'"),
    "zstandard": Need("zstandard", f"{PIP} '.[data]'"),
    "numba.cuda": Need("numba-cuda", f"{PIP} '.[gpu]'"),
}
"""The requirement for each optional module."""
NEEDS = {
    need.reason: need for need in (BROWSER, NOTIFICATIONS, NGINX, CADDY, CUDA, *MODULES.values())
}


def import_or_skip(module: str) -> ModuleType:
    """Import a module, or skip the test. At the top of a file, skip the whole file."""
    # pytest then reports the line of the caller, and xdist counts skips by line.
    __tracebackhide__ = True
    found: ModuleType = pytest.importorskip(module, reason=MODULES[module].reason)
    return found
