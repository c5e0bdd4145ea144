"""Actions and numbers of a review as text in the reader's language."""

from __future__ import annotations

from gettext import NullTranslations
from typing import NamedTuple

from byzanz.coach.results import Decision
from byzanz.locale import _
from byzanz.messages import card_names, kind_name
from byzanz.rules import (
    Action,
    Bid,
    Cards,
    Discard,
    Done,
    Give,
    Pass,
    Sell,
    Take,
    View,
    kept,
    profit,
    worth,
)


class Move(NamedTuple):
    """An action as a verb and its cards."""

    verb: str
    cards: Cards
    text: str
    """All of it in words."""


def played_move(decision: Decision, translations: NullTranslations) -> Move:
    """Return the action that was played."""
    return move_of(decision.candidate.parsed(), decision.evaluation.view(), translations)


def move_of(action: Action | None, view: View, translations: NullTranslations) -> Move:
    """Return an action of the viewer as words and cards; None means to wait."""
    gettext = translations.gettext
    cards: Cards = ()
    match action:
        case None:
            verb = gettext(_("Do not sell yet"))
        case Pass():
            verb = gettext(_("Pass"))
        case Bid():
            cards = action.cards
            laid = () if view.seat is None else view.players[view.seat].bid
            text = _("Raise to {total}") if laid else _("Bid {total}")
            verb = gettext(text).format(total=worth(laid) + worth(cards))
        case Give():
            cards, verb = (action.card,), gettext(_("Give"))
        case Take():
            verb = gettext(_("Take {kind}")).format(kind=kind_name(action.kind, translations))
        case Sell():
            cards = action.cards
            verb = gettext(_("Sell for {profit}")).format(profit=profit([kept(cards)]))
        case Discard():
            cards, verb = (action.card,), gettext(_("Discard"))
        case Done():
            verb = gettext(_("Stop selling"))
    named = f"{verb} ({card_names(cards, translations)})" if cards else verb
    return Move(verb, cards, named)


def decimal(number: float, language: str) -> str:
    """Return a number with one decimal as the language writes it."""
    text = f"{number:.1f}"
    return text if language == "en" else text.replace(".", ",")


def signed(number: float, language: str) -> str:
    """Return a number with one decimal and its sign."""
    shown = decimal(abs(number), language)
    if float(f"{abs(number):.1f}") == 0:
        return shown
    return ("+" if number > 0 else "\N{MINUS SIGN}") + shown
