"""The results of ``byzanz arena``, printed in rows and columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from byzanz.arena import OnFailure
    from byzanz.arena.results import Estimate, Standings

_EFFECTS = {
    "forfeit": "It scores nothing in games in which it failed.",
    "fallback": "Safe actions were played for it, and they count.",
}


def show_standings(console: Console, standings: Standings) -> None:
    """Print the results of each bot, comparisons of each pair of bots, and failures of bots."""
    console.print(_results(standings))
    console.print(_head_to_head(standings))
    console.print(_differences(standings))
    faults = {one.bot: one.faults for one in standings.bots}
    show_faults(console, faults, standings.league.on_failure)


def show_faults(
    console: Console, faults: Mapping[str, Mapping[str, int]], on_failure: OnFailure
) -> None:
    """Print how often each bot failed, by reason, and how its games were scored."""
    for bot, lapses in faults.items():
        if lapses:
            found = ", ".join(f"{lapse} {times}" for lapse, times in sorted(lapses.items()))
            line = f"* {escape(bot)} failed: {found}. {_EFFECTS[on_failure]}"
            console.print(line, highlight=False)


def _results(standings: Standings) -> Table:
    league = standings.league
    deals = "1 deal" if standings.deals == 1 else f"{standings.deals} deals"
    table = Table(
        title=f"{deals}, {standings.games} games, {league.players} players, seed {league.seed}",
        caption="95 % intervals with deals as the unit (wins: Korn-Graubard; profit and rating: "
        f"Student's t); a fair share is {standings.fair:.1%}",
    )
    table.add_column("Bot", overflow="fold")
    for heading in ("Rating", "Wins, %", "Profit", "Places, %"):
        table.add_column(heading, justify="right")
    for one in standings.bots:
        table.add_row(
            escape(one.bot) + ("*" if one.faults else ""),
            "not rated" if one.rating is None else _with_interval(one.rating, 0),
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


def _differences(standings: Standings) -> Table:
    table = Table(
        title="Wins of row minus column, percentage points",
        caption="paired by deal, with 95 % intervals (Korn-Graubard)",
    )
    table.add_column("", overflow="fold")
    found = {(one.bot, one.other): one.wins for one in standings.differences}
    for one in standings.bots[1:]:
        table.add_column(escape(one.bot), justify="right", overflow="fold")
    for one in standings.bots[:-1]:
        pairs = [found.get((one.bot, other.bot)) for other in standings.bots[1:]]
        cells = ["" if wins is None else _with_interval(wins, 1, 100, sign="+") for wins in pairs]
        table.add_row(escape(one.bot), *cells)
    return table


def _with_interval(estimate: Estimate, decimals: int, times: int = 1, sign: str = "") -> str:
    value, low, high = (
        "" if bound is None else f"{times * bound:{sign}.{decimals}f}"
        for bound in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value}\n[dim]{low} to {high}[/]" if low and high else value
