"""The help that a person at the prompt asks for."""

from __future__ import annotations

from gettext import NullTranslations

from rich.console import Group, RenderableType
from rich.table import Table

from byzanz.locale import ENGLISH, _
from byzanz.messages import kind_name
from byzanz.rules import Kind

_GOAL = _(
    "Sell sets of three cards of one good: the highest card of each set is your profit. Most "
    "profit at the end wins. Cards in hand are also your money: you bid with them."
)
_TYPING = _("What you can type. Name cards by face, as in C1 or M, or by the number shown:")

_COMMANDS = (
    ("bid 1 3", "b", _("lay these hand cards, on top of the bid you have")),
    ("pass", "p", _("leave this auction and take your bid back")),
    ("give 2", "g", _("lay this card of the offer into the market")),
    ("take {kind}", "t", _("take all market cards of a kind")),
    ("sell 1 2 5", "s", _("sell a set of three, at any prompt; a merchant stands in for any good")),
    ("sell", "s", _("sell your best set")),
    ("sell all", "s all", _("sell all your best sets")),
    ("discard 4", "d", _("discard a card; only above seven cards")),
    ("done", "", _("sell no more; only in the final sale")),
    ("log", "", _("see the last events again")),
    ("help", "?", _("see this again")),
    ("quit", "q", _("leave the table")),
)
"""What can be typed, its short form, and what it does."""


def drawn_help(words: NullTranslations = ENGLISH) -> RenderableType:
    """The goal of the game, and what can be typed."""
    table = Table.grid(padding=(0, 2))
    for typed, short, does in _COMMANDS:
        named = typed.format(kind=kind_name(Kind.CLOTH, words).lower())
        table.add_row(f"[bold]{named}[/]", f"[dim]{short}[/]", words.gettext(does))
    return Group(words.gettext(_GOAL), "", words.gettext(_TYPING), table)
