"""Compiled templates on the disk."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from byzanz.web import template_cache as module
from byzanz.web.rendering import Renderer


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module, "user_cache_path", lambda _: tmp_path / "cache")
    module._remove_old.cache_clear()
    return tmp_path / "cache" / "templates"


def page(language: str) -> str:
    return Renderer(language).page("error.html", path="/", status=404, message="Nothing here")


def test_a_stored_template_gives_the_same_page_in_its_own_language(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = {language: page(language) for language in ("en", "hu")}
    stored = sorted(folder.iterdir())
    assert len(stored) > 3
    assert first["en"] != first["hu"]
    monkeypatch.setattr("jinja2.Environment.compile", lambda *_, **__: pytest.fail("compiled"))
    assert {language: page(language) for language in ("en", "hu")} == first
    assert sorted(folder.iterdir()) == stored


def test_another_version_of_the_program_compiles_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page("de")
    stored = set(folder.iterdir())
    old = folder / "old-de-template"
    old.write_bytes(b"x")
    os.utime(old, (time.time() - 1e6,) * 2)
    monkeypatch.setattr(module, "_checksum", lambda: "other")
    module._remove_old.cache_clear()
    page("de")
    assert len(set(folder.iterdir()) - stored) == len(stored)
    assert not old.exists()


def test_pages_work_without_a_folder(folder: Path) -> None:
    expected = page("it")
    folder.chmod(0o777)  # anybody could store code there
    before = sorted(folder.iterdir())
    assert page("it") == expected
    assert sorted(folder.iterdir()) == before
    folder.chmod(0o700)
    for file in folder.iterdir():
        file.write_bytes(b"broken")
    assert page("it") == expected
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    folder.write_text("a file, not a folder")
    assert page("it") == expected
