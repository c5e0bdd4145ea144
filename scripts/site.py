"""Build the documentation site in ``build/site``: ``python -m scripts.site``.

The pages of ``docs`` and some pages of the project are copied to ``build/site-pages``, where links
between them are adjusted and a page for each Python package is added. Sphinx turns them into HTML.
A warning of Sphinx, a broken link or a request to another host is an error.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tomllib
from pathlib import Path

from scripts.site_links import faults

ROOT = Path(__file__).parents[1]
PAGES, SITE, CACHE = (ROOT / "build" / name for name in ("site-pages", "site", "site-cache"))

PROJECT = {
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "CHANGELOG.md": "project/changes.md",
    "benchmarks/results.md": "project/speed.md",
    "benchmarks/load.md": "project/load.md",
    "benchmarks/scaling.md": "project/scaling.md",
    "benchmarks/peer.md": "project/peer.md",
    "README.md": "index.md",
}
"""Pages outside ``docs``, and their places on the site, whose index stands in for the README."""

PRIVATE = {"cli", "terminal", "web"}
"""Packages without a Python API."""

FURTHER = {
    "envs": ("pettingzoo", "gymnasium", "single_env", "vector_env"),
    "search": ("search", "playout_evaluator", "network_evaluator"),
}
"""Public modules that their package does not import."""

ELSEWHERE = {"byzanz.search": "Budget"}
"""Names that are described on the page of another package, which exports them too."""

LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")


def place_of(file: Path) -> Path:
    """Return where a file of the repository is among the copied pages."""
    name = file.relative_to(ROOT).as_posix()
    if name in PROJECT:
        return PAGES / PROJECT[name]
    return PAGES / (name.removeprefix("docs/") if name.startswith("docs/") else f"files/{name}")


def copy_page(source: Path) -> None:
    """Copy a page, and adjust its links to where the targets are on the site."""
    place = place_of(source)

    def adjusted(link: re.Match[str]) -> str:
        before, target, after = link.groups()
        if "://" in target or not (found := (source.parent / target).resolve()).exists():
            return link[0]
        aim = place_of(found)
        if not aim.is_relative_to(PAGES / "files"):
            return f"{before}{os.path.relpath(aim, place.parent)}{after}"
        aim.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(found, aim)
        return f"{before}{os.path.relpath(aim, place.parent)}{after}"

    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(LINK.sub(adjusted, source.read_text(encoding="utf-8")), encoding="utf-8")


def packages() -> list[str]:
    """Return the packages with a Python API, each after those that it imports."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    [layers] = [each["layers"] for each in contracts if each["id"] == "layers"]
    names = [name for layer in reversed(layers) for name in layer.split(" | ")]
    return [name for name in names if name not in PRIVATE]


def write_package_page(name: str) -> None:
    """Write the page of a package, which Sphinx fills with its docstrings."""
    parts = [f"# `byzanz.{name}`", _automodule(f"byzanz.{name}")]
    for module in FURTHER.get(name, ()):
        full = f"byzanz.{name}.{module}"
        parts += [f"## `{full}`", _automodule(full)]
    place = PAGES / "packages" / f"{name}.md"
    place.parent.mkdir(exist_ok=True)
    place.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _automodule(name: str) -> str:
    exclusion = f"\n   :exclude-members: {ELSEWHERE[name]}" if name in ELSEWHERE else ""
    return f"```{{eval-rst}}\n.. automodule:: {name}{exclusion}\n```"


def drop_empty_patterns(index: Path) -> None:
    """Remove the patterns of the navigation that match no page."""
    lines = index.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [
        line for line in lines if not _is_pattern(line) or any(PAGES.glob(f"{line.strip()}.md"))
    ]
    index.write_text("".join(kept), encoding="utf-8")


def _is_pattern(line: str) -> bool:
    return re.fullmatch(r"[\w/*-]*\*[\w/*-]*", line.strip()) is not None


def main() -> int:
    """Build the site, and return 0 if nothing is wrong with it."""
    from sphinx.cmd.build import build_main  # noqa: PLC0415

    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=shutil.ignore_patterns("__pycache__", "*.md"))
    shutil.copy(ROOT / "src/byzanz/web/static/icons/icon-192.png", PAGES / "site")
    for page in (ROOT / "docs").rglob("*.md"):
        copy_page(page)
    for page in PROJECT:
        if page != "README.md":
            copy_page(ROOT / page)
    for name in packages():
        write_package_page(name)
    drop_empty_patterns(PAGES / "index.md")
    options = ["--fail-on-warning", "--keep-going", "--quiet", "--fresh-env"]
    if build_main([*options, "--doctree-dir", str(CACHE), str(PAGES), str(SITE)]) != 0:
        return 1
    found = faults(SITE)
    for fault in found:
        print(fault, file=sys.stderr)
    count = len(list(SITE.rglob("*.html")))
    size = sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file()) / 1e6
    print(f"{count} pages, {size:.1f} MB, {len(found)} broken links: {SITE.relative_to(ROOT)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
