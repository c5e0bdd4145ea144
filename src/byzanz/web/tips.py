"""Tips that guide a player through a first game. The page shows each of them once."""

from __future__ import annotations

from dataclasses import dataclass
from gettext import NullTranslations

from byzanz.locale import _
from byzanz.rules import Phase, Won

from .board import Board, Panel
from .questions import Asked, is_last


@dataclass(frozen=True, slots=True)
class Tip:
    """A tip for the current moment. The page stores the keys of the tips it has shown."""

    key: str
    text: str
    more: str = ""
    """What small screens leave out."""


_TEXTS = {
    "goal": _(
        "The goal: sell sets of three cards of one good. You keep the highest card of a set as "
        "profit, and the most profit wins. To bid, choose cards from your hand: their values add "
        "up. Only the winner pays."
    ),
    "offer": _(
        "The whole offer is sold together. Choose goods cards from your hand; their values add up "
        "to your bid. You cannot bid merchants."
    ),
    "raise": _(
        "You have been outbid. Raise by adding cards to your bid, or pass and take it back."
    ),
    "first": _(
        "Nobody has bid yet. If everyone passes, the first player to pass gets everything for free."
    ),
    "give": _(
        "You won! Your bid goes to the market, along with one card of the offer: give the one that "
        "is least useful to you and to the others."
    ),
    "last": _(
        "You get the last offer without a bid. One card goes to the market and one to your hand. "
        "You have the lowest offer card, so you also choose first in the market."
    ),
    "take": _(
        "The auctions are over. Starting with the lowest offer card, everyone takes all the cards "
        "of one kind from the market. What nobody takes leaves the game."
    ),
    "limit": _(
        "Seven cards is the limit. Sell three cards of the same good (merchants count as any "
        "good), or discard."
    ),
    "set": _(
        "You have a set: three cards of the same good. Merchants count as any good, and three "
        "merchants are a set worth 5. You can sell at any time, but goods cards in your hand can "
        "still be bid."
    ),
    "won": _(
        "You have an offer card, so you sit out the remaining auctions. In the market, players "
        "with low offer cards choose first. For the last player there may be nothing left."
    ),
    "free": _("If everyone passes, whoever passed first gets the whole offer for free."),
    "prepare": _(
        "While you wait, you can prepare your answer: it is played as soon as it is your turn. You "
        "do not have to."
    ),
    "wait": _(
        "Collect three cards of the same good and sell them: you keep the highest as profit. The "
        "most profit wins."
    ),
    "sale": _("The last round is over. Sell every set you have, then press Done."),
}
_MARKS = {
    "goal": _(
        "A mark such as +4 on a card of the offer: it makes a set, and your sets earn 4 more."
    ),
    "take": _("A mark such as +4 on a kind: with its cards your sets earn 4 more."),
}
"""What the marks mean, which only newcomers see."""


def tip(board: Board, translations: NullTranslations) -> Tip | None:
    """Return the tip for this moment; None for a spectator and at the end."""
    if board.own is None or board.over:
        return None
    key = _key(board, board.own)
    marks = {"goal": board.gains, "take": board.market_gains}.get(key)
    more = translations.gettext(_MARKS[key]) if marks else ""
    return Tip(key, translations.gettext(_TEXTS[key]), more)


def _is_first_auction(board: Board, own: Panel) -> bool:
    """Return whether the viewer has not bid yet in the game's first auction."""
    view = board.view
    first = view.round == 1 and view.stack == view.setup.offer_cards
    return first and view.phase is Phase.AUCTION and not own.bid and not own.passed


def _was_free(board: Board) -> bool:
    """Return whether everyone passed in the auction before this one in the round."""
    view = board.view
    if view.phase is not Phase.AUCTION or view.stack == view.setup.offer_cards:
        return False
    won = next((event for event in reversed(view.course) if isinstance(event, Won)), None)
    return won is not None and not won.paid


def _key(board: Board, own: Panel) -> str:
    asked = board.asked
    if _is_first_auction(board, own):
        return "goal"
    match asked:
        case Asked.BID:
            if own.bid:
                return "raise"
            return "offer" if board.view.highest or own.starter else "first"
        case Asked.GIVE if is_last(board.view):
            return "last"
        case Asked.GIVE | Asked.TAKE | Asked.LIMIT | Asked.SALE:
            return str(asked.value)
        case _:
            if _was_free(board):
                return "free"
            if own.offer_card is not None and board.view.phase is Phase.AUCTION:
                return "won"
            if board.sets:
                return "set"
            if own.offer_card is not None:
                return "won"
            return "prepare" if board.preparing else "wait"
