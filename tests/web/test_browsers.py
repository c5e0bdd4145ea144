"""On a machine without a browser, the tests in a browser are skipped, and a message says so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from . import browsers

ROOT = Path(__file__).parents[2]
NOWHERE = "http://127.0.0.1:9"
IN_A_BROWSER = "tests/web/art/test_faces.py"


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a machine without a browser, where a download fails."""
    if any(Path(place).exists() for place in ("/opt/google/chrome", "/opt/microsoft/msedge")):
        pytest.skip("Chrome or Edge is installed where it cannot be hidden")
    hidden = {"BYZANZ_TESTS", "CHROMIUM", "PYTEST_XDIST_WORKER", "PYTEST_ADDOPTS"}
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    # This is the only place where Playwright looks for its own browser.
    nothing = str(tmp_path / "nothing")
    return {
        **kept,
        "PATH": nothing,
        "PLAYWRIGHT_BROWSERS_PATH": nothing,
        "PLAYWRIGHT_DOWNLOAD_HOST": NOWHERE,
        # Another pytest would close the common folder, in which this one's PostgreSQL runs.
        "PYTEST_DEBUG_TEMPROOT": str(tmp_path),
    }


def run(*arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT, env=env, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def test_without_a_browser_its_tests_are_skipped_and_named(bare: dict[str, str]) -> None:
    done = run("pytest", "-n", "1", "-p", "no:cacheprovider", IN_A_BROWSER, env=bare)
    assert done.returncode == 0, done.stdout
    assert "3 skipped" in done.stdout
    *_, said, how, file = done.stdout.splitlines()
    assert said == "Some tests did not run, because something they need is missing:"
    assert how.startswith("  a browser (3 tests): install Chromium, Chrome or Edge, or run ")
    assert file == f"    {IN_A_BROWSER}"


def test_where_all_tests_must_run_a_skipped_one_is_a_failure(bare: dict[str, str]) -> None:
    env = {**bare, "BYZANZ_TESTS": "all"}
    done = run("pytest", "-p", "no:cacheprovider", IN_A_BROWSER, env=env)
    assert done.returncode == 1
    assert "3 skipped" in done.stdout
    assert "BYZANZ_TESTS is set, so a skipped test is a failure." in done.stdout


def test_a_failed_download_is_reported_in_a_sentence(bare: dict[str, str]) -> None:
    done = run("tests.web.browsers", env=bare)
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "No browser is installed. Downloading Chromium for the tests ...",
        "The download of Chromium failed. The tests in a browser will be skipped.",
    ]


def test_a_download_that_hangs_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    forever = [sys.executable, "-c", "import time; time.sleep(600)"]
    monkeypatch.setattr(browsers, "INSTALL", forever)
    assert not browsers.download(patience=0.2)


def test_a_download_shows_its_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "print('Downloading'); print('|##  | 40% of 104 MiB')"
    monkeypatch.setattr(browsers, "INSTALL", [sys.executable, "-c", lines])
    assert browsers.download()
    assert capsys.readouterr().out == "|##  | 40% of 104 MiB\n"


def test_a_named_browser_that_does_not_start_is_named(bare: dict[str, str]) -> None:
    done = run("tests.web.browsers", env={**bare, "CHROMIUM": "/nothing/here"})
    assert done.returncode == 0
    assert done.stdout == (
        "The browser /nothing/here (CHROMIUM) does not start."
        " The tests in a browser will be skipped.\n"
    )


def test_a_browser_without_windows_is_not_used_where_notifications_are_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(shutil, "which", lambda program: f"/bin/{program}")
    (first, *others) = browsers._candidates(notifications=False)
    assert first == {"executable_path": f"/bin/{browsers.SHELL}"}
    assert list(browsers._candidates(notifications=True)) == others[:-1]
    assert others[-1] == {}
    monkeypatch.setenv("CHROMIUM", first["executable_path"])
    assert list(browsers._candidates(notifications=False)) == [first]
    assert list(browsers._candidates(notifications=True)) == []
