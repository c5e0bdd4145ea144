"""``byzanz calibrate`` as a person runs it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from tests.cli.test_cli import byzanz

from byzanz.network import Weights


def test_it_fits_measures_and_draws(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "fitted"
    done = byzanz("calibrate", "--games", "3", "--seed", "4", "--fit", "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    dots = json.loads((out / "reliability.json").read_text())
    assert list(dots) == ["3", "4", "5", "6"]
    for bins in dots.values():
        for said, came, _ in bins:
            assert f"{100 * said:.1f}" in done.stdout
            assert f"{100 * (came - said):+.1f}" in done.stdout
    assert "no bin has 200 games" in done.stdout
    ET.fromstring((out / "reliability.svg").read_text())
    fitted, shipped = Weights.load(out / "weights.npz"), Weights.load()
    for place, players in enumerate((3, 4, 5, 6)):
        sharpness, lean, favour = fitted.corrections[place]
        told = f"{players} players: sharpness {sharpness:.3f}, lean {lean:+.3f}, "
        assert f"{told}favour {favour:+.3f}" in done.stdout
    assert not np.array_equal(fitted.corrections, shipped.corrections)
    assert np.array_equal(fitted.good_head[0], shipped.good_head[0])
    again = tmp_path / "again"
    fit = ("--games", "3", "--seed", "4", "--fit", "--out", str(again))
    assert byzanz("calibrate", str(out / "weights.npz"), *fit).returncode == 0
    # A correction takes the place of the one before.
    assert np.array_equal(Weights.load(again / "weights.npz").corrections, fitted.corrections)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["no-such.npz"], "there are no such weights"),
        ([__file__], "weights"),
        (["--games", "1"], "expected a whole number"),
        (["--games", "100000", "--out", __file__], f"cannot use '{__file__}'"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line_or_two(arguments: list[str], told: str) -> None:
    done = byzanz("calibrate", *arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 3
