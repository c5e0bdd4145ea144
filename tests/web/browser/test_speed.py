"""The page reacts at once on a slow phone far from its server, and cards move smoothly.

The processor runs at a quarter of its speed; the server is 100 ms away. Other programs
make measurements longer, so the test looks at the best quarter. ``python -m
tests.web.browser.test_speed`` plays a whole game, looks at the medians and prints how many are over
the limit; run it on an idle machine.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.browsers import launch

from .delay import far_away
from .person import Person
from .process import ServerProcess

Meet = Callable[..., Person]

AWAY = 0.1
"""Seconds from the browser to the server and back."""
SLOWER = 4
REACTION = 100.0
"""The maximum number of milliseconds from a press to a visible effect."""
TASK = 50.0
"""The maximum number of milliseconds of a task while cards move."""
DECISIONS = 4
_CATEGORIES = ["toplevel", "blink.user_timing"]
_SCRIPT = Path(__file__).with_name("speed.js").read_text(encoding="utf-8")
_PHONE: dict[str, Any] = {"size": (390, 844), "moving": True, "pace": None, "pictures": True}


@pytest.mark.slow
def test_a_press_is_answered_at_once_and_cards_travel_smoothly(
    meet: Meet, server: ServerProcess, browser: Browser
) -> None:
    with far_away(server.url, AWAY / 2) as url:
        ada = meet(url, **_PHONE)
        seen = _measured(browser, ada, DECISIONS)
        ada.page.close()
    assert {"transform"} <= seen.animated <= {"transform", "opacity", "offset"}
    assert len(seen.reactions) >= 2 * DECISIONS
    assert _good(seen.reactions) <= REACTION, seen.reactions
    assert len(seen.longest) >= DECISIONS
    assert _good(seen.longest) <= TASK, seen.longest


def _good(values: list[float]) -> float:
    """Return the value that a quarter of the values does not exceed."""
    return sorted(values)[len(values) // 4]


@dataclass(frozen=True)
class _Measured:
    reactions: list[float]
    """Milliseconds from each press to a visible effect."""
    longest: list[float]
    """For each move of cards, the processor time of its longest task in milliseconds."""
    animated: set[str]
    """The properties that were animated."""


def _measured(browser: Browser, ada: Person, decisions: int) -> _Measured:
    """Play some decisions of a game and return the measurements."""
    ada.context.add_init_script(_SCRIPT)
    ada.context.add_init_script("localStorage.setItem('hints', 'off')")
    ada.founds("novice", "novice", "novice")
    session = ada.context.new_cdp_session(ada.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    browser.start_tracing(page=ada.page, categories=_CATEGORIES)
    for _ in range(decisions):
        if (asked := ada.is_asked()) == "over":
            break
        cards = ada.page.locator("#act .hand input")
        if asked == "bid" and cards.count():  # select a card and deselect it
            for _ in range(2):
                cards.first.click()
        ada.decides()
    trace = json.loads(browser.stop_tracing())["traceEvents"]
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    seen = ada.page.evaluate("window.speed")
    return _Measured(seen["reactions"], _longest(trace), set(seen["animated"]))


def _longest(trace: list[dict[str, Any]]) -> list[float]:
    """Return the longest task that starts during each move of cards.

    The trace has times in microseconds. ``tdur`` is the processor time of a task: it does not
    depend on other programs on the machine, and it includes the throttling.
    """
    marks = [event for event in trace if event["name"].startswith("travel ")]
    thread = marks[0]["pid"], marks[0]["tid"]
    tasks = [
        event
        for event in trace
        if event["name"].endswith("RunTask") and (event["pid"], event["tid"]) == thread
    ]
    travels: list[list[float]] = []
    for mark in sorted(marks, key=lambda mark: float(mark["ts"])):
        start, end = mark["ts"], mark["ts"] + 1000 * float(mark["name"].split()[1])
        if travels and start < travels[-1][1]:
            travels[-1][1] = max(end, travels[-1][1])
        else:
            travels.append([start, end])
    return [
        max((task.get("tdur", 0) / 1000 for task in tasks if start < task["ts"] < end), default=0.0)
        for start, end in travels
    ]


def main() -> None:
    """Play a whole game and print the measurements."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        if browser is None:
            sys.exit("No browser starts. Install Chromium, Chrome or Edge.")
        with ServerProcess(Path(folder)) as server, far_away(server.url, AWAY / 2) as url:
            seen = _measured(browser, Person(browser, url, **_PHONE), 200)
        browser.close()
    slow = False
    for name, found, most in (
        ("reactions", sorted(seen.reactions), REACTION),
        ("longest task while cards travel", sorted(seen.longest), TASK),
    ):
        over = sum(value > most for value in found)
        print(  # noqa: T201
            f"{name}: {len(found)}, median {median(found):.0f} ms, longest {found[-1]:.0f} ms, "
            f"{over} over {most:.0f} ms"
        )
        slow |= median(found) > most
    sys.exit("Too slow." if slow else 0)


if __name__ == "__main__":
    main()
