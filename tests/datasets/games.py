"""Games for the tests of datasets."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

from byzanz.datasets import check_records
from byzanz.notation import Verdict, judge, write_record
from tests.random_games import finished

NAMES = ["Anne", "Ben", "Carla", "Dóra", "Emil", "Fay"]


def record(players: int, number: int, **extra: object) -> str:
    return write_record(finished(players, number), NAMES[:players], extra)


RECORDS = [record(players, seed, seed=seed) for players in (3, 4, 5, 6) for seed in (1, 2)]


def changed(text: str, change: Callable[[list[dict[str, Any]]], object]) -> str:
    lines = [json.loads(line) for line in text.splitlines()]
    change(lines)
    return "".join(
        json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines
    )


def quick(data: bytes) -> list[Verdict]:
    return list(check_records(io.BufferedReader(io.BytesIO(data))))  # type: ignore[arg-type]


def slow(data: bytes) -> list[Verdict]:
    return list(judge(io.BytesIO(data)))


def summary(verdicts: list[Verdict]) -> list[tuple[object, ...]]:
    return [
        (one.line, one.reason, one.rule, str(one.error), one.record if one.error else None)
        for one in verdicts
    ]
