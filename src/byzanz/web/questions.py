"""What the table asks of the viewer, and the one sentence that says what it waits for."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from gettext import NullTranslations

from byzanz.locale import _
from byzanz.rules import HAND_LIMIT, Phase, View, worth


class Asked(Enum):
    """What the viewer is to do now; the page's form follows it."""

    BID = "bid"
    GIVE = "give"
    TAKE = "take"
    LIMIT = "limit"
    SALE = "sale"
    WAIT = "wait"
    WATCH = "watch"
    OVER = "over"


_ASKED = {
    Phase.AUCTION: Asked.BID,
    Phase.GIVE: Asked.GIVE,
    Phase.MARKET: Asked.TAKE,
    Phase.LIMIT: Asked.LIMIT,
    Phase.FINAL_SALE: Asked.SALE,
}

_YOURS = {
    Asked.GIVE: _("You won the offer: choose the card that goes to the market."),
    Asked.TAKE: _("Your pick: take all market cards of one kind."),
    Asked.SALE: _("Last chance to sell: sell your sets, then say that you are done."),
}

_LAST_IN = _("The last offer is yours without a bid: choose the card that goes to the market.")

_OTHERS = {
    Phase.AUCTION: _("{name} bids or passes."),
    Phase.GIVE: _("{name} chooses a card for the market."),
    Phase.MARKET: _("{name} picks from the market."),
    Phase.LIMIT: _("{name} holds too many cards and sells or discards."),
    Phase.FINAL_SALE: _("The others make their last sales: {names}."),
}


def is_last(view: View) -> bool:
    """Whether the offer is the round's last, which is not won in an auction (R3.11)."""
    return view.phase is Phase.GIVE and len(view.stack) == 1


def forced(view: View) -> bool:
    """Whether nobody has a choice: the last offer's single card goes to the market (R3.11)."""
    return is_last(view) and len(view.offer) == 1


def ask(view: View) -> Asked:
    """What is asked of the viewer now."""
    if view.phase is Phase.OVER:
        return Asked.OVER
    if view.seat is None:
        return Asked.WATCH
    if forced(view):
        return Asked.WAIT
    return _ASKED[view.phase] if view.options.on_turn else Asked.WAIT


def status(view: View, asked: Asked, names: Sequence[str], words: NullTranslations) -> str:
    """What the table waits for, said to the viewer, of whom this is asked."""
    match asked:
        case Asked.OVER:
            return words.gettext(_("The game is over."))
        case Asked.BID:
            return _bidding(view, names, words)
        case Asked.GIVE if is_last(view):
            return words.gettext(_LAST_IN)
        case Asked.LIMIT:
            excess = len(view.hand) - HAND_LIMIT
            return words.ngettext(
                "Too many cards: sell a set, or discard {excess} card.",
                "Too many cards: sell a set, or discard {excess} cards.",
                excess,
            ).format(excess=excess)
        case Asked.WAIT | Asked.WATCH:
            return _waiting(view, names, words)
        case _:
            return words.gettext(_YOURS[asked])


def _bidding(view: View, names: Sequence[str], words: NullTranslations) -> str:
    own = worth(view.players[view.options.seat].bid)
    if not view.highest:
        return words.gettext(_("Your turn: bid cards from your hand, or pass."))
    leader = next(
        name
        for name, player in zip(names, view.players, strict=True)
        if worth(player.bid) == view.highest
    )
    text = _("{name} bids {highest}. Raise your bid of {own}, or pass.")
    if not own:
        text = _("{name} bids {highest}. Beat it, or pass.")
    return words.gettext(text).format(name=leader, own=own, highest=view.highest)


def _waiting(view: View, names: Sequence[str], words: NullTranslations) -> str:
    if forced(view):
        return words.gettext(_("The last offer's card goes to the market."))
    text = words.gettext(_OTHERS[view.phase])
    if view.turn is not None and view.phase is not Phase.FINAL_SALE:
        return text.format(name=names[view.turn])
    waited = [name for name, player in zip(names, view.players, strict=True) if not player.done]
    return text.format(names=", ".join(waited))
