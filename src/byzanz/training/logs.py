"""Logs of a training run: CSV files, and TensorBoard if it is installed."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

UPDATES = "updates.csv"
"""The file with one row for each update."""
EVALUATIONS = "evaluations.csv"
"""The file with one row for each opponent and player count of an evaluation."""

_FIRST = ("update", "seconds", "decisions")
_STATISTICS = (
    "entropy", "value_loss", "approx_kl", "profit", "truncated", "rollout_seconds",
    "update_seconds",
)  # fmt: skip
_EVALUATION = ("opponent", "players", "share")

Entry = Mapping[str, Any]


class Logs:
    """The logs in the folder of a run; every update is written at once.

    At the start, the files are rewritten from the learning curve, so that a resumed run has no rows
    for updates that were lost.
    """

    def __init__(self, folder: Path, curve: Sequence[Entry], settings: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._files: list[IO[str]] = []
        self._updates = self._table(folder / UPDATES, (*_FIRST, *_STATISTICS))
        self._evaluations = self._table(folder / EVALUATIONS, (*_FIRST, *_EVALUATION))
        self._board: Any = None
        with suppress(ImportError):
            from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415

            first = curve[-1]["update"] + 1 if curve else 0
            self._board = SummaryWriter(str(folder / "tensorboard"), purge_step=first)
            self._board.add_text("settings", f"```\n{settings}```", first)
        for entry in curve:
            self._write_rows(entry)

    def _table(self, path: Path, columns: Sequence[str]) -> csv.DictWriter[str]:
        file = path.open("w", encoding="utf-8", newline="")
        self._files.append(file)
        table = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        return table

    def write(self, entry: Entry) -> None:
        """Log an update."""
        self._write_rows(entry)
        for file in self._files:
            file.flush()
        if self._board is None:
            return
        update = entry["update"]
        for name in _STATISTICS:
            group = "time" if name.endswith("_seconds") else "train"
            self._board.add_scalar(f"{group}/{name}", entry[name], update)
        for opponent, players, share in _shares(entry):
            self._board.add_scalar(f"{opponent}/{players} players", share, update)
        self._board.flush()

    def _write_rows(self, entry: Entry) -> None:
        self._updates.writerow(entry)
        first = {name: entry[name] for name in _FIRST}
        for row in _shares(entry):
            self._evaluations.writerow(first | dict(zip(_EVALUATION, row, strict=True)))

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()
        if self._board is not None:
            self._board.close()


def _shares(entry: Entry) -> Iterator[tuple[str, str, float]]:
    for opponent, shares in entry.get("evaluation", {}).items():
        for players, share in shares.items():
            yield opponent, str(players), share
