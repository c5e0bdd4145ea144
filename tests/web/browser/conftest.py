"""Fixtures: people with a browser, and a real server in its own process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.web.browsers import launched

from .person import Person
from .process import ServerProcess


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Start Playwright. It is closed after this folder's tests: its event loop runs until then."""
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    with launched(playwright) as running:
        yield running


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Start a server for all tests of this folder; they must not kill it."""
    with ServerProcess(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """Start a server that the test may kill."""
    with ServerProcess(tmp_path) as running:
        yield running


@pytest.fixture
def meet(browser: Browser, server: ServerProcess) -> Iterator[Callable[..., Person]]:
    """Return a function that makes people, each with their own browser profile.

    The test fails if a browser reports an unexpected error.
    """
    people: list[Person] = []

    def someone(url: str = server.url, **given: object) -> Person:
        people.append(Person(browser, url, **given))
        return people[-1]

    yield someone
    for person in people:
        person.leave()
    assert [error for person in people for error in person.errors] == []
