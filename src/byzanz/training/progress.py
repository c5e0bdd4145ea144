"""Progress of a training run in the terminal: live curves, or plain lines."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from .evaluation import relative_strength

_BARS = "▁▂▃▄▅▆▇█"
_WIDTH = 48
_EVERY = 5.0
"""Seconds between two lines."""

Curve = Sequence[Mapping[str, Any]]


class Show(Protocol):
    """A function that shows the progress of a training run."""

    def __call__(self, curve: Curve) -> None:
        """Show the curve so far."""


@contextmanager
def progress_display() -> Iterator[Show]:
    """Yield a function that shows progress: curves with rich in a terminal, else plain lines."""
    if sys.stdout.isatty() and importlib.util.find_spec("rich") is not None:
        from rich.live import Live  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        with Live(refresh_per_second=4) as live:
            yield lambda curve: live.update(Text("\n".join(_lines(curve))))
    else:
        yield _plain_lines()


def _plain_lines() -> Show:
    """Return a function that prints a line every few seconds and after every evaluation."""
    last = -_EVERY

    def show(curve: Curve) -> None:
        nonlocal last
        entry = curve[-1]
        if "evaluation" in entry or entry["seconds"] - last >= _EVERY:
            last = entry["seconds"]
            sys.stdout.write(_summary(curve) + "\n")
            sys.stdout.flush()

    return show


def _summary(curve: Curve) -> str:
    entry = curve[-1]
    line = (
        f"{entry['seconds'] / 60:6.2f} min  update {entry['update']:5}  "
        f"{entry['decisions'] / 1e6:9.2f} M decisions  "
        f"{_speed(curve) / 1e3:8.1f} k/s  "
        f"entropy {entry['entropy']:.3f}  value loss {entry['value_loss']:.4f}  "
        f"KL {entry['approx_kl']:.5f}  profit {entry['profit']:.2f}  "
        f"truncated {entry['truncated']}  "
        f"rollout {entry['rollout_seconds']:.2f}s update {entry['update_seconds']:.2f}s"
    )
    for name, shares in entry.get("evaluation", {}).items():
        strength = relative_strength(_by_count(shares))
        line += f"\n       {name:9} {strength:6.3f} x equal   " + "  ".join(
            f"{players}p {100 * share:5.1f} %" for players, share in shares.items()
        )
    return line


def _speed(curve: Curve) -> float:
    """Return the decisions per second in the last update, not counting its evaluation."""
    before = curve[-2]["decisions"] if len(curve) > 1 else 0
    entry = curve[-1]
    spent = entry["rollout_seconds"] + entry["update_seconds"]
    return float((entry["decisions"] - before) / max(spent, 1e-9))


def _lines(curve: Curve) -> list[str]:
    """Return the curves as text."""
    evaluations = [entry["evaluation"] for entry in curve if "evaluation" in entry]
    lines = [_summary(curve), ""]
    for name in dict.fromkeys(name for evaluation in evaluations for name in evaluation):
        values = [
            relative_strength(_by_count(evaluation[name]))
            for evaluation in evaluations
            if name in evaluation
        ]
        lines.append(f"{name:>10}  {_spark(values)}  {values[-1]:.2f} x an equal player's wins")
    for name in ("entropy", "value_loss", "profit"):
        values = [entry[name] for entry in curve]
        lines.append(f"{name.replace('_', ' '):>10}  {_spark(values)}  {values[-1]:.3f}")
    return lines


def _by_count(shares: Mapping[str, float]) -> dict[int, float]:
    return {int(players): share for players, share in shares.items()}


def _spark(values: Sequence[float]) -> str:
    """Draw a curve with bar characters; several values share a bar if there are many."""
    step = max(1, -(-len(values) // _WIDTH))
    means = [
        sum(part) / len(part)
        for part in (values[at : at + step] for at in range(0, len(values), step))
    ]
    low, high = min(means), max(means)
    span = (high - low) or 1.0
    return "".join(_BARS[round((mean - low) / span * (len(_BARS) - 1))] for mean in means).ljust(
        _WIDTH
    )
