"""Tests of the pages of the documentation site, without Sphinx: navigation, links and commands."""

from __future__ import annotations

import re
import shlex
from doctest import DocTestParser
from fnmatch import fnmatch
from pathlib import Path

import pytest
from scripts.site import PROJECT, ROOT, packages
from scripts.site_links import faults

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md")) + [ROOT / name for name in PROJECT]
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))


def without_code(text: str) -> str:
    """Return the text of a page without its code blocks."""
    return re.sub(r"^(```+).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)


def navigation() -> list[str]:
    """Return the entries of the site's navigation: names of pages and patterns."""
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    trees = re.findall(r"^```\{toctree\}\n(.*?)^```$", index, flags=re.MULTILINE | re.DOTALL)
    lines = [line for tree in trees for line in tree.splitlines()]
    return [line for line in lines if line and not line.startswith(":")]


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and MyST make them."""
    text = without_code(page.read_text(encoding="utf-8"))
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        copies = sum(1 for each in found if re.fullmatch(rf"{re.escape(slug)}(-\d+)?", each))
        found.add(f"{slug}-{copies}" if copies else slug)
    return found


def test_the_navigation_lists_every_page_once() -> None:
    places = [page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md")]
    places += [place.removesuffix(".md") for place in PROJECT.values()]
    places += [f"packages/{name}" for name in packages()]
    for place in set(places) - {"index"}:
        entries = [entry for entry in navigation() if fnmatch(place, entry)]
        assert len(entries) == 1, f"{place} is in docs/index.md {len(entries)} times"
    for entry in navigation():
        assert "*" in entry or entry in places, f"docs/index.md lists {entry}, which does not exist"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_headings(page: Path) -> None:
    text = without_code(page.read_text(encoding="utf-8"))
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", text):
        if "://" in target:
            continue
        aim = (page.parent / target).resolve() if target else page
        assert aim.is_file(), target
        assert aim.suffix != ".md" or aim in PAGES, f"{target} is not on the site"
        if anchor:
            assert anchor in anchors(aim), f"{target}#{anchor}"


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_the_commands_of_a_tutorial_are_valid(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from byzanz.cli.main import make_parser  # noqa: PLC0415

    text = page.read_text(encoding="utf-8")
    examples = [each.source for each in DocTestParser().get_examples(text)]
    definitions = [each for each in examples if each.startswith(("from ", "import ", "class "))]
    (tmp_path / "thrifty.py").write_text("".join(definitions), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for line in re.findall(r"^byzanz (.*)$", text, flags=re.MULTILINE):
        make_parser().parse_args(shlex.split(line.partition(" > ")[0]))


def test_the_check_of_a_built_site_finds_every_fault(tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("a { background: url(https://example.org/a.png) }")
    (tmp_path / "good.html").write_text('<h1 id="top">Good</h1><a href="https://example.org">x</a>')
    (tmp_path / "index.html").write_text(
        '<a href="good.html#top"></a><a href="good.html#none"></a><a href="none.html"></a>'
        '<script src="//example.org/a.js"></script><img src="none.png">'
    )
    assert faults(tmp_path) == [
        "index.html: loads //example.org/a.js",
        "index.html: links to good.html#none, which has no such heading",
        "index.html: links to none.html, which does not exist",
        "index.html: links to none.png, which does not exist",
        "style.css: loads https://example.org/a.png",
    ]
