"""Concurrent and killed processes, with fewer repetitions than in ``make soak``."""

from __future__ import annotations

from .killing import kill_often
from .races import race


def test_one_of_two_processes_wins_each_race(url: str) -> None:
    assert race(url, races=100) == 100


def test_a_killed_process_loses_nothing_it_acknowledged(url: str) -> None:
    assert kill_often(url, kills=3) > 0
