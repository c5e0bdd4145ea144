"""The help that the prompt shows."""

from __future__ import annotations

from gettext import NullTranslations

from rich.console import Group, RenderableType
from rich.table import Table

from byzanz.locale import ENGLISH, _
from byzanz.messages import kind_name
from byzanz.rules import Kind

_GOAL = _(
    "Sell sets of three cards of the same good: the highest card of each set is your profit. The "
    "most profit at the end wins. The cards in your hand are also your money: you bid with them."
)
_TYPING = _("What you can type. Name cards by their code, such as C1 or M, or by the number shown:")

_COMMANDS = (
    ("bid 1 3", "b", _("bid these cards from your hand, on top of your bid so far")),
    ("pass", "p", _("leave this auction and take your bid back")),
    ("give 2", "g", _("put this card of the offer into the market")),
    ("take {kind}", "t", _("take all the cards of one kind from the market")),
    ("sell 1 2 5", "s", _("sell a set of three, at any prompt; a merchant stands in for any good")),
    ("sell", "s", _("sell your best set")),
    ("sell all", "s all", _("sell all the sets you can, in the best way")),
    ("discard 4", "d", _("discard a card; only with more than seven cards")),
    ("done", "", _("sell no more; only in the final sale")),
    ("why", "", _("see the rule behind the last refusal")),
    ("log", "", _("see the last events again")),
    ("help", "?", _("see this again")),
    ("quit", "q", _("leave the table")),
)
"""Commands: an example, the short form, and what the command does."""


def render_help(translations: NullTranslations = ENGLISH) -> RenderableType:
    """Return the goal of the game and the list of commands."""
    table = Table.grid(padding=(0, 2))
    for typed, short, does in _COMMANDS:
        named = typed.format(kind=kind_name(Kind.CLOTH, translations).lower())
        table.add_row(f"[bold]{named}[/]", f"[dim]{short}[/]", translations.gettext(does))
    return Group(translations.gettext(_GOAL), "", translations.gettext(_TYPING), table)
