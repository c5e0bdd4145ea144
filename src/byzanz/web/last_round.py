"""Who got what in the previous round, shown in the market's place while the market is empty."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations
from typing import NamedTuple

from byzanz.locale import _
from byzanz.messages import kind_name
from byzanz.rules import Kind, MarketCleared, Phase, Played, Take, TurnedUp, View, Won


class Share(NamedTuple):
    """What a seat got in the previous round: an offer, and a kind from the market."""

    avatar: int
    offer_card: int
    kind: str
    """The letter of the kind; empty if nothing was left."""
    text: str


def last_round(
    view: View, names: Sequence[str], avatars: Sequence[int], translations: NullTranslations
) -> tuple[Share, ...]:
    """Return the previous round's shares in the order of taking; empty once the market has cards.

    They are made from the events in the view, so a table without the memory aid shows none.
    """
    if view.market or view.round == 1 or view.phase not in {Phase.AUCTION, Phase.GIVE}:
        return ()
    offers: dict[int, int] = {}
    kinds: dict[int, Kind] = {}
    for event in reversed(view.course):
        match event:
            case Played(seat=seat, action=Take(kind=kind)):
                kinds[seat] = kind
            case Won(seat=seat, offer_card=offer_card):
                offers[seat] = offer_card
            case TurnedUp(offer_card=offer_card, starter=seat) if (
                offer_card == view.setup.offer_cards[0]
            ):
                offers[seat] = offer_card  # the last offer of a round is not won (R3.11)
            case MarketCleared(round=number) if number < view.round - 1:
                break
            case MarketCleared():
                offers.clear()  # what was won in this round
    shares = []
    for seat, offer_card in sorted(offers.items(), key=lambda item: item[1]):
        taken = kinds.get(seat)
        text = _("{name}: offer {number}, nothing from the market")
        letter = name = ""
        if taken is not None:
            text = _("{name}: offer {number}, then {kind} from the market")
            letter, name = taken.letter, kind_name(taken, translations)
        told = translations.gettext(text).format(name=names[seat], number=offer_card, kind=name)
        shares.append(Share(avatars[seat], offer_card, letter, told))
    return tuple(shares) if len(shares) == len(view.players) else ()
