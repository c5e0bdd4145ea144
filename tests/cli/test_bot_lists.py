"""Bots that cannot all sit, and budgets without use, are reported by every command with bots."""

from __future__ import annotations

import pytest

from byzanz.cli import main


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["play", "--bots", "greedy*9"], "9 bots cannot sit on 3 seats; name at most 3"),
        (["play", "--players", "6", "--bots", "greedy*6"], "6 bots cannot sit on 5 seats"),
        (["simulate", "--bots", "greedy*9"], "9 bots cannot sit at a table for 4"),
        (["simulate", "--engine", "fast", "--bots", "random*5"], "5 bots cannot sit at a table"),
        (["arena", "--bots", "random,greedy*9"], "greedy is named 9 times, but a table has 4"),
        (["arena", "--bots", "greedy*9"], "name two different ones"),
        (["cross", "--bots", "random,greedy*9"], "name 'greedy' once"),
        (["serve", "--bots", "greedy*9"], "name 'greedy' once, not 9 times"),
    ],
)
def test_bots_that_cannot_all_sit_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    assert reason in refusal(capsys, arguments)


@pytest.mark.parametrize("command", ["play", "simulate", "arena", "cross", "serve"])
def test_a_budget_for_a_bot_that_does_not_search_is_refused(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    told = refusal(capsys, [command, "--bots", "random,greedy@2s"])
    assert "greedy does not search, so it has no use for a budget" in told


def refusal(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> str:
    """Run a command that must be refused, and return what it prints."""
    try:
        status: object = main(arguments)
    except SystemExit as refused:  # by the parser
        status = refused.code
    assert status == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err
