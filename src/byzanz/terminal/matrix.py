"""The results of ``byzanz cross`` as a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .standings import show_faults

if TYPE_CHECKING:
    from byzanz.arena.matrix import Matrix


def show_matrix(console: Console, matrix: Matrix) -> None:
    """Print the matrix, and the failures of bots."""
    table = Table(
        title=f"{matrix.title}, seed {matrix.cross.seed}",
        caption="Share of the wins, %, of one row bot at a table of column bots, with its 95 % "
        f"interval (Korn-Graubard, deals as the unit); a fair share is {matrix.fair:.1%}",
    )
    table.add_column("", overflow="fold")
    for bot in matrix.cross.bots:
        table.add_column(escape(bot), justify="right", overflow="fold")
    for alone in matrix.cross.bots:
        table.add_row(escape(alone), *(_cell(matrix, alone, bot) for bot in matrix.cross.bots))
    console.print(table)
    show_faults(console, matrix.faults, matrix.cross.on_failure)


def _cell(matrix: Matrix, alone: str, others: str) -> str:
    if alone == others:
        return f"[dim]{100 * matrix.fair:.1f}[/]"
    cell = matrix.cell(alone, others)
    if cell is None:
        return ""
    value = f"{100 * cell.wins.value:.1f}" + ("*" if cell.failed else "")
    if cell.wins.low is None or cell.wins.high is None:
        return value
    return f"{value}\n[dim]{100 * cell.wins.low:.1f} to {100 * cell.wins.high:.1f}[/]"
