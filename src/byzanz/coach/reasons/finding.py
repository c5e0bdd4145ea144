"""Functions that find the reasons for and against an action."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from byzanz.rules import Action, Bid, Card, Discard, Done, Give, Pass, Sell, Take, View

from .auction import bid_reasons, pass_reasons
from .hands import names
from .market import give_reasons, take_reasons
from .reason import Reason
from .selling import discard_reasons, done_reasons, sell_reasons


@dataclass(frozen=True)
class Comparison:
    """Why one action is better than another."""

    for_best: list[Reason]
    """The reasons for the better action that are not equally true of the other."""
    against_played: list[Reason]
    """The reasons against the other action that are not equally true of the better one."""


def reasons(view: View, action: Action, *, against: Action | None = None) -> list[Reason]:
    """Return the reasons for and against an action of the viewer, the weightiest first.

    With ``against``, the reasons that are equally true of that other action are left out. Raises
    ValueError if one of the actions is not legal for the viewer.
    """
    if view.seat is None or action not in view.options:
        raise ValueError(f"expected a legal action of the viewer, not {action}")
    found = sorted(_found(view, view.seat, action), key=lambda reason: -reason.weight)
    if against is None:
        return found
    other = reasons(view, against)
    return [reason for reason in found if not any(_same(reason, each) for each in other)]


def compare(view: View, best: Action, played: Action) -> Comparison:
    """Return why ``best`` is better than ``played``, without saying anything twice.

    Reasons that recommend a third action are left out, unless there are no other reasons.
    """
    against_best = {reason.code for reason in reasons(view, best) if not reason.supports}
    for_best = [reason for reason in reasons(view, best, against=played) if reason.supports]
    against_played = [
        reason
        for reason in reasons(view, played, against=best)
        if not reason.supports
        and not any(_repeats(reason, said) for said in for_best)
        and not (reason.code in _PRICES and against_best.intersection(_PRICES))
    ]
    helpful = [reason for reason in against_played if not _misleads(reason, best)]
    broken = [reason.parameters for reason in helpful if reason.code == "breaks-pair"]
    for_best = [
        reason
        for reason in for_best
        if reason.code != "starts-pair" or reason.parameters not in broken
    ]
    return Comparison(for_best, helpful if for_best else helpful or against_played)


_PRICES = ("bid-for-gain", "bid-without-gain")
"""The reasons about a bid's price; left out if one of them holds against the best action, too."""
_MISSED = ("offer-set-missed", "offer-gain-missed")
"""The reasons about what a pass misses; reasons for a bid say the same from the other side."""
_OTHER_BIDS = ("less-is-enough", "other-payment")
_OTHER_CARDS = (
    "market-other-kind",
    "sale-cheaper",
    "sale-earns-less",
    "sale-fewer-merchants",
    "sale-order",
    "sell-instead",
)
NAMING_ANOTHER = frozenset((*_OTHER_BIDS, *_OTHER_CARDS))
"""The reasons that name another action."""


def _repeats(reason: Reason, said: Reason) -> bool:
    """Return whether a reason says the same as another one, or the same from the other side."""
    if reason.code in _MISSED:
        return said.topic == "gain"
    return (reason.code, reason.parameters) == (said.code, said.parameters)


def _misleads(reason: Reason, best: Action) -> bool:
    """Return whether a reason recommends an action that is neither the played one nor the best.

    If the best action is a bid, ``less-is-enough`` counts as recommending it.
    """
    named = reason.parameters.get("cards")
    match best:
        case Bid():
            return reason.code == "other-payment" and named != names(best.cards)
        case Take() if isinstance(named, tuple):
            kinds = {Card[name].kind for name in named}
            return reason.code in _OTHER_CARDS and kinds != {best.kind}
        case Sell():
            return reason.code in _OTHER_CARDS and named != names(best.cards)
    return reason.code in NAMING_ANOTHER


def _found(view: View, seat: int, action: Action) -> Iterator[Reason]:
    match action:
        case Bid():
            return bid_reasons(view, seat, action)
        case Pass():
            return pass_reasons(view, seat)
        case Give():
            return give_reasons(view, seat, action)
        case Take():
            return take_reasons(view, seat, action)
        case Sell():
            return sell_reasons(view, seat, action)
        case Discard():
            return discard_reasons(view, action)
        case Done():
            return done_reasons(view)


def _same(first: Reason, second: Reason) -> bool:
    """Return whether two reasons say the same and speak on the same side."""
    return (first.code, first.supports, first.parameters) == (
        second.code,
        second.supports,
        second.parameters,
    )
