"""Check a folder of HTML files: links lead somewhere, and nothing is loaded from another host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {
    "audio": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "video": "src",
}
"""Elements for which a browser requests a file, and the attribute with its address."""


class Page(HTMLParser):
    """The identifiers, links and loaded files of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.identifiers: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value for name, value in attrs if value}
        self.identifiers |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in LOADED and LOADED[tag] in found:
            self.loaded.append(found[LOADED[tag]])


def faults(site: Path) -> list[str]:
    """Return a line for each broken link and each file that another host would serve."""
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in site.rglob("*.html")}
    found = [
        f"{file.relative_to(site)}: {fault}"
        for file, page in sorted(pages.items())
        for fault in _faults_of(file, page, pages)
    ]
    found += [
        f"{file.relative_to(site)}: loads {address}"
        for file in sorted(site.rglob("*.css"))
        for address in re.findall(r"url\(['\"]?((?:https?:)?//[^)'\"]+)", file.read_text("utf-8"))
    ]
    return found


def _faults_of(file: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    for address in page.loaded:
        if urlsplit(address).netloc:
            yield f"loads {address}"
    for address in (*page.links, *page.loaded):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if not target.is_file():
            yield f"links to {address}, which does not exist"
        elif parts.fragment and target in pages:
            identifier = unquote(parts.fragment)
            if identifier not in pages[target].identifiers:
                yield f"links to {address}, which has no such heading"
