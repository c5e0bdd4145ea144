"""Installing the game: prerequisites, stored files, the offline page, and new versions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from byzanz.web import installing
from tests.web.server import served

from .person import Person
from .process import ServerProcess

Meet = Callable[..., Person]

_KEPT = """async () => {
  await navigator.serviceWorker.ready;
  const found = {};
  for (const name of await caches.keys())
    found[name] = (await (await caches.open(name)).keys()).map(({ url }) => url);
  return found;
}"""
_REPLACED = """async (old) => {
  const until = Date.now() + 20000;
  while ((await caches.keys()).includes(old) && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 50));
}"""
_CONTROLLED = "() => navigator.serviceWorker.controller !== null"


def _kept(person: Person) -> dict[str, list[str]]:
    """Return the addresses in each cache once the service worker controls the page."""
    person.page.wait_for_function(_CONTROLLED)
    found: dict[str, list[str]] = person.page.evaluate(_KEPT)
    return found


def test_nothing_personal_is_kept_and_the_offline_page_appears(
    meet: Meet, own_server: ServerProcess
) -> None:
    ada = meet(own_server.url, installed=True, locale="hu", name="Ada")
    ada.page.goto(ada.url)
    errors = ada.context.new_cdp_session(ada.page).send("Page.getInstallabilityErrors")
    manifest = ada.context.new_cdp_session(ada.page).send("Page.getAppManifest")
    assert manifest["errors"] == []
    reasons = {error["errorId"] for error in errors["installabilityErrors"]}
    assert reasons <= {"in-incognito"}, "a browser profile for a test cannot install anything"

    ada.plays_from_the_lobby("random")
    ada.has_it_played_to_the_end()
    ada.page.goto(ada.url)
    (addresses,) = _kept(ada).values()
    paths = {urlsplit(address).path for address in addresses}
    assert {path.split("/")[1] for path in paths} == {"static", "art", "offline"}
    assert "/static/table.js" in paths
    assert "/art/C4.svg" in paths
    assert not any("Ada" in ada.page.request.get(ada.url + path).text() for path in ["/offline"])

    own_server.kill()
    for path in ("/", "/rules", "/table/whatever"):
        ada.page.goto(ada.url + path)
        assert ada.text("h1:visible") == "Nincs kapcsolat"
        assert ada.page.url == ada.url + path
    assert ada.page.locator("section:visible").count() == 1
    own_server.start()
    ada.page.click("section:visible .button")
    ada.page.wait_for_selector("html[lang=hu] >> text=Szabályok")
    ada.expects("ERR_CONNECTION_REFUSED", "404", "WebSocket")


def test_a_new_version_takes_over_and_deletes_the_files_of_the_old_one(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path) as running:
        ada = Person(browser, running.url, installed=True)
        ada.page.goto(ada.url)
        (old,) = _kept(ada)
        text = installing.worker_text()
        version = old.removeprefix("byzanz-")
        monkeypatch.setattr(installing, "worker_text", lambda: text.replace(version, "0" * 12))
        ada.page.goto(ada.url)  # a browser looks for a new version whenever a page is opened
        ada.page.evaluate(_REPLACED, old)
        assert list(_kept(ada)) == ["byzanz-000000000000"]
        ada.page.goto(ada.url + "/rules")
        assert ada.page.evaluate(_CONTROLLED)
        ada.leave()
        assert ada.errors == []
