"""At the end of every run, list the tests that were skipped and what they need.

With ``BYZANZ_TESTS=all`` in the environment a skipped test is a failure, unless it needs a GPU.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.requirements import CUDA, NEEDS

_skipped = pytest.StashKey[dict[str, list[str]]]()
"""The skipped tests, or whole files, by reason."""
ALL = "BYZANZ_TESTS"
"""The environment variable that makes skipped tests a failure."""


@pytest.fixture(autouse=True)
def _unchanged_settings() -> Iterator[None]:
    """Fail if a test leaves a setting in the environment; servers of later tests would read it."""
    before = _settings()
    yield
    assert _settings() == before


def _settings() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith("BYZANZ_")}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests, so that the last ones can be shared by all workers."""
    items.sort(key=lambda item: "/browser/" not in item.nodeid)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_skipped] = defaultdict(list)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:  # a worker of pytest-xdist
        return
    skipped = session.config.stash[_skipped]
    for report in reporter.stats.get("skipped", []):
        if not hasattr(report, "wasxfail"):
            _, _, reason = report.longrepr
            skipped[reason.removeprefix("Skipped: ")].append(report.nodeid)
    if os.environ.get(ALL) and set(skipped) - {CUDA.reason} and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure(config: pytest.Config) -> None:
    """Print what is missing. By now pytest has printed its own summary."""
    skipped = {need: tests for need, tests in config.stash[_skipped].items() if need in NEEDS}
    write = config.get_terminal_writer().line
    if os.environ.get(ALL) and set(config.stash[_skipped]) - {CUDA.reason}:
        write(f"{ALL} is set, so a skipped test is a failure.")
    if not skipped:
        return
    write("Some tests did not run, because something they need is missing:")
    for reason, tests in skipped.items():
        need = NEEDS[reason]
        write(f"  {need.name} ({_counted(tests)}): {need.install}")
        for file in sorted({test.partition("::")[0] for test in tests}):
            write(f"    {file}")


def _counted(tests: list[str]) -> str:
    single = sum("::" in test for test in tests)
    counts = {"test": single, "whole file": len(tests) - single}
    return " and ".join(
        f"{count} {what}{'s' if count > 1 else ''}" for what, count in counts.items() if count
    )
