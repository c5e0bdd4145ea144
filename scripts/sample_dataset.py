"""Make the sample dataset: 100,000 games of mixed bots that do not search, from a fixed seed.

``python -m scripts.sample_dataset sample.byz`` writes the file and prints its digest. A smaller
``--games`` gives the first games of the sample.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from os import cpu_count
from pathlib import Path

from byzanz.arena import Simulation
from byzanz.arena.fast_games import play_blocks
from byzanz.datasets import GameFile, GameFileWriter
from byzanz.datasets.game_file import pack

SAMPLE = Simulation(
    players=4, games=100_000, seed=2026, bots=("random", "sensible", "trader"),
    fast=True, mixed=True,
)  # fmt: skip


def make_sample(path: Path, games: int = SAMPLE.games, threads: int = 1) -> str:
    """Write the first games of the sample and return the digest of the file."""
    simulation = Simulation(SAMPLE.players, games, SAMPLE.seed, SAMPLE.bots, fast=True, mixed=True)
    with (
        path.open("wb") as file,
        GameFileWriter(file) as writer,
        closing(play_blocks(simulation, threads, pack)) as blocks,
    ):
        for packed in blocks:
            writer.write_packed(packed)
    with GameFile(path) as made:
        return made.digest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=SAMPLE.games)
    options = parser.parse_args()
    print(make_sample(options.file, options.games, cpu_count() or 1))


if __name__ == "__main__":
    main()
