"""A training as it goes, in the terminal: live curves, or plain lines where nothing can live."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from .evaluation import mean

_BARS = "▁▂▃▄▅▆▇█"
_WIDE = 48
_EVERY = 5.0
"""Seconds."""


class Show(Protocol):
    """Shows how a training goes."""

    def __call__(self, curve: Sequence[Mapping[str, Any]]) -> None:
        """Shows the curve so far."""


@contextmanager
def shown() -> Iterator[Show]:
    """What shows a training: curves with rich in a terminal, else plain lines."""
    if sys.stdout.isatty() and importlib.util.find_spec("rich") is not None:
        from rich.live import Live  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        with Live(refresh_per_second=4) as live:
            yield lambda curve: live.update(Text("\n".join(_lines(curve))))
    else:
        yield _plainly()


def _plainly() -> Show:
    """Shows a line every few seconds, and whenever strength was measured."""
    last = -_EVERY

    def show(curve: Sequence[Mapping[str, Any]]) -> None:
        nonlocal last
        told = curve[-1]
        if "panel" in told or told["seconds"] - last >= _EVERY:
            last = told["seconds"]
            sys.stdout.write(_summary(curve) + "\n")
            sys.stdout.flush()

    return show


def _summary(curve: Sequence[Mapping[str, Any]]) -> str:
    told = curve[-1]
    line = (
        f"{told['seconds'] / 60:6.2f} min  lesson {told['lesson']:5}  "
        f"{told['decisions'] / 1e6:9.2f} M decisions  "
        f"{_speed(curve) / 1e3:8.1f} k/s  "
        f"entropy {told['entropy']:.3f}  surprise {told['surprise']:.4f}  "
        f"change {told['change']:.5f}  profit {told['profit']:.2f}  cut {told['cut']}  "
        f"play {told['playing']:.2f}s learn {told['learning']:.2f}s"
    )
    for name, shares in told.get("panel", {}).items():
        line += f"\n       {name:9} {mean(_counted(shares)):6.3f} x equal   " + "  ".join(
            f"{players}p {100 * share:5.1f} %" for players, share in shares.items()
        )
    return line


def _speed(curve: Sequence[Mapping[str, Any]]) -> float:
    """Decisions a second of the last lesson, measuring left aside."""
    before = curve[-2]["decisions"] if len(curve) > 1 else 0
    told = curve[-1]
    spent = sum(told[work] for work in ("playing", "learning"))
    return float((told["decisions"] - before) / max(spent, 1e-9))


def _lines(curve: Sequence[Mapping[str, Any]]) -> list[str]:
    """The curves as text."""
    panels = [told["panel"] for told in curve if "panel" in told]
    lines = [_summary(curve), ""]
    for name in dict.fromkeys(name for panel in panels for name in panel):
        heights = [mean(_counted(panel[name])) for panel in panels if name in panel]
        lines.append(f"{name:>9}  {_spark(heights)}  {heights[-1]:.2f} x an equal player's wins")
    for name in ("entropy", "surprise", "profit"):
        heights = [told[name] for told in curve]
        lines.append(f"{name:>9}  {_spark(heights)}  {heights[-1]:.3f}")
    return lines


def _counted(shares: Mapping[str, float]) -> dict[int, float]:
    return {int(players): share for players, share in shares.items()}


def _spark(heights: Sequence[float]) -> str:
    """A curve of bars, as wide as there is room for."""
    step = max(1, -(-len(heights) // _WIDE))
    taken = [
        sum(part) / len(part)
        for part in (heights[at : at + step] for at in range(0, len(heights), step))
    ]
    low, high = min(taken), max(taken)
    span = (high - low) or 1.0
    return "".join(
        _BARS[round((height - low) / span * (len(_BARS) - 1))] for height in taken
    ).ljust(_WIDE)
