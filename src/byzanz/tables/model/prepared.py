"""Prepared answers: what the service plays for a player later, and when it is dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from byzanz.notation import parse_card, parse_kind
from byzanz.rules import (
    SETUPS,
    Action,
    Bid,
    Card,
    Cards,
    Kind,
    Pass,
    Phase,
    Player,
    State,
    Take,
    options,
    worth,
)
from byzanz.rules.cards import missing

from .refusals import Declined, TableReason

MOST_CARDS = 7
MOST_BID = 28
"""The highest possible worth of a bid: seven cards of value 4."""

RoundNumber = Annotated[int, Meta(ge=1, le=max(each.rounds for each in SETUPS.values()))]
OfferCard = Annotated[int, Meta(ge=1, le=6)]


class PreparedBid(Struct, frozen=True, tag="bid", forbid_unknown_fields=True):
    """Bid in this auction, as little as possible and up to a limit.

    Bids use ``cards`` in this order, then the lowest other cards.
    """

    round: RoundNumber
    offer_card: OfferCard
    up_to: Annotated[int, Meta(ge=1, le=MOST_BID)]
    """The highest worth of the whole bid."""
    cards: Annotated[tuple[str, ...], Meta(max_length=MOST_CARDS)] = ()


class PreparedPass(Struct, frozen=True, tag="pass", forbid_unknown_fields=True):
    """Pass in this auction."""

    round: RoundNumber
    offer_card: OfferCard


class PreparedTake(Struct, frozen=True, tag="take", forbid_unknown_fields=True):
    """Take this kind from the market of this round, if it is there."""

    round: RoundNumber
    kind: Annotated[str, Meta(max_length=1)]


Prepared = PreparedBid | PreparedPass | PreparedTake

_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Prepared)


class Dropped(StrEnum):
    """Why a prepared answer was dropped."""

    HAND_CHANGED = "hand-changed"
    """Cards of a prepared bid are no longer in hand."""
    OUTBID = "outbid"
    """The limit of a prepared bid no longer beats the highest bid."""
    NEW_AUCTION = "new-auction"
    """The auction ended before the answer was due."""
    KIND_GONE = "kind-gone"
    """The market no longer has a card of the kind."""


class Automatic(Struct, frozen=True, forbid_unknown_fields=True):
    """The actions that the service plays for a seat automatically."""

    take_last: bool = False
    """Take from the market if only one kind is left."""
    pass_beaten: bool = False
    """Pass in an auction if no bid from the hand can beat the highest one."""


BY_HAND = Automatic()
"""No automatic actions."""


def write_prepared(prepared: Prepared) -> str:
    """Return the prepared answer as JSON text."""
    return msgspec.json.encode(prepared).decode()


def read_prepared(text: str) -> Prepared:
    """Return the prepared answer from JSON text; raises msgspec.DecodeError if it is not valid."""
    found: Prepared = _DECODER.decode(text)
    return found


def check_prepared(state: State, seat: int, prepared: Prepared) -> None:
    """Raise Declined if the seat cannot prepare this answer now.

    Raises Malformed if a card or kind cannot be parsed.
    """
    own = state.players[seat]
    match prepared:
        case PreparedTake():
            kind = parse_kind(prepared.kind)
            if prepared.round != state.round:
                raise Declined(TableReason.STALE_DECISION)
            if _is_gone(state, kind) or not _takes_later(state, seat):
                raise Declined(TableReason.CANNOT_PREPARE)
        case _:
            if not _same_auction(state, prepared):
                raise Declined(TableReason.STALE_DECISION)
            if not own.bidding:
                raise Declined(TableReason.CANNOT_PREPARE)
            if isinstance(prepared, PreparedBid):
                _check_bid(state, own, prepared)


def _check_bid(state: State, own: Player, prepared: PreparedBid) -> None:
    cards = _cards(prepared)
    least = state.highest + (not _leads(state, own))
    most = worth(own.bid) + worth(own.hand)
    if Card.M in cards or missing(own.hand, cards) or not least <= prepared.up_to <= most:
        raise Declined(TableReason.BAD_PREPARED_BID, least=least, most=most)


def settle(prepared: Prepared, state: State, seat: int) -> tuple[Prepared | None, Dropped | None]:
    """Return the prepared answer if it still fits, or None and why it was dropped.

    An answer that has been given, or is no longer needed, is dropped without a reason.
    """
    if isinstance(prepared, PreparedTake):
        fits, dropped = _judge_take(prepared, state, seat)
    else:
        fits, dropped = _judge_call(prepared, state, seat)
    return (prepared if fits else None), dropped


def _judge_take(prepared: PreparedTake, state: State, seat: int) -> tuple[bool, Dropped | None]:
    kind = parse_kind(prepared.kind)
    if prepared.round != state.round or state.phase in (Phase.FINAL_SALE, Phase.OVER):
        return False, Dropped.KIND_GONE  # the seat was skipped because the market was empty
    if not _takes_later(state, seat):
        return False, None
    if _is_gone(state, kind):
        return False, Dropped.KIND_GONE
    return True, None


def _judge_call(
    prepared: PreparedBid | PreparedPass, state: State, seat: int
) -> tuple[bool, Dropped | None]:
    own = state.players[seat]
    if not _same_auction(state, prepared):
        won = prepared.round == state.round and prepared.offer_card == _won(state, seat)
        return False, None if won else Dropped.NEW_AUCTION
    if not own.bidding:
        return False, None
    if isinstance(prepared, PreparedPass):
        return True, None
    if missing(own.hand, _cards(prepared)):
        return False, Dropped.HAND_CHANGED
    if _leads(state, own) or choose_bid(prepared, state, seat) is not None:
        return True, None
    return False, Dropped.OUTBID


def due(prepared: Prepared, state: State, seat: int) -> Action | None:
    """Return the action that answers the seat's current decision, or None if there is none."""
    if state.turn != seat:
        return None
    match prepared:
        case PreparedTake() if state.phase is Phase.MARKET:
            return Take(parse_kind(prepared.kind))
        case PreparedPass() if state.phase is Phase.AUCTION:
            return Pass()
        case PreparedBid() if state.phase is Phase.AUCTION:
            return choose_bid(prepared, state, seat)
        case _:
            return None


def after_action(prepared: Prepared, action: Action) -> Prepared | None:
    """Return what is left of the prepared answer after its action has been played."""
    if not isinstance(prepared, PreparedBid) or not isinstance(action, Bid):
        return None
    rest = list(prepared.cards)
    for card in action.cards:
        if str(card) in rest:
            rest.remove(str(card))
    return msgspec.structs.replace(prepared, cards=tuple(rest))


def choose_bid(prepared: PreparedBid, state: State, seat: int) -> Bid | None:
    """Return the bid that beats the highest one within the limit, or None.

    Cards are added in the order of preference until the bid is high enough. A card that would
    exceed the limit is left out. If this finds no bid, any bid within the limit is returned.
    """
    own = state.players[seat]
    first = _cards(prepared)
    others = sorted(_rest(own.hand, first), key=lambda card: card.worth)
    chosen: list[Card] = []
    total = worth(own.bid)
    for card in (*first, *others):
        if card.worth and total + card.worth <= prepared.up_to:
            chosen.append(card)
            total += card.worth
        if total > state.highest and chosen:
            return Bid(tuple(sorted(chosen)))
    on_turn = options(state._replace(turn=seat), seat)
    room = prepared.up_to - worth(own.bid)
    return next((Bid(cards) for cards in on_turn.bids if worth(cards) <= room), None)


def _rest(hand: Cards, some: Sequence[Card]) -> Cards:
    counts = Counter(hand) - Counter(some)
    return tuple(counts.elements())


def _cards(prepared: PreparedBid) -> Cards:
    return tuple([parse_card(text) for text in prepared.cards])


def _same_auction(state: State, prepared: PreparedBid | PreparedPass) -> bool:
    now = (state.round, state.stack[-1]) if state.phase is Phase.AUCTION and state.stack else None
    return now == (prepared.round, prepared.offer_card)


def _leads(state: State, own: Player) -> bool:
    return bool(own.bid) and worth(own.bid) == state.highest


def _won(state: State, seat: int) -> int | None:
    """Return the offer card that the seat has won in this round; None if it has none."""
    if state.phase is Phase.GIVE and state.turn == seat:
        return state.stack[-1]
    return state.players[seat].offer_card


def _takes_later(state: State, seat: int) -> bool:
    """Return whether the seat still takes from the market of this round."""
    if state.phase in (Phase.FINAL_SALE, Phase.OVER):
        return False
    return bool(state.stack) or seat in state.takers


def _is_gone(state: State, kind: Kind) -> bool:
    """Return whether the round's market is complete and has no card of the kind."""
    return not state.stack and all(card.kind is not kind for card in state.market)
