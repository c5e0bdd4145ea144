"""Rules that decide the theme and the tags of a puzzle."""

from __future__ import annotations

from collections.abc import Sequence

from byzanz.rules import Action, Bid, Card, Discard, Give, Kind, Pass, Phase, Sell, Take, View

from .puzzle import Tag, Theme


def theme_of(view: View, best: Action, second: Action) -> Theme:
    """Return what a puzzle asks, given its best and its second best action.

    If both are bids, the theme is how high to bid. At the hand limit, the theme is the limit,
    whether the answer is a discard or a sale.
    """
    if view.phase is Phase.LIMIT:
        return "limit"
    match best:
        case Bid():
            return "how-high" if isinstance(second, Bid) else "bid"
        case Pass():
            return "pass"
        case Give():
            return "give"
        case Take():
            return "take"
        case _:
            return "sale"


def tags_of(view: View, actions: Sequence[Action]) -> tuple[Tag, ...]:
    """Return what else a puzzle is about, given its best and its second best action."""
    tags: list[Tag] = []
    if view.phase is not Phase.AUCTION and any(map(_concerns_merchants, actions)):
        tags.append("merchants")
    if _is_last_round(view):
        tags.append("last-round")
    return tuple(tags)


def _is_last_round(view: View) -> bool:
    """Return whether this is the last round."""
    return view.round == view.setup.rounds


def _concerns_merchants(action: Action) -> bool:
    match action:
        case Sell():
            return Card.M in action.cards
        case Give() | Discard():
            return action.card is Card.M
        case Take():
            return action.kind is Kind.MERCHANT
        case _:
            return False
