"""People with a browser, and a real server in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .person import Person
from .process import ServerProcess


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
