"""Find a browser for the tests: an installed Chromium, Chrome or Edge, or Playwright's own.

``python -m tests.web.browsers`` downloads Playwright's Chromium if no other browser starts. This
needs no root rights. If the download fails, it says so and exits with 0: the tests in a browser are
then skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

from tests.requirements import BROWSER, NOTIFICATIONS

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SHELL = "chromium-headless-shell"
"""Chromium without windows and notifications. It takes a third less time for the same tests."""
PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
CHANNELS = ["chrome", "msedge"]
"""Browsers that Playwright finds where their installers put them."""
INSTALL = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
PATIENCE = 600.0
"""The maximum number of seconds for a download."""


def launch(playwright: Playwright, *, notifications: bool = False) -> Browser | None:
    """Start the first browser that works, or return None if there is none.

    If it must show notifications, browsers without windows are not tried.
    """
    for options in _candidates(notifications=notifications):
        try:
            return playwright.chromium.launch(args=FLAGS, **options)
        except Error:
            continue
    return None


@contextmanager
def launched(playwright: Playwright, *, notifications: bool = False) -> Iterator[Browser]:
    """Start a browser, and close it afterwards. If there is none, skip the test."""
    browser = launch(playwright, notifications=notifications)
    if browser is None:
        (NOTIFICATIONS if notifications else BROWSER).skip()
    yield browser
    browser.close()


def _candidates(*, notifications: bool) -> Iterator[dict[str, Any]]:
    """Yield launch options to try in turn. If ``CHROMIUM`` names a browser, try only that one."""
    if named := os.environ.get("CHROMIUM"):
        if not (notifications and SHELL in named):
            yield {"executable_path": named}
        return
    for program in PROGRAMS if notifications else [SHELL, *PROGRAMS]:
        if path := shutil.which(program):
            yield {"executable_path": path}
    for channel in CHANNELS:
        yield {"channel": channel}
    if not notifications:
        yield {}


def download(patience: float = PATIENCE) -> bool:
    """Download Playwright's Chromium and show the progress. Return whether it worked."""
    process = subprocess.Popen(
        INSTALL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
    )
    watchdog = threading.Timer(patience, process.kill)
    watchdog.start()
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            if "%" in line:
                print(line.rstrip(), flush=True)  # noqa: T201
    watchdog.cancel()
    return process.wait() == 0


def _works() -> bool:
    with sync_playwright() as playwright:
        if browser := launch(playwright):
            browser.close()
    return browser is not None


def main() -> None:
    """Make sure there is a browser, if that is possible, and say what was done."""
    if _works():
        return
    if os.environ.get("CHROMIUM"):
        answer = f"The browser {os.environ['CHROMIUM']} (CHROMIUM) does not start."
    else:
        print("No browser is installed. Downloading Chromium for the tests ...", flush=True)  # noqa: T201
        if not download():
            answer = "The download of Chromium failed."
        elif not _works():
            answer = "Chromium was downloaded but does not start; system libraries may be missing."
        else:
            return
    print(f"{answer} The tests in a browser will be skipped.")  # noqa: T201


if __name__ == "__main__":
    main()
