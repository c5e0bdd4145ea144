"""The results of ``byzanz arena`` as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from byzanz.arena.standings import Estimate, Standings


def show_standings(console: Console, standings: Standings) -> None:
    """Print the results of each bot, how often it finishes above each other bot, and failures."""
    console.print(_results(standings))
    console.print(_head_to_head(standings))
    show_faults(console, {one.bot: one.faults for one in standings.bots})


def show_faults(console: Console, faults: Mapping[str, Mapping[str, int]]) -> None:
    """Print how often each bot failed and was replaced by a safe action, by reason."""
    for bot, lapses in faults.items():
        if lapses:
            found = ", ".join(f"{lapse} {times}" for lapse, times in sorted(lapses.items()))
            console.print(f"{escape(bot)} was played for: {found}.", highlight=False)


def _results(standings: Standings) -> Table:
    league = standings.league
    deals = "1 deal" if standings.deals == 1 else f"{standings.deals} deals"
    table = Table(
        title=f"{deals}, {standings.games} games, {league.players} players, seed {league.seed}",
        caption=f"95 % intervals, deals as the unit; a fair share is {standings.fair:.1%}",
    )
    table.add_column("Bot", overflow="fold")
    for heading in ("Rating", "Wins, %", "Profit", "Places, %"):
        table.add_column(heading, justify="right")
    for one in standings.bots:
        table.add_row(
            escape(one.bot),
            _with_interval(one.rating, 0),
            _with_interval(one.wins, 1, 100),
            _with_interval(one.profit, 2),
            " ".join(f"{100 * share:.0f}" for share in one.places),
        )
    return table


def _head_to_head(standings: Standings) -> Table:
    table = Table(title="Row above column, %")
    table.add_column("", overflow="fold")
    for one in standings.bots:
        table.add_column(escape(one.bot), justify="right", overflow="fold")
    for one in standings.bots:
        shares = [one.above.get(other.bot) for other in standings.bots]
        cells = ["" if share is None else f"{100 * share:.1f}" for share in shares]
        table.add_row(escape(one.bot), *cells)
    return table


def _with_interval(estimate: Estimate, decimals: int, times: int = 1) -> str:
    value = f"{times * estimate.value:.{decimals}f}"
    if estimate.low is None or estimate.high is None:
        return value
    low, high = (f"{times * bound:.{decimals}f}" for bound in (estimate.low, estimate.high))
    return f"{value}\n[dim]{low} to {high}[/]"
