"""Draw the pictures of the pages: start the server, play a little, and take screenshots.

python docs/pictures/draw_pages.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

from tests.web.browser.person import Person  # noqa: E402
from tests.web.browser.process import ServerProcess  # noqa: E402
from tests.web.browsers import launch  # noqa: E402

DESKTOP, PHONE = (1280, 800), (390, 844)
DECISIONS = 14
"""How far into a game the pictures of a table are taken."""


def main() -> None:
    """The pictures are in this folder."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        if browser is None:
            sys.exit("No browser starts. Install Chromium, Chrome or Edge.")
        for scheme in ("light", "dark"):
            _desktop(browser, server.url, scheme)
            _phone(browser, server.url, scheme)
        browser.close()


def _desktop(browser: Browser, url: str, scheme: str) -> None:
    ada = Person(browser, url, size=DESKTOP, pictures=True, color_scheme=scheme, by_keyboard=True)
    ada.page.goto(url)
    _take(ada, f"lobby-{scheme}")
    ada.page.goto(url + "/rules")
    _take(ada, f"rules-{scheme}")
    _sits_down_and_plays(ada)
    _take(ada, f"table-{scheme}")
    ada.has_it_played_to_the_end()
    ada.page.goto(ada.page.url + "/replay?seat=2&step=40")
    _take(ada, f"replay-{scheme}")
    ada.leave()


def _phone(browser: Browser, url: str, scheme: str) -> None:
    given = {"color_scheme": scheme, "is_mobile": True, "has_touch": True, "by_keyboard": True}
    ada = Person(browser, url, size=PHONE, pictures=True, **given)
    _sits_down_and_plays(ada)
    ada.page.evaluate("scrollTo(0, 0)")
    _take(ada, f"phone-{scheme}")
    ada.leave()


def _sits_down_and_plays(ada: Person) -> None:
    """A game is on, and the page asks for a bid."""
    ada.context.add_init_script("localStorage.setItem('hints', 'off')")
    ada.sits_down()
    for _ in range(DECISIONS):
        ada.decides()
    while ada.is_asked() != "bid":
        ada.decides()
    ada.selects_a_bid()
    ada.page.wait_for_timeout(600)


def _take(ada: Person, name: str) -> None:
    ada.page.screenshot(path=HERE / f"{name}.png")


if __name__ == "__main__":
    main()
