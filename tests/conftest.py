"""The last lines of every run say which tests did not run, and how to get them."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.missing import NEEDS

_skipped = pytest.StashKey[dict[str, list[str]]]()
"""For each reason, the tests (or whole files) that were skipped for it."""


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_skipped] = defaultdict(list)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for report in terminalreporter.stats.get("skipped", []):
        _, _, reason = report.longrepr
        config.stash[_skipped][reason.removeprefix("Skipped: ")].append(report.nodeid)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Print what was missing. By now pytest has printed its own summary."""
    skipped = {need: tests for need, tests in config.stash[_skipped].items() if need in NEEDS}
    if not skipped:
        return
    write = config.get_terminal_writer().line
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
