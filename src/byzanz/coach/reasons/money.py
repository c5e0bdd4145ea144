"""Reasons about the cards that are left for bids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from byzanz.rules import Cards, Phase, View, worth

from .reason import Reason, speaks_for

LAST_AUCTIONED = 2
"""With this number of offer cards on the stack, only the top offer is still auctioned (R3.11)."""


def worth_most(
    view: View, hand: Cards, others: Sequence[Cards], code: str = "worth-most"
) -> Iterator[Reason]:
    """Yield a reason if, for later rounds, no other hand is worth more and some are worth less."""
    least, most = min(map(worth, others), default=0), max(map(worth, others), default=0)
    if view.round < view.setup.rounds and least < worth(hand) >= most:
        yield speaks_for(code, worth=worth(hand))


def bids_again(view: View, seat: int) -> bool:
    """Return whether the seat can bid again: in this auction, this round or a later one."""
    player = view.players[seat]
    if view.round < view.setup.rounds:
        return True
    if player.offer_card is not None or view.phase is not Phase.AUCTION:
        return False
    return not player.passed or bids_after_this_auction(view)


def bids_after_this_auction(view: View) -> bool:
    """Return whether a seat that does not win this auction can bid in a later one."""
    return view.round < view.setup.rounds or len(view.stack) > LAST_AUCTIONED
