"""Deals and positions for the rule tests, and functions that continue play from them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from byzanz.notation import parse_action
from byzanz.rules import (
    ALL_CARDS,
    SETUPS,
    Action,
    Bid,
    Card,
    Cards,
    Deal,
    Event,
    IllegalAction,
    Phase,
    Player,
    Refusal,
    State,
    apply,
    begin,
    flaws,
    options,
)
from byzanz.rules.events import events

TABLES = (3, 4, 5, 6)

OFFER_CARDS = {3: (2, 4, 6), 4: (2, 3, 4, 5), 5: (1, 2, 3, 4, 5), 6: (1, 2, 3, 4, 5, 6)}


def cards(text: str) -> Cards:
    """Parse cards such as ``C1 M``, keeping their order."""
    return tuple([Card[name] for name in text.split()])


def left_over(named: Iterable[Card]) -> list[Card]:
    """Return all cards of the game except those named, in face order."""
    rest = list(ALL_CARDS)
    for card in named:
        rest.remove(card)
    return rest


def deal(players: int, hands: Sequence[str] = (), deck: str = "") -> Deal:
    """Return a deal with these hands and first deck cards, and the other cards in face order."""
    dealt = [list(cards(hand)) for hand in hands]
    dealt += [[] for _ in range(players - len(dealt))]
    top = cards(deck)
    rest = left_over([*top, *(card for hand in dealt for card in hand)])
    for hand in dealt:
        while len(hand) < 4:
            hand.append(rest.pop(0))
    removed = SETUPS[players].removed
    return Deal(
        tuple(map(tuple, dealt)), deck=top + tuple(rest[removed:]), removed=tuple(rest[:removed])
    )


def table(players: int, hands: Sequence[str] = (), deck: str = "") -> State:
    """Return the first state of such a deal."""
    return begin(deal(players, hands, deck))


def player(
    hand: str = "",
    *,
    hidden: str = "",
    bid: str = "",
    passed: bool = False,
    card: int | None = None,
    kept: str = "",
    done: bool = False,
) -> Player:
    """Return a seat with these cards, given in face order; hand cards are known unless hidden."""
    return Player(
        hand=cards(hand),
        hidden=cards(hidden),
        bid=cards(bid),
        passed=passed,
        offer_card=card,
        kept=cards(kept),
        done=done,
    )


def position(
    phase: Phase,
    turn: int | None,
    *players: Player,
    starter: int | None = None,
    rounds: int = 2,
    offer: str = "",
    market: str = "",
    deck: str = "",
    takers: tuple[int, ...] = (),
) -> State:
    """Return a consistent position in this round; all other cards are placed in face order.

    By default the starter is the seat to act. In the phase ``give``, all other seats
    without an offer card have passed automatically.
    """
    if phase is Phase.GIVE:
        players = tuple(
            [
                one._replace(passed=seat != turn and one.offer_card is None)
                for seat, one in enumerate(players)
            ]
        )
    setup = SETUPS[len(players)]
    held = [one.offer_card for one in players if one.offer_card is not None]
    stack = tuple([number for number in setup.offer_cards if number not in held])
    in_sale = phase in (Phase.AUCTION, Phase.GIVE)
    offered, sold, top = cards(offer), cards(market), cards(deck)
    rest = left_over(
        [*offered, *sold, *top, *(c for one in players for c in one.hand + one.bid + one.kept)]
    )

    def filled(named: Cards, size: int) -> Cards:
        more = [rest.pop(0) for _ in range(size - len(named))]
        return (*named, *more)

    offered = tuple(sorted(filled(offered, stack[-1] if in_sale else 0)))
    removed = filled((), setup.removed)
    size = setup.deck - sum(setup.offer_cards) * (rounds - 1) - sum(held) - len(offered)
    drawn = filled(top, 0 if phase in (Phase.FINAL_SALE, Phase.OVER) else size)
    state = State(
        phase=phase,
        turn=turn,
        starter=(turn or 0) if starter is None else starter,
        players=players,
        stack=stack,
        takers=takers,
        offer=offered,
        market=sold,
        deck=drawn,
        removed=removed,
        gone=tuple(rest),
    )
    assert list(flaws(state)) == []
    return state


def but(state: State, seats: Mapping[int, Player] | None = None, **changes: Any) -> State:
    """Return the state with these seats and fields replaced."""
    players = list(state.players)
    for seat, one in (seats or {}).items():
        players[seat] = one
    return state._replace(players=tuple(players), **changes)


def gone(state: State, more: str) -> Cards:
    """Return the cards that are out of the game, together with ``more``."""
    return tuple(sorted(state.gone + cards(more)))


def _move(text: str) -> tuple[int, Action]:
    seat, _, action = text.partition(" ")
    return int(seat), parse_action(action)


def play(state: State, *moves: str) -> State:
    """Return the state after moves such as ``0 bid C1``."""
    for move in moves:
        state = apply(state, *_move(move))
    return state


def seen(state: State, *moves: str) -> tuple[Event, ...]:
    """Return the public events of the moves."""
    course: tuple[Event, ...] = ()
    for move in moves:
        seat, action = _move(move)
        after = apply(state, seat, action)
        course += events(state, seat, action, after)
        state = after
    return course


def refused(state: State, move: str) -> Refusal:
    """Return the refusal of an illegal move."""
    with pytest.raises(IllegalAction) as caught:
        apply(state, *_move(move))
    return caught.value.refusal


class Step(NamedTuple):
    """One action of a random game."""

    before: State
    seat: int
    action: Action
    after: State


def random_game(players: int, seed: int) -> tuple[Step, ...]:
    """Return all actions of a random game with low bids, many passes and sales out of turn."""
    chance = random.Random(seed)
    state = begin(Deal.from_seed(players, seed))
    steps = []
    while state.phase is not Phase.OVER:
        seat = chance.choice(state.waiting_for)
        choices = options(state, seat)
        kinds: list[Sequence[Action]] = [choices.answers, [*map(Bid, choices.bids[:3])]]
        if chance.random() < 0.3:
            seat = chance.randrange(players)
            kinds.append(options(state, seat).sales)
            kinds = [kinds[-1]] if kinds[-1] else []
            if not kinds:
                continue
        action = chance.choice(chance.choice([kind for kind in kinds if kind]))
        after = apply(state, seat, action)
        steps.append(Step(state, seat, action, after))
        state = after
    return tuple(steps)
