"""Tests of the documentation: examples run, and everything public is documented."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
import runpy
from enum import Enum
from pathlib import Path
from types import ModuleType

import pytest

from byzanz.notation import Fault
from byzanz.rules import Reason
from tests.requirements import MODULES as REQUIREMENTS
from tests.requirements import import_or_skip

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "byzanz"
PACKAGES = [
    "locale",
    "rules",
    "notation",
    "messages",
    "encoding",
    "fast",
    "network",
    "search",
    "bots",
    "datasets",
    "arena",
    "coach",
    "tables",
    "envs",
    "terminal",
    "training",
    "web",
]
MODULES = sorted(
    ".".join(file.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    for file in SOURCE.rglob("*.py")
    if file.name != "__main__.py"
)
PAGES = ["README.md", *(str(file.relative_to(ROOT)) for file in (ROOT / "docs").rglob("*.md"))]
PAGES_THAT_NEED = {
    "docs/tutorials/explore-the-dataset.md": "polars",
    "docs/tutorials/train-a-policy.md": "torch",
    "docs/tutorials/train-on-a-gpu.md": "torch",
}
"""Pages whose examples need a library outside the ``dev`` extra."""


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_the_examples_of_a_page_run(name: str) -> None:
    if name in PAGES_THAT_NEED:
        import_or_skip(PAGES_THAT_NEED[name])
    failed, _ = doctest.testfile(str(ROOT / name), module_relative=False, encoding="utf-8")
    assert failed == 0


def test_the_readme_has_examples() -> None:
    assert page("README.md").count(">>> ") >= 5


@pytest.mark.parametrize("name", MODULES)
def test_every_module_and_public_name_has_a_docstring(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name in REQUIREMENTS:  # a library outside the ``dev`` extra
            import_or_skip(error.name)
        raise
    assert module.__doc__, name
    for public, item in vars(module).items():
        if public.startswith("_") or getattr(item, "__module__", None) != name:
            continue
        if inspect.isclass(item) or inspect.isfunction(item):
            assert _documented(item), f"{name}.{public}"


def _documented(item: object) -> bool:
    if not inspect.getdoc(item) or "Alias for field" in (inspect.getdoc(item) or ""):
        return False
    if inspect.isclass(item) and not issubclass(item, Enum):
        for name, member in vars(item).items():
            if not name.startswith("_") and inspect.isfunction(member):
                assert inspect.getdoc(getattr(item, name)), f"{item.__name__}.{name}"
    return True


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_exports_each_name_once(package: str) -> None:
    module: ModuleType = importlib.import_module(f"byzanz.{package}")
    names: list[str] = module.__all__
    assert len(set(names)) == len(names)
    assert all(hasattr(module, name) for name in names)


@pytest.mark.parametrize(
    "package",
    [
        "locale",
        "rules",
        "notation",
        "messages",
        "encoding",
        "fast",
        "network",
        "bots",
        "datasets",
        "arena",
        "coach",
    ],
)
def test_the_reference_names_everything_public(package: str) -> None:
    reference = page("docs/reference.md")
    for name in importlib.import_module(f"byzanz.{package}").__all__:
        assert re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", reference), name


def test_the_notation_page_lists_every_reason() -> None:
    listed = page("docs/notation.md")
    for reason in (*Reason, *Fault):
        assert f"`{reason.value}`" in listed, reason.value


def test_the_rules_page_covers_every_rule_and_reading() -> None:
    told = page("docs/rules.md")
    numbers = [f"R{rule}" for rule in RULES] + [f"I{reading}" for reading in range(1, 10)]
    for number in numbers:
        assert re.search(rf"\b{re.escape(number)}\b", told), number


RULES = [
    "1.1", "1.2", "1.3", "1.4", "2.1", "2.2", "2.3", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6",
    "3.7", "3.8", "3.9", "3.10", "3.11", "4.1", "4.2", "4.3", "5.1", "5.2", "5.3", "6.1", "7.1",
    "7.2",
]  # fmt: skip


def test_every_rule_and_reading_has_a_test_named_after_it() -> None:
    names = "".join(
        file.read_text(encoding="utf-8") for file in (ROOT / "tests" / "rules").glob("test_*.py")
    )
    wanted = [f"r{rule.replace('.', '_')}" for rule in RULES]
    wanted += [f"i{reading}" for reading in range(1, 10)] + [f"x{n}" for n in range(1, 5)]
    for name in wanted:
        assert re.search(rf"def test_{name}_", names), name


def test_the_readme_starts_with_a_picture_and_the_two_commands() -> None:
    text = page("README.md")
    picture, play, test = text.index("!["), text.index("make play"), text.index("make test")
    assert picture < play < test < text.index("\n## ")


@pytest.mark.parametrize("name", ["draw_cards.py", "draw_pages.py"])
def test_the_scripts_that_draw_the_pictures_can_be_imported(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend("")  # the scripts add to sys.path; this restores it
    assert "main" in runpy.run_path(str(ROOT / "docs" / "pictures" / name))


def test_the_architecture_page_lists_every_module() -> None:
    _, *parts = re.split(r"^##+ (.*)$", page("docs/architecture.md"), flags=re.MULTILINE)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    for folder in (SOURCE, *SOURCE.rglob("*/")):
        modules = {file.stem for file in folder.glob("*.py")} - {"__init__", "__main__"}
        if not modules or folder.name in ("art", "migrations"):
            continue
        package = ".".join(folder.relative_to(SOURCE.parent).parts)
        assert set(re.findall(r"`(\w+)\.py`", sections[f"`{package}`"])) == modules, package


def test_the_tests_mirror_the_packages() -> None:
    others = {"data", "docs", "packaging", "playthroughs", "properties"}
    packages = {file.parent.name for file in SOURCE.glob("*/__init__.py")}
    folders = {folder.name for folder in (ROOT / "tests").glob("[a-z]*/")}
    assert folders == packages | others


def test_source_files_have_at_most_450_lines() -> None:
    for file in SOURCE.rglob("*.py"):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 450, file.name


def test_the_makefile_targets_of_the_readme_exist() -> None:
    makefile = page("Makefile")
    for target in set(re.findall(r"\bmake ([a-z]+)\b", page("README.md"))):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_commands_of_the_readme_exist() -> None:
    from byzanz.cli.main import make_parser  # noqa: PLC0415

    helped = make_parser().format_help()
    for command in set(re.findall(r"^\$? ?byzanz ([a-z]+)", page("README.md"), re.MULTILINE)):
        assert command in helped, command
