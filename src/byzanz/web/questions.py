"""What the table asks of the viewer, and the status line that says what it is waiting for."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from gettext import NullTranslations

from byzanz.locale import _
from byzanz.rules import HAND_LIMIT, Phase, View, worth


class Asked(Enum):
    """The decision the viewer has to make now; the page's form depends on it."""

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
    Asked.TAKE: _("Your turn: take all the cards of one kind from the market."),
    Asked.SALE: _("Last chance to sell: sell your sets, then press Done."),
}

_OTHERS = {
    Phase.AUCTION: _("Waiting for {name} to bid or pass."),
    Phase.GIVE: _("{name} is choosing a card for the market."),
    Phase.MARKET: _("{name} is picking from the market."),
    Phase.LIMIT: _("{name} has too many cards and must sell or discard."),
    Phase.FINAL_SALE: _("Final sale. Still to finish: {names}."),
}


def is_last(view: View) -> bool:
    """Return whether a card of the round's last offer must be given, without an auction (R3.11)."""
    return view.phase is Phase.GIVE and len(view.stack) == 1


def is_forced(view: View) -> bool:
    """Return whether the last offer has only one card, which must go to the market (R3.11)."""
    return is_last(view) and len(view.offer) == 1


def ask(view: View) -> Asked:
    """Return what is asked of the viewer now."""
    if view.phase is Phase.OVER:
        return Asked.OVER
    if view.seat is None:
        return Asked.WATCH
    if is_forced(view):
        return Asked.WAIT
    return _ASKED[view.phase] if view.options.on_turn else Asked.WAIT


def status(view: View, asked: Asked, names: Sequence[str], translations: NullTranslations) -> str:
    """Return the status line: what the table asks of the viewer or whom it is waiting for."""
    match asked:
        case Asked.OVER:
            return translations.gettext(_("The game is over."))
        case Asked.BID:
            return _bidding(view, names, translations)
        case Asked.GIVE:
            return translations.gettext(_giving(view))
        case Asked.LIMIT:
            excess = len(view.hand) - HAND_LIMIT
            return translations.ngettext(
                "Too many cards: sell a set, or discard {excess} card.",
                "Too many cards: sell a set, or discard {excess} cards.",
                excess,
            ).format(excess=excess)
        case Asked.WAIT | Asked.WATCH:
            return _waiting(view, names, translations)
        case _:
            return translations.gettext(_YOURS[asked])


def answering(translations: NullTranslations) -> str:
    """Return the status line while the service answers for the viewer."""
    return translations.gettext(_("Your answer is being played."))


def _bidding(view: View, names: Sequence[str], translations: NullTranslations) -> str:
    own = worth(view.players[view.options.seat].bid)
    if not view.highest:
        return translations.gettext(_("Your turn: bid cards from your hand, or pass."))
    leader = next(
        name
        for name, player in zip(names, view.players, strict=True)
        if worth(player.bid) == view.highest
    )
    text = _("{name} bids {highest}. Raise your bid of {own}, or pass.")
    if not own:
        text = _("{name} bids {highest}. Beat it, or pass.")
    return translations.gettext(text).format(name=leader, own=own, highest=view.highest)


def _giving(view: View) -> str:
    if is_last(view):
        return _("The last offer is yours without a bid: choose one of its cards for the market.")
    return _("You won the auction: choose one card of the offer for the market.")


def _waiting(view: View, names: Sequence[str], translations: NullTranslations) -> str:
    if is_forced(view):
        return translations.gettext(_("The last offer's card goes to the market."))
    text = translations.gettext(_OTHERS[view.phase])
    if view.turn is not None and view.phase is not Phase.FINAL_SALE:
        return text.format(name=names[view.turn])
    unfinished = [name for name, player in zip(names, view.players, strict=True) if not player.done]
    return text.format(names=", ".join(unfinished))
