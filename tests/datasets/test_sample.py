"""The sample dataset is the same on every machine."""

from __future__ import annotations

from pathlib import Path

from scripts.sample_dataset import make_sample


def test_the_first_games_of_the_sample_have_a_fixed_digest(tmp_path: Path) -> None:
    assert make_sample(tmp_path / "sample.byz", 600) == (
        "90d3a3bb7908cae28ecfac48d1c9b31c53637d4758e040fc50150c97a77123c6"
    )
