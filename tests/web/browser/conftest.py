"""A real browser, and a real server in a process of its own."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from .person import Person
from .process import ServerProcess

CHROMIUM = (
    os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
)

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

REQUIRED = "BYZANZ_BROWSER"
"""Set where the browser's tests must not be skipped."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser; not for longer than a module, for while it is there an event loop runs."""
    if CHROMIUM is None:
        if os.environ.get(REQUIRED):
            pytest.fail("no Chromium is installed, and the tests in a browser are required here")
        warnings.warn(
            pytest.PytestWarning("NOT TESTED IN A BROWSER: no Chromium is installed"), stacklevel=1
        )
        pytest.skip("NO CHROMIUM: the tests in a browser did not run")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all tests that do not kill it."""
    with ServerProcess(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that the test may kill."""
    with ServerProcess(tmp_path) as running:
        yield running


@pytest.fixture
def meet(browser: Browser, server: ServerProcess) -> Iterator[Callable[..., Person]]:
    """Makes people, each with a browser profile of their own; none may see an error in it."""
    people: list[Person] = []

    def someone(url: str = server.url, **given: object) -> Person:
        people.append(Person(browser, url, **given))
        return people[-1]

    yield someone
    for person in people:
        person.leave()
    assert [error for person in people for error in person.errors] == []
