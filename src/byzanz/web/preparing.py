"""Prepared answers on the page of a table: the controls, the answer itself, and notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from gettext import NullTranslations
from typing import NamedTuple

from byzanz.locale import _
from byzanz.messages import card_names, kind_name
from byzanz.notation import parse_card, parse_kind
from byzanz.rules import (
    Bid,
    Cards,
    Event,
    MarketCleared,
    Pass,
    Phase,
    Played,
    Take,
    TurnedUp,
    View,
    worth,
)
from byzanz.tables import (
    Dropped,
    Prepared,
    PreparedBid,
    PreparedPass,
    TableView,
)

_NOTICES = {
    Dropped.HAND_CHANGED: _("Your prepared bid was dropped: its cards left your hand."),
    Dropped.OUTBID: _("Your prepared bid was dropped: somebody bid more than your limit."),
    Dropped.NEW_AUCTION: _("Your prepared answer was dropped: the auction is over."),
    Dropped.KIND_GONE: _("Your prepared choice was dropped: somebody else took this kind."),
}


_TAKEN = _("Only one kind was left in the market. It was taken for you: {kind}.")
_PASSED = _("You could not bid more than {highest}. You passed automatically.")


class Shown(NamedTuple):
    """A prepared answer as the page shows it."""

    type: str
    """``bid``, ``pass`` or ``take``."""
    text: str
    details: str
    """What a tooltip and a screen reader add to the text."""


def preparable(table_view: TableView, view: View) -> str:
    """Return what the viewer can prepare: ``bid`` (then also a pass), ``take`` or nothing."""
    seat = table_view.seat
    if seat is None or table_view.answering or seat in table_view.waiting_for:
        return ""
    own = view.players[seat]
    if view.phase is Phase.AUCTION and own.offer_card is None:
        return "" if own.passed else "bid"
    if not view.market or view.phase in (Phase.FINAL_SALE, Phase.OVER):
        return ""
    later = own.offer_card is not None if view.stack else seat in view.takers
    return "take" if later else ""


def shown(prepared: Prepared | None, translations: NullTranslations) -> Shown | None:
    """Return the prepared answer as the page shows it; None if there is none."""
    gettext = translations.gettext
    match prepared:
        case None:
            return None
        case PreparedBid(up_to=up_to, cards=codes):
            text = gettext(_("Prepared: bid up to {total}")).format(total=up_to)
            cards = card_names(tuple([parse_card(code) for code in codes]), translations)
            if not codes:
                return Shown("bid", text, gettext(_("Press to cancel.")))
            details = gettext(_("These cards first: {cards}. Press to cancel."))
            return Shown("bid", text, details.format(cards=cards))
        case PreparedPass():
            return Shown("pass", gettext(_("Prepared: pass")), gettext(_("Press to cancel.")))
        case _:
            kind = kind_name(parse_kind(prepared.kind), translations)
            text = gettext(_("Prepared: take {kind}")).format(kind=kind)
            return Shown("take", text, gettext(_("Press to cancel.")))


def notice(dropped: Dropped | None, translations: NullTranslations) -> str:
    """Return a sentence that says why a prepared answer was dropped; empty if none was."""
    return "" if dropped is None else translations.gettext(_NOTICES[dropped])


def played_for_viewer(table_view: TableView, translations: NullTranslations) -> str:
    """Return a sentence if the service played the last action for the viewer; otherwise empty."""
    view, chosen = table_view.view, table_view.automatic
    if view is None or chosen is None:
        return ""
    course = view.course
    last = next((n for n in reversed(range(len(course))) if isinstance(course[n], Played)), 0)
    played = course[last]
    if not isinstance(played, Played) or played.seat != table_view.seat:
        return ""
    match played.action:
        case Take(kind=kind) if chosen.take_last and not _left_in_market(view, course[last + 1 :]):
            name = kind_name(kind, translations)
            return translations.gettext(_TAKEN).format(kind=name)
        case Pass() if chosen.pass_beaten:
            highest = _highest_bid(course[:last])
            if worth(view.hand) <= highest:
                return translations.gettext(_PASSED).format(highest=highest)
    return ""


def _left_in_market(view: View, after: Sequence[Event]) -> Cards:
    """Return what a take left in the market, given the events after it."""
    cleared = [event.cards for event in after if isinstance(event, MarketCleared)]
    return cleared[0] if cleared else view.market


def _highest_bid(course: Sequence[Event]) -> int:
    """Return the highest bid of the auction at the end of the course; 0 if there is none."""
    bids: Counter[int] = Counter()
    for event in reversed(course):
        if isinstance(event, TurnedUp):
            break
        if isinstance(event, Played) and isinstance(event.action, Bid):
            bids[event.seat] += worth(event.action.cards)
    return max(bids.values(), default=0)
