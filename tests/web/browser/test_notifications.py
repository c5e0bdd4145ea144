"""The switch for notifications, and the service worker that shows them.

A browser for tests has no push service, so it cannot subscribe: the page must say so. For what
comes after that, the page gets a subscription to a push service of the test. Its messages are
decrypted and handed to the service worker by the browser's debugging protocol.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, CDPSession, Playwright

from byzanz.tables import Limits
from tests.web.browsers import launched
from tests.web.mail_server import mail_server
from tests.web.push_service import Browser as Keys
from tests.web.push_service import PushService, push_service
from tests.web.server import UNHURRIED, Player, Served, served

from .person import Person
from .test_accessibility import violations

_LIMITS = Limits(
    substitute_bot="random",
    notification_grace_seconds=0,
    disconnect_grace_seconds=0,
    polling_presence_seconds=0,
    clock_interval_seconds=0.05,
)
_SUBSCRIBED = """(given) => {
  let current = null;
  const subscription = {
    endpoint: given.endpoint,
    toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
    unsubscribe: async () => { current = null; return true; },
  };
  PushManager.prototype.subscribe = async (options) => {
    window.askedFor = options;
    current = subscription;
    return subscription;
  };
  PushManager.prototype.getSubscription = async () => current;
}"""
_SHOWN = """async () => {
  const registration = await navigator.serviceWorker.ready;
  return (await registration.getNotifications()).map(({ title, body, lang, tag, data, actions }) =>
    ({ title, body, lang, tag, data, stop: actions.map(({ action, title }) => [action, title]) }));
}"""
_TAPPED = """async (action) => {
  const [notification] = await registration.getNotifications();
  dispatchEvent(new NotificationEvent("notificationclick", { notification, action }));
}"""
_LABEL = "#menu .notify input"


@pytest.fixture(scope="module")
def windowed(playwright: Playwright) -> Iterator[Browser]:
    """Start a browser that can show notifications."""
    with launched(playwright, notifications=True) as running:
        yield running


@pytest.fixture
def push() -> Iterator[PushService]:
    with push_service() as running:
        yield running


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Served]:
    with mail_server() as mail:
        settings = msgspec.structs.replace(
            UNHURRIED,
            push_to_local_addresses=True,
            public_address="https://byzanz.example",
            smtp_host="localhost",
            smtp_port=mail.port,
            smtp_security="none",
            mail_sender="noreply@byzanz.example",
        )
        with served(tmp_path, settings, limits=_LIMITS) as found:
            yield found


def at_a_table(browser: Browser, running: Served) -> tuple[Person, Player, str]:
    """Return a person whose turn is after the host's, with the menu open; the host; the table."""
    ada = Person(browser, running.url, installed=True, name="Ada", permissions=["notifications"])
    host, other = running.player("Ben"), running.player("Cleo")
    table = host.found(open_seats=2)
    sent = ada.page.request.post(
        f"{ada.url}/table/{table}/join", form={"name": "Ada"}, headers={"Origin": ada.url}
    )
    assert sent.ok
    other.client.post(f"/api/tables/{table}/join", json={})
    ada.page.goto(f"{ada.url}/table/{table}")
    ada.page.wait_for_selector("body.ready #board.board")
    ada.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    ada.page.click("#open-menu")
    return ada, host, table


def registration_of(person: Person, protocol: CDPSession) -> str:
    """Return the browser's id of the service worker's registration."""
    found: list[str] = []
    protocol.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    protocol.send("ServiceWorker.enable")
    while not found:
        person.page.wait_for_timeout(50)
    return found[0]


def notices(person: Person, count: int) -> list[dict[str, Any]]:
    """Return the notifications that the browser shows, as soon as there are so many."""
    for _ in range(600):
        shown: list[dict[str, Any]] = person.page.evaluate(_SHOWN)
        if len(shown) == count:
            return shown
        person.page.wait_for_timeout(50)
    raise AssertionError(f"there are {len(shown)} notifications")


def test_a_browser_without_a_push_service_says_so(windowed: Browser, running: Served) -> None:
    ada, _, _ = at_a_table(windowed, running)
    ada.page.click(_LABEL)
    ada.page.wait_for_function("() => document.querySelector('.notify [role=status]').textContent")
    assert ada.text("#menu .notify .state") == "This browser could not turn notifications on."
    assert not ada.page.is_checked(_LABEL)
    ada.expects("Push API in incognito mode")
    ada.leave()
    assert ada.errors == []


def test_a_message_is_shown_opens_the_table_and_is_turned_off_with_one_tap(
    windowed: Browser, running: Served, push: PushService
) -> None:
    keys = Keys()
    ada, host, table = at_a_table(windowed, running)
    ada.page.evaluate(_SUBSCRIBED, keys.subscription(f"{push.url}/ada"))
    ada.page.click(_LABEL)
    ada.page.wait_for_selector(f"{_LABEL}:checked:enabled")
    key = ada.page.get_attribute("#menu .notify", "data-push-key")
    asked = ada.page.evaluate("() => window.askedFor")
    assert asked == {"userVisibleOnly": True, "applicationServerKey": key}

    protocol = ada.context.new_cdp_session(ada.page)
    registration = registration_of(ada, protocol)
    ada.page.goto(f"{ada.url}/rules")
    host.act(table, "pass", decision=0)
    told = push.next().message(keys)
    while told["tag"].split("-")[0] != "turn":
        told = push.next().message(keys)
    delivered = {"origin": ada.url, "registrationId": registration, "data": json.dumps(told)}
    protocol.send("ServiceWorker.deliverPushMessage", delivered)
    (shown,) = notices(ada, 1)
    assert shown == {
        "title": "Your turn",
        "body": "The table with Ben, Cleo waits for you.",
        "lang": "en",
        "tag": f"turn-{table}",
        "data": {"table": f"/table/{table}", "stop": told["stop"]},
        "stop": [["stop", "Turn off"]],
    }

    (worker,) = ada.context.service_workers
    worker.evaluate("() => { clients.openWindow = async (path) => { self.opened = path; }; }")
    worker.evaluate(_TAPPED, "")
    notices(ada, 0)
    assert worker.evaluate("() => self.opened") == f"/table/{table}"

    protocol.send("ServiceWorker.deliverPushMessage", delivered)
    notices(ada, 1)
    worker.evaluate(_TAPPED, "stop")
    notices(ada, 0)
    ada.page.wait_for_function(
        "async () => !(await (await fetch('/api/me/notifications')).json()).targets.length"
    )
    ada.page.goto(f"{ada.url}/table/{table}")
    ada.page.wait_for_selector("body.ready #board.board")
    ada.page.click("#open-menu")
    assert not ada.page.is_checked(_LABEL)
    ada.leave()
    assert ada.errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible_and_its_forms_work(
    browser: Browser, running: Served, push: PushService, scheme: str
) -> None:
    ada = Person(browser, running.url, color_scheme=scheme, bypass_csp=True, size=(390, 844))
    ada.sits_down("random")
    subscription = Keys().subscription(f"{push.url}/ada")
    ada.page.request.post(
        f"{ada.url}/api/me/notifications/push", data=subscription, headers={"Origin": ada.url}
    )
    ada.page.goto(f"{ada.url}/notifications")
    assert violations(ada) == []
    ada.page.fill("#address", "ada@example.org")
    ada.page.click("form[action$='/email'] button")
    ada.page.wait_for_selector("section[data-target] >> text=ada@example.org")
    assert violations(ada) == []
    width = ada.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    ada.page.locator("section[data-target]").first.locator("input[value=full]").uncheck()
    ada.page.locator("section[data-target]").first.locator("text=Save").click()
    ada.page.wait_for_selector("section[data-target] input[value=full]:not(:checked)")
    for left in (1, 0):
        ada.page.locator("section[data-target] .danger").first.click()
        ada.page.wait_for_function(
            f"() => document.querySelectorAll('section[data-target]').length === {left}"
        )
    ada.leave()
    assert ada.errors == []
