"""The notebook runs on a small sample and draws what it says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from scripts.notebook import NOTEBOOK, run
from scripts.sample_dataset import make_sample

from tests.requirements import import_or_skip


def test_the_notebook_draws_three_plots_with_labels_units_and_error_bars(tmp_path: Path) -> None:
    import_or_skip("polars")
    import_or_skip("matplotlib")
    sample = tmp_path / "sample.byz"
    make_sample(sample, 400)
    figures = run(sample)
    assert list(figures) == ["dataset-seats", "dataset-opponents", "dataset-passes"]
    for figure in figures.values():
        [axes] = figure.axes
        assert all([axes.get_xlabel(), axes.get_ylabel(), axes.get_title()])
        assert "(" in axes.get_ylabel(), "an axis has a unit"
        assert [text.get_text() for text in axes.get_legend().get_texts()] == [
            "random", "sensible", "trader",
        ]  # fmt: skip
        assert len(axes.containers) == 3
        for bars in axes.containers:
            assert bars.has_yerr
            assert np.isfinite(bars.lines[0].get_ydata()).all()
    trader = figures["dataset-opponents"].axes[0].containers[2].lines[0].get_ydata()
    assert trader[0] > 50 > trader[-1]  # a trader wins more often without other traders


def test_the_notebook_is_committed_without_outputs() -> None:
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
