"""Devices and tokens in a browser: a second device, and logging it out from the first."""

from __future__ import annotations

from collections.abc import Callable

from .person import Person
from .test_accessibility import violations
from .test_shared_deals import PHONE, fits

Meet = Callable[..., Person]


def test_a_second_device_is_logged_out_and_its_page_shows_no_cards(meet: Meet) -> None:
    ada, other = meet(size=PHONE, bypass_csp=True, color_scheme="dark"), meet(name="other")
    ada.sits_down()
    table = ada.page.url
    ada.page.goto(ada.url)
    ada.page.click("form[action^='/me/link'] button")
    link = ada.page.inner_text("[data-link]")
    other.page.goto(other.url + link[link.index("/pass/") :])
    other.page.click("form .main")
    other.page.wait_for_selector("form.play")
    other.page.goto(table)
    other.page.wait_for_selector("#act")

    ada.page.goto(ada.url)
    ada.page.click("#me a[href='/me/devices']")
    assert ada.page.locator(".who:has-text('Chrome on Linux')").count() == 2
    ada.page.fill("#token-name", "My bot")
    ada.page.focus("form[action^='/me/tokens'] button")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("#token")
    assert fits(ada)
    assert violations(ada) == []
    ada.page.click("form[action='/me/devices/end'] button")
    ada.page.wait_for_selector("text=My bot", state="detached")
    assert ada.page.locator(".who:has-text('Chrome on Linux')").count() == 1

    other.page.wait_for_selector("#act", state="detached")  # the page has loaded again
    assert other.page.url == table
