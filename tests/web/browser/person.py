"""A person with a browser, who sees the page and clicks or types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as TimedOut

from byzanz.bots import make_bot
from byzanz.notation import read_view, write_action
from byzanz.rules import Sell

PATIENCE = 30_000
_READY = """() => {
  const board = document.getElementById("board");
  return ["bid", "give", "take", "limit", "sale", "over"].includes(board.dataset.asked)
    && document.body.classList.contains("ready")
    && !document.body.classList.contains("catching-up")
    && !document.body.classList.contains("sending");
}"""
_BID = """(most) => {
  const { own, highest } = document.getElementById("board").dataset;
  const wanted = [];
  let total = Number(own);
  for (const box of document.querySelectorAll("#act .hand input")) {
    const worth = Number(box.dataset.worth);
    if (worth && total <= Number(highest) && Number(highest) <= most) {
      wanted.push(box.id);
      total += worth;
    }
  }
  return total > Number(highest) ? wanted : [];
}"""
UNPAINTED = """{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { background-image: none !important }");
  document.adoptedStyleSheets = [sheet];
}"""
_HELD_BACK = 400
"""Milliseconds to wait before pressing a button whose label has just changed."""
_CLICKABLE = 5_000
"""Milliseconds to wait for a button to become clickable."""
_SOON = 1_000
"""Milliseconds to wait for the effect of a press; another player's action can cancel it."""


class Person:
    """A browser profile with one page; it shows bots' actions at once unless ``pace`` is changed.

    Without ``pictures``, cards and backgrounds are blank but have the same layout: painting the
    mosaics takes half of a browser's time in a game. A service worker, which loads all
    pictures, runs only with ``installed``.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        name: str = "Ada",
        locale: str = "en-GB",
        pace: str | None = "instant",
        size: tuple[int, int] = (1280, 860),
        by_keyboard: bool = False,
        moving: bool = False,
        pictures: bool = False,
        installed: bool = False,
        **given: Any,
    ) -> None:
        self.url, self.name, self.locale, self.by_keyboard = url, name, locale, by_keyboard
        width, height = size
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=locale,
            reduced_motion="no-preference" if moving else "reduce",
            service_workers="allow" if installed else "block",
            **given,
        )
        self.context.set_default_timeout(PATIENCE)
        if pace:
            self.context.add_init_script(f"localStorage.setItem('speed', '{pace}')")
        if not pictures:
            self.context.add_init_script(UNPAINTED)
        self._reported: list[str] = []
        self._expected: tuple[str, ...] = ("Service Worker registration blocked",)
        self.page = self.new_page()

    def new_page(self) -> Page:
        """Open another tab and collect its console messages and errors; there should be none."""
        page = self.context.new_page()
        page.on("console", lambda message: self._reported.append(message.text))
        page.on("pageerror", lambda error: self._reported.append(str(error)))
        return page

    def leave(self) -> None:
        """Close the browser profile, possibly before the page has opened its socket."""
        self.context.close()
        self.expects("WebSocket is closed before the connection is established")

    def expects(self, *words: str) -> None:
        """Ignore browser messages that contain any of these words, including earlier messages."""
        self._expected += words

    @property
    def errors(self) -> list[str]:
        """The unexpected browser messages."""
        return [text for text in self._reported if not any(word in text for word in self._expected)]

    # -- getting to a table

    def plays_from_the_lobby(self, bot: str = "novice") -> None:
        """Start a game from the lobby with two clicks."""
        self.page.goto(self.url + "/")
        self.page.fill("#name", self.name)
        if not self.page.is_visible(f".opponent:has([value={bot}])"):
            self.page.click(".more-bots summary")
        self.page.check(f".opponent input[value={bot}]")
        self.page.click("form.play .main")
        self.page.wait_for_selector("body.ready #board.board")

    def starts(self) -> None:
        """Start the game as the host. A press is lost if the page changes under it; then repeat."""
        self.page.click(".start .main")
        with suppress(TimedOut):
            self.page.wait_for_selector("#board.board", timeout=10 * _SOON)
            return
        self.page.click(".start .main")

    def sits_down(self, bot: str = "novice") -> None:
        """Start a game without opening the lobby, which takes longer to draw than a table."""
        sent = self.page.request.post(
            f"{self.url}/play",
            form={"name": self.name, "bot": bot},
            headers={"Origin": self.url},
            max_redirects=0,
        )
        self.page.goto(self.url + sent.headers["location"])
        self.page.wait_for_selector("body.ready #board.board")

    def founds(self, *bots: str) -> None:
        """Create a table with these bots and open its page."""
        sent = self.page.request.post(
            f"{self.url}/tables",
            data=urlencode([("name", self.name), *[("seat", bot) for bot in bots]]),
            headers={
                "Origin": self.url,
                "Accept-Language": self.locale,
                "Content-Type": "application/x-www-form-urlencoded",
            },
            max_redirects=0,
        )
        self.page.goto(self.url + sent.headers["location"])
        self.page.wait_for_selector("body.ready #board.board")

    # -- what the page shows

    @property
    def board(self) -> dict[str, str]:
        """The data attributes of the board."""
        found: dict[str, str] = self.page.evaluate(
            "({...document.getElementById('board').dataset})"
        )
        return found

    @property
    def chosen(self) -> list[str]:
        """The selected hand cards."""
        found: list[str] = self.page.evaluate(
            "[...document.querySelectorAll('#act .hand input:checked')].map((box) => box.value)"
        )
        return found

    def is_asked(self, patience: int = PATIENCE) -> str:
        """Wait until the page asks for a decision and return its kind, or ``over``."""
        self.page.wait_for_function(_READY, timeout=patience)
        return self.board["asked"]

    # -- playing

    def plays_to_the_end(self) -> int:
        """Play until the game is over and return the number of decisions."""
        taken = 0
        while self.decides():
            taken += 1
        return taken

    def has_it_played_to_the_end(self) -> int:
        """Play the game to its end through the API, which is much faster, and show the end.

        Meanwhile the browser shows another page, so that nothing is drawn.
        """
        bot, asking, taken = make_bot("random", 1), self.page.request, 0
        shown, table = self.page.url, f"{self.url}/api/tables/{self.board['table']}"
        origin = {"Origin": self.url}
        self.page.goto(f"{self.url}/about")
        while (table_view := asking.get(table).json())["stage"] != "finished":
            if table_view["seat"] in table_view["waiting_for"] and not table_view["answering"]:
                action = bot.choose(read_view(table_view["view"]))
                named = "sale" if isinstance(action, Sell) else "decision"
                body = {"action": write_action(action), "key": f"{taken}", named: table_view[named]}
                answer = asking.post(f"{table}/actions", data=body, headers=origin)
                assert answer.ok, answer.text()
                taken += 1
            else:
                self.page.wait_for_timeout(20)
        self.page.goto(shown)
        self.page.wait_for_selector("body.ready .ending")
        return taken

    def decides(self) -> bool:
        """Answer the question by mouse; return False if the game is over."""
        asked = self.is_asked()
        if asked == "over":
            return False
        self.chooses(asked)
        if asked == "bid" and not self.chosen:
            self.presses("#pass")
        else:
            self.presses("#do", choosing=True)
        return True

    @contextmanager
    def menu(self) -> Iterator[None]:
        """Open the menu for the duration of the context."""
        self.page.click("#open-menu")
        yield
        if self.page.locator("#menu:popover-open").count():
            self.page.click("#open-menu")

    def chooses(self, asked: str) -> None:
        """Select what the answer needs."""
        page = self.page
        match asked:
            case "bid":
                self.selects_a_bid()
            case "give" | "take" if self.by_keyboard:
                page.keyboard.press("1")
            case "give" | "take":
                page.wait_for_timeout(_HELD_BACK)
                page.locator(f"#board input[name={asked}]").first.click()
            case "limit":
                sets = page.locator("[data-set], [data-pick]")
                sets.first.click()
            case "sale":
                sets = page.locator("[data-set]")
                if sets.count():
                    sets.first.click()

    def selects_a_bid(self, most: int = 4) -> None:
        """Select enough cards to beat a low bid, or none."""
        for box in self.page.evaluate(_BID, most):
            self.page.check(f"#{box}")

    def presses(self, button: str, *, choosing: bool = False) -> None:
        """Press the button, and again if it asks for confirmation, until the table has changed.

        Another player's action can cancel a question or a selection. With ``choosing``, select
        again if the button needs a selection.
        """
        version = self.board["version"]
        for _ in range(6):
            if not self.page.locator(button).count():
                break  # the game is over
            if choosing and self.page.is_disabled(button):
                if self.board["asked"] == "wait":
                    return  # the service has answered automatically
                self.chooses(self.is_asked())
            if self.by_keyboard:
                self.page.press(button, "Enter")
            else:
                self.page.wait_for_timeout(_HELD_BACK)
                with suppress(TimedOut):
                    self.page.click(button, timeout=_CLICKABLE)
            if not self.asks_again(button) and self.has_sent(version):
                break
        self.sees_more_than(version)

    def has_sent(self, version: str) -> bool:
        """Return whether the action is being sent or has already been played."""
        script = """(version) => document.body.classList.contains("sending")
            || document.getElementById("board").dataset.version !== version"""
        with suppress(TimedOut):
            self.page.wait_for_function(script, arg=version, timeout=_SOON)
            return True
        return False

    def asks_again(self, button: str) -> bool:
        """Return whether the button asks for confirmation."""
        script = "(button) => document.querySelector(button)?.textContent.includes('?')"
        return bool(self.page.evaluate(script, button))

    def sees_more_than(self, version: str) -> None:
        """Wait until the page shows another version."""
        self.page.wait_for_function(
            "(version) => document.getElementById('board').dataset.version !== version", arg=version
        )

    def text(self, selector: str) -> str:
        """Return the text of an element in one line."""
        return re.sub(r"\s+", " ", self.page.locator(selector).first.inner_text()).strip()
