"""The odds of ``byzanz odds`` as tables."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from byzanz.coach.odds import Odds, OfferOdds, OpponentOdds
from byzanz.locale import ENGLISH
from byzanz.messages import kind_name, printable
from byzanz.rules import Kind


def show_odds(
    console: Console,
    found: Odds,
    names: Sequence[str] = (),
    translations: NullTranslations = ENGLISH,
) -> None:
    """Print the unseen cards, what each opponent can bid, and the next offer."""
    say = translations.gettext
    if not names:
        seats = range(len(found.opponents) + 1)
        names = [say("Seat {seat}").format(seat=seat) for seat in seats]
    console.print(_unseen(found, translations))
    console.print(_opponents(found.opponents, names, translations))
    if found.next_offer is not None:
        console.print(_offer(found.next_offer, translations))


def _unseen(found: Odds, translations: NullTranslations) -> Table:
    say = translations.gettext
    title = say("Unseen cards: {count}").format(count=found.unseen)
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for value in range(1, 5):
        table.add_column(str(value), justify="right")
    table.add_column(say("All"), justify="right")
    for each in found.kinds:
        counts = [str(each.values[value]) if value in each.values else "" for value in range(1, 5)]
        table.add_row(_name(each.kind, translations), *counts, str(each.count))
    return table


def _opponents(
    opponents: Sequence[OpponentOdds], names: Sequence[str], translations: NullTranslations
) -> Table:
    say = translations.gettext
    table = Table(title=say("Probability that each opponent can bid"), title_justify="left")
    table.add_column("")
    for opponent in opponents:
        name = printable(names[opponent.seat])
        out = "" if opponent.in_auction else "\n" + say("not in this auction")
        table.add_column(Text(name + out), justify="right")
    table.add_row(say("on average"), *[f"{each.expected:.1f}" for each in opponents])
    for total in range(1, max([each.most for each in opponents]) + 1):
        shown = [_shown(each, total) for each in opponents]
        if any(shown):
            table.add_row(say("{total} or more").format(total=total), *shown)
    return table


def _shown(opponent: OpponentOdds, total: int) -> str:
    """Return the probability of a total; empty if it is too low or a higher one is certain."""
    found = [each.probability for each in opponent.totals if each.total == total]
    certain_too = total < opponent.least
    return percent(found[0]) if found and not certain_too else ""


def _offer(offer: OfferOdds, translations: NullTranslations) -> Table:
    say = translations.gettext
    title = say("Offer {number} comes next, worth {worth} on average").format(
        number=offer.size, worth=f"{offer.expected_worth:.1f}"
    )
    table = Table(title=title, title_justify="left")
    for heading in ("", say("Cards on average"), say("At least one")):
        table.add_column(heading)
    for each in offer.kinds:
        kind = _name(each.kind, translations)
        table.add_row(kind, f"{each.expected:.2f}", percent(each.at_least_one))
    return table


def percent(probability: float) -> str:
    """Return a probability as a percentage; 0% and 100% only if it is exactly 0 or 1."""
    if probability in (0, 1):
        return f"{probability:.0%}"
    return f"{min(max(100 * probability, 0.1), 99.9):.1f}%"


def _name(letter: str, translations: NullTranslations) -> str:
    return kind_name(next(kind for kind in Kind if kind.letter == letter), translations)
