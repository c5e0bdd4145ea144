"""Run a notebook and save its figures: ``python -m scripts.notebook``.

It runs ``examples/explore_dataset.ipynb`` on a sample and draws the pictures of the tutorial. The
cells run in one process, without Jupyter.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "examples" / "explore_dataset.ipynb"


def run(sample: Path, notebook: Path = NOTEBOOK) -> dict[str, Any]:
    """Run all cells on a sample and return the figures by name."""
    import matplotlib as mpl  # noqa: PLC0415

    mpl.use("svg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    plt.close("all")
    names: dict[str, Any] = {}
    with mock.patch.dict(os.environ, {"BYZANZ_SAMPLE": str(sample)}):
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)
    return {figure.get_label(): figure for figure in map(plt.figure, plt.get_fignums())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sample", type=Path, help="the file of scripts.sample_dataset")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures", help="folder")
    options = parser.parse_args()
    figures = run(options.sample)

    import matplotlib as mpl  # noqa: PLC0415

    mpl.rcParams["svg.hashsalt"] = "byzanz"  # the same bytes in every run
    for name, figure in figures.items():
        figure.savefig(options.out / f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
