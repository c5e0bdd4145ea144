"""The guided first game: a short hint for the moment, each shown once by the page."""

from __future__ import annotations

from dataclasses import dataclass
from gettext import NullTranslations

from byzanz.locale import _

from .board import Board, Panel
from .questions import Asked


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint: the page remembers its key, and shows it once."""

    key: str
    text: str


_TEXTS = {
    "offer": _(
        "The offer is sold as one lot. Choose goods cards from your hand: their values add up to "
        "your bid. Merchants cannot be bid."
    ),
    "raise": _(
        "Someone bid more. You can only add cards to your bid; if you pass, you take it back."
    ),
    "first": _(
        "Nobody has bid yet. If everyone passes, the first who passed gets it all for free."
    ),
    "give": _(
        "You won! Your bid goes to the market, and one card of the offer too: give the one that "
        "helps you, and the others, least."
    ),
    "last": _(
        "You get the last offer card without a bid. One card of the offer goes to the market, the "
        "rest to your hand: give the one that helps you, and the others, least."
    ),
    "take": _(
        "The round is over. In the order of the offer cards, lowest first, everyone takes all "
        "market cards of one kind."
    ),
    "limit": _(
        "Seven cards is the limit. Sell three of one good, merchants standing in, or discard."
    ),
    "set": _(
        "You hold a set: three of one good. You may sell it at any time, but as long as you hold "
        "them the cards can still be bid."
    ),
    "won": _("You have an offer card and sit out the rest of the round. Low cards pick early."),
    "wait": _(
        "Collect three cards of one good and sell them: the highest stays as your profit. Most "
        "profit wins."
    ),
    "sale": _("The last round is over. Sell every set you hold, then say that you are done."),
    "over": _("That was your first game. The replay shows it again from every seat."),
}


def hint(board: Board, words: NullTranslations) -> Hint | None:
    """The hint for this moment, or None for a spectator."""
    if board.own is None:
        return None
    key = _key(board, board.own)
    return Hint(key, words.gettext(_TEXTS[key]))


def _key(board: Board, own: Panel) -> str:
    asked = board.asked
    match asked:
        case Asked.BID:
            if own.bid:
                return "raise"
            return "offer" if board.view.highest or own.starter else "first"
        case Asked.GIVE if all(other.offer_card is not None for other in board.opponents):
            return "last"  # R3.11
        case Asked.GIVE | Asked.TAKE | Asked.LIMIT | Asked.SALE | Asked.OVER:
            return str(asked.value)
        case _:
            if board.sets:
                return "set"
            return "wait" if own.offer_card is None else "won"
