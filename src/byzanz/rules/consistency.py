"""Consistency checks of a state: conditions that every reachable state satisfies.

Every state that play reaches is consistent. The checks are for states from other sources, such as
position texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .cards import COPIES, FACES, Card, Cards, missing, worth
from .play import taking_order
from .setup import HAND_DEALT, HAND_LIMIT
from .state import Phase, State


def flaws(state: State) -> Iterator[str]:
    """Yield a description of each inconsistency of a state, as an English phrase."""
    yield from _card_flaws(state)
    yield from _offer_card_flaws(state)
    yield from _seat_flaws(state)
    yield from _phase_flaws(state)


def all_cards(state: State) -> Cards:
    """Return every card of the state, wherever it is."""
    cards = state.offer + state.market + state.deck + state.removed + state.gone
    for player in state.players:
        cards += player.hand + player.bid + player.kept
    return cards


def _card_flaws(state: State) -> Iterator[str]:
    counts = Counter(all_cards(state))
    for card in FACES:
        if counts[card] != COPIES[card]:
            yield f"there are {counts[card]} cards {card} instead of {COPIES[card]}"
    if len(state.removed) != state.setup.removed:
        yield f"{len(state.removed)} cards are removed instead of {state.setup.removed}"
    for seat, player in enumerate(state.players):
        if missing(player.hand, player.hidden):
            yield f"seat {seat} hides cards that are not in its hand"
        if len(player.hidden) > HAND_DEALT:
            yield f"seat {seat} hides more than the {HAND_DEALT} cards dealt"
        if Card.M in player.bid:
            yield f"seat {seat} has bid a merchant"


def _offer_card_flaws(state: State) -> Iterator[str]:
    setup = state.setup
    held = [player.offer_card for player in state.players if player.offer_card is not None]
    if sorted([*state.stack, *held]) != list(setup.offer_cards):
        yield "the offer cards in the stack and with players are not those of the set-up"
    if state.stack != setup.offer_cards[: len(state.stack)]:
        yield "the stack does not hold the lowest offer cards in ascending order"
    if not set(state.takers) <= set(range(len(state.players))):
        yield "there is no such seat as one of the takers"
    elif state.takers and (
        state.stack or state.takers != taking_order(state.players)[-len(state.takers) :]
    ):
        yield "the takers are not the last seats in the order of the offer cards"
    if state.phase in (Phase.FINAL_SALE, Phase.OVER):
        left = 0
    else:
        left = setup.deck - sum(setup.offer_cards) * (state.round - 1) - sum(held)
        left -= len(state.offer)
        if len(state.deck) >= setup.deck:
            yield "the deck is complete, but the first offer has not been turned up"
    if len(state.deck) != left:
        yield f"the deck holds {len(state.deck)} cards instead of {left} at this point of a round"


def _seat_flaws(state: State) -> Iterator[str]:
    bids = [worth(player.bid) for player in state.players if player.bid]
    if len(set(bids)) != len(bids):
        yield "two standing bids are worth the same"
    if bids and state.phase is not Phase.AUCTION:
        yield "there is a bid outside an auction"
    if state.phase not in (Phase.AUCTION, Phase.GIVE) and any(p.passed for p in state.players):
        yield "a seat has passed outside an auction"
    if state.phase not in (Phase.FINAL_SALE, Phase.OVER) and any(p.done for p in state.players):
        yield "a seat is done before the final sale"
    for seat, player in enumerate(state.players):
        if (player.bid or player.passed) and player.offer_card is not None:
            yield f"seat {seat} has an offer card and takes part in an auction"
        if player.bid and player.passed:
            yield f"seat {seat} has passed but still has a bid"
        held = len(player.hand) + len(player.bid)
        if held > HAND_LIMIT and not (state.phase is Phase.LIMIT and state.turn == seat):
            yield f"seat {seat} holds {held} cards and is not asked to sell or discard"
    if not 0 <= state.starter < len(state.players):
        yield "there is no such seat as the starter"


def _phase_flaws(state: State) -> Iterator[str]:
    """Check the conditions of the phase."""
    phase, turn = state.phase, state.turn
    has_offer = phase in (Phase.AUCTION, Phase.GIVE)
    if len(state.offer) != (state.stack[-1] if has_offer and state.stack else 0):
        yield "the offer does not have the size that the phase and the top offer card require"
    if phase not in (Phase.MARKET, Phase.LIMIT) and state.takers:
        yield "there are takers outside the market phase"
    if phase is Phase.OVER:
        if turn is not None or not all(player.done for player in state.players):
            yield "the game is over, but a seat is not done or a seat is to act"
        yield from _flaws_after_last_round(state)
    elif turn is None or not 0 <= turn < len(state.players):
        yield "there is no such seat as the seat to act"
    elif has_offer:
        yield from _auction_flaws(state, turn)
    elif phase is Phase.LIMIT:
        player = state.players[turn]
        if len(player.hand) <= HAND_LIMIT or player.offer_card is None:
            yield "the seat to act is not above the hand limit"
    elif phase is Phase.MARKET:
        if not (state.market and state.takers[:1] == (turn,)):
            yield "the seat to act has nothing to take"
    else:
        if (turn,) != state.waiting_for[:1]:
            yield "the seat to act is not the first that is not done"
        yield from _flaws_after_last_round(state)


def _flaws_after_last_round(state: State) -> Iterator[str]:
    if state.market or state.stack != state.setup.offer_cards:
        yield "the last round is over, but the market has cards or the stack lacks offer cards"


def _auction_flaws(state: State, turn: int) -> Iterator[str]:
    """Check the conditions of an auction, or of giving a card to the market after it."""
    player = state.players[turn]
    if not (player.bidding and state.stack):
        yield "the seat to act is not in the auction"
    if not 0 <= state.starter < len(state.players):
        return
    if state.players[state.starter].offer_card is not None:
        yield "the starter has an offer card already"
    if state.phase is Phase.GIVE:
        if any(p.bidding for seat, p in enumerate(state.players) if seat != turn):
            yield "a card is given while another seat is still in the auction"
        return
    if len(state.stack) < 2:
        yield "the last offer of a round must not be auctioned"
    if not state.highest:
        if turn != _first_not_passed(state):
            yield "nobody has bid, and the seat to act is not the first after those that passed"
    elif turn != _next_after_highest(state):
        yield "the seat to act is not the next bidder after the highest bidder"


def _first_not_passed(state: State) -> int | None:
    """Return the seat to act before anyone has bid.

    It is the first seat, clockwise from the starter, that has not passed. Return None if seats have
    passed out of order, or if all have passed.
    """
    count = len(state.players)
    clockwise = [(state.starter + step) % count for step in range(count)]
    in_auction = [seat for seat in clockwise if state.players[seat].offer_card is None]
    passed = [state.players[seat].passed for seat in in_auction]
    if sorted(passed, reverse=True) != passed or all(passed):
        return None
    return in_auction[passed.index(False)]


def _next_after_highest(state: State) -> int | None:
    """Return the seat to act once there is a bid.

    It is the next seat, clockwise from the highest bidder, that is still in the auction.
    """
    count = len(state.players)
    worths = [worth(player.bid) for player in state.players]
    leader = worths.index(max(worths))
    for step in range(1, count):
        seat = (leader + step) % count
        if state.players[seat].bidding:
            return seat
    return None
