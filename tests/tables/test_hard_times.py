"""Two processes at once, and processes that die: a little of what ``make soak`` does in full."""

from __future__ import annotations

from .killing import kill_often
from .races import race


def test_of_two_processes_that_want_one_action_one_wins(url: str) -> None:
    assert race(url, races=100) == 100


def test_a_killed_process_loses_nothing_it_acknowledged(url: str) -> None:
    assert kill_often(url, kills=3) > 0
