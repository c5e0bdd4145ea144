"""Rule coverage: which rules and readings an action uses."""

from __future__ import annotations

from collections.abc import Iterator

from byzanz.rules import (
    HAND_LIMIT,
    Action,
    Bid,
    Card,
    Discard,
    Done,
    Give,
    Kind,
    Pass,
    Phase,
    Sell,
    State,
    Take,
    result,
    tie_break,
)

RULES = [
    "R1.1", "R1.2", "R1.3", "R1.4", "R2.1", "R2.2", "R2.3", "R3.1", "R3.2", "R3.3", "R3.4", "R3.5",
    "R3.6", "R3.7", "R3.8", "R3.9", "R3.10", "R3.11", "R4.1", "R4.2", "R4.3", "R5.1", "R5.2",
    "R5.3", "R6.1", "R7.1", "R7.2", "I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9",
]  # fmt: skip


AT_THE_START = ["R1.1", "R1.2", "R1.3", "R1.4", "R2.1", "R2.2", "R2.3", "R3.1"]
"""The rules of the set-up: every game uses each of them once."""


def at_action(before: State, seat: int, action: Action, after: State) -> Iterator[str]:
    """Yield the rules that an action and its consequences use."""
    match action:
        case Bid():
            yield from _bid(before, seat, after)
        case Pass():
            yield from _pass(before, seat, after)
        case Give():
            yield "R3.8" if len(before.stack) > 1 else "R3.11"
            yield "R1.3"
        case Take():
            yield "R4.1"
            if after.stack and len(before.takers) > 1:
                yield "I4"  # the market was empty, and the other seats were skipped
        case Sell():
            yield from _sell(before, seat, action)
        case Discard():
            yield "R6.1"
            if len(after.players[seat].hand) == HAND_LIMIT:
                yield "I5"
        case Done():
            yield "I8"
    yield from _consequences(before, after)


def _bid(before: State, seat: int, after: State) -> Iterator[str]:
    yield "R3.2"
    if before.highest:
        yield "R3.3"
    if before.players[seat].bid:
        yield "R3.4"
    if after.phase is Phase.GIVE:
        yield "I1"  # the last player left was still asked, and bid


def _pass(before: State, seat: int, after: State) -> Iterator[str]:
    if before.players[seat].bid:
        yield "R3.5"
    if after.phase is Phase.GIVE and after.stack == before.stack:
        yield "R3.6"
    if after.stack != before.stack:
        yield from ("R3.10", "I1", "I9")


def _sell(before: State, seat: int, action: Sell) -> Iterator[str]:
    yield "R5.1"
    merchants = action.cards.count(Card.M)
    if merchants == len(action.cards):
        yield "R5.3"
    elif merchants:
        yield "R5.2"
    if before.phase is Phase.FINAL_SALE:
        yield "R7.1"
    if before.phase is Phase.AUCTION and before.players[seat].bid:
        yield "I7"  # sold from the hand during an auction with a bid on the table


def _consequences(before: State, after: State) -> Iterator[str]:
    if len(after.deck) < len(before.deck):
        yield "R3.1"
        yield "R3.9" if before.stack else "R4.3"
    if after.stack and not before.stack:
        yield "R4.2"
    if after.phase is Phase.LIMIT and before.phase is not Phase.LIMIT:
        assert after.turn is not None
        hand = after.players[after.turn].hand
        if len(hand) - hand.count(Card.M) <= HAND_LIMIT:
            yield "I2"  # above the limit only because merchants count
    if any(player.known for player in after.players):
        yield "I6"
    if after.phase is Phase.OVER:
        yield "R7.2"
        profits = result(after).profit
        tied = [seat for seat, earned in enumerate(profits) if earned == max(profits)]
        if len(tied) > 1:
            yield "I3"
            assert result(after).winners == tuple(
                seat
                for seat in tied
                if tie_break(after.players[seat].hand)
                == max(tie_break(after.players[other].hand) for other in tied)
            )


def possible_attempts(state: State, seat: int) -> list[Action]:
    """Return actions of every type for a seat to try, legal and illegal."""
    player = state.players[seat]
    cards = player.hand + player.bid
    return [
        Pass(),
        Done(),
        *map(Take, Kind),
        *map(Give, state.offer[:2] + cards[:1]),
        *map(Discard, cards[:2]),
        Bid(cards[:1]),
        Bid(cards[:2]),
        Bid(player.bid),
        Bid((Card.M,)),
        Bid(()),
        Sell(cards[:3]),
        Sell(cards[:2]),
        Sell(player.bid[:3]),
        Sell(cards[-3:]),
        Bid((Card.W4,) * 3),  # there are only two of them
        Sell((Card.C4,) * 3),
        Discard(Card.S4),
    ]
