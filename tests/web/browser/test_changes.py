"""Pushed changes: a page that gets only what changed shows the same as a page loaded anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute

from .person import Person

Meet = Callable[..., Person]

_LOADED_ANEW = """async () => {
  const SET_BY_SCRIPTS = ["hidden", "disabled", "title", "open", "formaction", "value"];
  const describe = (node, depth) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.textContent.replace(/\\s+/g, " ").trim();
      return text ? [" ".repeat(depth) + text] : [];
    }
    if (!(node instanceof Element)) return [];
    const named = [...node.attributes]
      .filter(({ name }) => !SET_BY_SCRIPTS.includes(name))
      .map(({ name, value }) => `${name}=${value.split(/\\s+/).sort().join(" ")}`);
    const line = " ".repeat(depth) + [node.localName, ...named.sort()].join(" ");
    if (node.closest("#actions button, #why, #refused, time")) return [line.split(" class=")[0]];
    return [line, ...[...node.childNodes].flatMap((child) => describe(child, depth + 1))];
  };
  const text = await (await fetch(location)).text();
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("board");
  const shown = document.getElementById("board");
  if (fresh.dataset.version !== shown.dataset.version) return null;
  return [describe(shown, 0), describe(fresh, 0)];
}"""
"""Describes the board that the page shows, and the one of a page that is loaded now."""


def shows_the_same_as_a_new_page(page: Page) -> None:
    """Compare the board with the one of the page loaded anew, once both show the same version."""
    for _ in range(50):
        boards = page.evaluate(_LOADED_ANEW)
        if boards is not None and boards[0] == boards[1]:
            return
        page.wait_for_timeout(100)
    assert boards is not None, "the page never shows the newest version"
    assert boards[0] == boards[1]


class Wire:
    """The sockets of a page; a test can lose, double or hold back what they push."""

    def __init__(self, page: Page) -> None:
        self.addresses: list[str] = []
        self.pushed: Callable[[WebSocketRoute, str], None] = lambda socket, text: socket.send(text)
        self.sockets: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/socket"), self._opened)

    def _opened(self, socket: WebSocketRoute) -> None:
        self.addresses.append(socket.url)
        self.sockets.append(socket)
        server = socket.connect_to_server()
        server.on_message(lambda text: self.pushed(socket, str(text)))

    def next(self, spoil: Callable[[WebSocketRoute, str], None]) -> None:
        """Spoil the next frame that has changes."""
        untouched = self.pushed

        def pushed(socket: WebSocketRoute, text: str) -> None:
            if '"attributes"' not in text:
                untouched(socket, text)
                return
            self.pushed = untouched
            spoil(socket, text)

        self.pushed = pushed


@pytest.fixture
def seated(meet: Meet) -> tuple[Person, Wire]:
    """Return a person who has decided twice, and the wire of the page."""
    ada = meet(by_keyboard=True)
    wire = Wire(ada.page)
    ada.sits_down()
    for _ in range(2):
        ada.decides()
        ada.is_asked()
    assert len(wire.addresses) == 1
    assert wire.addresses[0].endswith("&changes")
    return ada, wire


def _plays_on(ada: Person, decisions: int = 4) -> None:
    for _ in range(decisions):
        ada.decides()
        ada.is_asked()
        shows_the_same_as_a_new_page(ada.page)


def test_a_board_changed_part_by_part_is_the_one_of_a_page_loaded_anew(
    seated: tuple[Person, Wire],
) -> None:
    ada, wire = seated
    for _ in range(12):
        assert ada.decides()
        ada.is_asked()
        shows_the_same_as_a_new_page(ada.page)
    assert len(wire.addresses) == 1, "no change was missed or could not be applied"


def _lost(socket: WebSocketRoute, text: str) -> None:
    pass


def _doubled(socket: WebSocketRoute, text: str) -> None:
    socket.send(text)
    socket.send(text)


@pytest.mark.parametrize("spoil", [_lost, _doubled])
def test_a_page_that_misses_a_frame_asks_for_whole_boards(
    seated: tuple[Person, Wire], spoil: Callable[[WebSocketRoute, str], None]
) -> None:
    ada, wire = seated
    wire.next(spoil)
    _plays_on(ada)
    assert len(wire.addresses) == 2
    assert not wire.addresses[1].endswith("&changes")


def test_a_page_connects_again_if_the_result_of_its_action_does_not_come(
    seated: tuple[Person, Wire],
) -> None:
    ada, wire = seated
    ada.is_asked()
    first = wire.sockets[0]
    wire.pushed = lambda socket, text: None if socket is first else socket.send(text)
    _plays_on(ada, 2)
    assert len(wire.addresses) == 2


@pytest.mark.parametrize("lost", ["#act", pytest.param("#market", marks=pytest.mark.slow), "#log"])
def test_a_page_whose_parts_are_gone_asks_for_whole_boards(
    seated: tuple[Person, Wire], lost: str
) -> None:
    ada, wire = seated
    ada.is_asked()
    ada.page.evaluate("(lost) => document.querySelector(lost).remove()", lost)
    if lost == "#act":
        _passes_by_api(ada)
        ada.page.wait_for_selector(lost)
    _plays_on(ada)
    assert len(wire.addresses) == 2


def _passes_by_api(ada: Person) -> None:
    table = f"{ada.url}/api/tables/{ada.board['table']}"
    view: dict[str, Any] = ada.page.request.get(table).json()
    legal = view["view"]["legal"]
    word = next((word for word in ("give", "take", "discard") if legal[word]), "")
    action = f"{word} {legal[word][0]}" if word else "done" if legal["done"] else "pass"
    body = {"action": action, "key": "by-api", "decision": view["decision"]}
    sent = ada.page.request.post(f"{table}/actions", data=body, headers={"Origin": ada.url})
    assert sent.ok, sent.text()


def test_a_connection_lost_in_mid_game_is_followed_by_the_whole_board(
    seated: tuple[Person, Wire],
) -> None:
    ada, wire = seated
    for _ in range(3):
        version = ada.board["version"]
        wire.sockets[-1].close(code=1012)
        ada.page.wait_for_function("() => !document.getElementById('connection').hidden")
        ada.is_asked()
        ada.decides()
        ada.sees_more_than(version)
        shows_the_same_as_a_new_page(ada.page)
    assert len(wire.addresses) == 4
    assert all(address.endswith("&changes") for address in wire.addresses)


def test_a_connection_lost_before_the_frame_of_an_action_arrives(
    seated: tuple[Person, Wire],
) -> None:
    ada, wire = seated
    ada.is_asked()
    wire.next(lambda socket, text: socket.close(code=1012))
    _plays_on(ada)
    assert len(wire.addresses) == 2


def test_frames_that_arrive_late_and_in_a_crowd_are_applied_in_order(
    seated: tuple[Person, Wire],
) -> None:
    ada, wire = seated
    held: list[str] = []
    ada.is_asked()
    untouched, wire.pushed = wire.pushed, lambda socket, text: held.append(text)
    for _ in range(6):
        ada.is_asked()
        version = ada.board["version"]
        ada.chooses(ada.board["asked"])
        ada.page.keyboard.press("Enter" if ada.chosen or ada.board["asked"] != "bid" else "p")
        ada.page.wait_for_timeout(500)
        for text in held:
            untouched(wire.sockets[-1], text)
        held.clear()
        wire.pushed = untouched
        if ada.has_sent(version):
            ada.sees_more_than(version)
        ada.is_asked()
        shows_the_same_as_a_new_page(ada.page)
        wire.pushed = lambda socket, text: held.append(text)
    assert len(wire.addresses) == 1


def test_two_tabs_in_two_languages_show_the_same_game(meet: Meet) -> None:
    ada = meet(by_keyboard=True)
    ada.sits_down()
    other = ada.new_page()
    other.goto(ada.page.url)
    other.wait_for_selector("body.ready #board.board")
    other.click("#open-menu")
    other.select_option("#language", "hu")
    other.wait_for_selector("html[lang=hu]")
    for _ in range(5):
        ada.decides()
    ada.is_asked()
    version = ada.board["version"]
    other.wait_for_selector(f"#board[data-version='{version}']")
    assert "ajánlat" in other.inner_text("#log").lower()
    shows_the_same_as_a_new_page(other)
    ada.page.reload()
    ada.is_asked()
    assert "ajánlat" in ada.text("#log").lower(), "the language belongs to the guest"
    shows_the_same_as_a_new_page(ada.page)
    _plays_on(ada, 2)
