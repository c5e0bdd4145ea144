"""Actions as short texts, such as ``Bid 3 (cloth 1, wine 2)``."""

from __future__ import annotations

from gettext import NullTranslations
from typing import NamedTuple

from byzanz.locale import ENGLISH, _
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

from .cards import card_names, kind_name


class Move(NamedTuple):
    """An action as a verb and its cards."""

    verb: str
    cards: Cards
    text: str
    """The verb and the names of the cards."""


def move_of(action: Action | None, view: View, translations: NullTranslations = ENGLISH) -> Move:
    """Return an action of the viewer as words and cards; None means not to sell yet."""
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
