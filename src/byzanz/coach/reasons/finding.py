"""Find the reasons that hold for an action."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from byzanz.rules import Action, Bid, Discard, Done, Give, Pass, Sell, Take, View

from .auction import bid_reasons, pass_reasons
from .market import give_reasons, take_reasons
from .reason import Reason
from .selling import discard_reasons, done_reasons, sell_reasons


@dataclass(frozen=True)
class Comparison:
    """Why one action is better than another."""

    for_best: list[Reason]
    """What speaks for the better action and is not equally true of the other."""
    against_played: list[Reason]
    """What speaks against the other action and is not equally true of the better one."""


def reasons(view: View, action: Action, *, against: Action | None = None) -> list[Reason]:
    """Return what speaks for and against an action of the viewer, the weightiest first.

    With ``against``, leave out what is equally true of that other action. Raises ValueError if
    the action is not legal for the viewer.
    """
    if view.seat is None or action not in view.options:
        raise ValueError(f"expected a legal action of the viewer, not {action}")
    found = sorted(_found(view, view.seat, action), key=lambda reason: -reason.weight)
    if against is None:
        return found
    other = reasons(view, against)
    return [reason for reason in found if not any(_same(reason, each) for each in other)]


def compare(view: View, best: Action, played: Action) -> Comparison:
    """Return why ``best`` is better than what was played, without saying anything twice."""
    for_best = [reason for reason in reasons(view, best, against=played) if reason.supports]
    said = [(reason.code, reason.parameters) for reason in for_best]
    of_best = {reason.code for reason in reasons(view, best)}
    against_played = [
        reason
        for reason in reasons(view, played, against=best)
        if not reason.supports
        and not (reason.code in _PRICES and of_best.intersection(_PRICES))
        and (reason.code, reason.parameters) not in said
        and not (reason.code in _MISSED and any(each.topic == "gain" for each in for_best))
    ]
    return Comparison(for_best, against_played)


_PRICES = ("bid-for-gain", "bid-without-gain")
"""What bids cost: said against a bid only where the best action does not cost likewise."""
_MISSED = ("offer-set-missed", "offer-gain-missed")
"""What passing misses: the reasons for a bid say the same from the other side."""


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
    """Return whether two reasons say the same, for or against."""
    return (first.code, first.supports, first.parameters) == (
        second.code,
        second.supports,
        second.parameters,
    )
