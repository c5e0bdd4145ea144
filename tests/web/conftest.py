from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.requirements import BROWSER

from .browsers import launch
from .server import Served, served


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start a browser. It is closed after each module, because its event loop runs until then."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        if browser is None:
            BROWSER.skip()
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served")) as running:
        yield running
