"""``byzanz calibrate``."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from byzanz.network import Weights

from .command import byzanz


def test_weights_chart_and_figures_are_written(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "fitted"
    done = byzanz("calibrate", "--games", "2", "--seed", "4", "--fit", "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    dots = json.loads((out / "reliability.json").read_text())
    assert list(dots) == ["3", "4", "5", "6"]
    for bins in dots.values():
        for predicted, observed, _ in bins:
            assert f"{100 * predicted:.1f}" in done.stdout
            assert f"{100 * (observed - predicted):+.1f}" in done.stdout
    assert "no bin has 200 games" in done.stdout
    ET.fromstring((out / "reliability.svg").read_text())
    fitted, shipped = Weights.load(out / "weights.npz"), Weights.load()
    for place, players in enumerate((3, 4, 5, 6)):
        slope, own_bias, linear = fitted.calibration[place]
        line = f"{players} players: slope {slope:.3f}, own bias {own_bias:+.3f}, "
        assert f"{line}linear {linear:+.3f}" in done.stdout
    assert not np.array_equal(fitted.calibration, shipped.calibration)
    assert np.array_equal(fitted.good_head[0], shipped.good_head[0])
    again = tmp_path / "again"
    fit = ("--games", "2", "--seed", "4", "--fit", "--out", str(again))
    assert byzanz("calibrate", str(out / "weights.npz"), *fit).returncode == 0
    # A new calibration replaces the one in the file.
    assert np.array_equal(Weights.load(again / "weights.npz").calibration, fitted.calibration)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such.npz"], "there is no file 'no-such.npz'"),
        ([__file__], "weights"),
        (["--games", "1"], "expected a whole number"),
        (["--games", "100000", "--out", __file__], f"cannot use '{__file__}'"),
    ],
)
def test_errors_are_at_most_three_lines(arguments: list[str], message: str) -> None:
    done = byzanz("calibrate", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 3
