"""A short description of a device, from the ``User-Agent`` header of its browser."""

from __future__ import annotations

from byzanz.tables import Label

_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Vivaldi/": "Vivaldi",
    "FxiOS/": "Firefox",
    "Firefox/": "Firefox",
    "CriOS/": "Chrome",
    "Chromium/": "Chromium",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
"""Browsers by a part of their header. Many headers also name other browsers, so order matters."""
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}
"""Systems by a part of the header. The first that fits is taken."""


def describe(user_agent: str) -> Label:
    """Return the names of browser and system; empty names for those that are not known.

    >>> describe("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    Label(name='', browser='Firefox', system='Linux')
    """
    browser = next((name for part, name in _BROWSERS.items() if part in user_agent), "")
    system = next((name for part, name in _SYSTEMS.items() if part in user_agent), "")
    return Label(browser=browser, system=system)
