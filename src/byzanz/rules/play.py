"""Play: the first state of a deal, and the next state after an action."""

from __future__ import annotations

from collections.abc import Sequence

from .actions import Action, Bid, Discard, Done, Give, Pass, Sell, Take
from .cards import Card, Cards, Kind, in_order, shared, without
from .deal import Deal
from .legal import options
from .refusals import IllegalAction
from .sets import kept
from .setup import HAND_LIMIT
from .state import Phase, Player, State


def begin(deal: Deal) -> State:
    """Return the first state of a deal: seat 0 starts the first auction (R2.3, R3.1)."""
    players = tuple(Player(hand=in_order(hand), hidden=in_order(hand)) for hand in deal.hands)
    state = State(
        phase=Phase.AUCTION,
        turn=0,
        starter=0,
        players=players,
        stack=deal.setup.offer_cards,
        takers=(),
        offer=(),
        market=(),
        deck=deal.deck,
        removed=in_order(deal.removed),
        gone=(),
    )
    return _next_auction(state, starter=0)


def apply(state: State, seat: int, action: Action) -> State:
    """Return the state after the seat's action; raises IllegalAction if it is not legal."""
    refusal = options(state, seat).refusal(action)
    if refusal is not None:
        raise IllegalAction(refusal)
    match action:
        case Bid():
            return _bid(state, seat, action.cards)
        case Pass():
            return _pass(state, seat)
        case Give():
            return _give(state, seat, action.card)
        case Take():
            return _take(state, seat, action.kind)
        case Sell():
            return _sell(state, seat, action.cards)
        case Discard():
            return _discard(state, seat, action.card)
        case Done():
            return _done(state, seat)


def taking_order(players: Sequence[Player]) -> tuple[int, ...]:
    """Return all seats in ascending order of their offer cards (R4.1)."""
    return tuple(sorted(range(len(players)), key=lambda seat: players[seat].offer_card or 0))


def _bid(state: State, seat: int, cards: Cards) -> State:
    """Add the cards, face up, to the seat's bid (R3.2, R3.4)."""
    player = state.players[seat]
    bid = in_order(player.bid + cards)
    return _call_on(state, seat, _shown(player, cards)._replace(bid=bid))


def _pass(state: State, seat: int) -> State:
    """Take the seat out of this auction and return its bid to its hand (R3.5)."""
    player = state.players[seat]
    hand = in_order(player.hand + player.bid)
    return _call_on(state, seat, player._replace(hand=hand, bid=(), passed=True))


def _call_on(state: State, seat: int, player: Player) -> State:
    """Pass the turn to the next player still in the auction, or end the auction (R3.3, R3.6)."""
    players = _with_player(state, seat, player)
    clockwise = (*range(seat + 1, len(players)), *range(seat + 1))
    still_in = [other for other in clockwise if players[other].bidding]
    if not still_in:
        return _all_passed(state._replace(players=players))
    if len(still_in) == 1 and players[still_in[0]].bid:
        return _won(state._replace(players=players), still_in[0])
    return state._replace(players=players, turn=still_in[0])


def _won(state: State, winner: int) -> State:
    """Move the winning bid to the market; the winner gives a card of the offer next (R3.8a)."""
    player = state.players[winner]
    return state._replace(
        phase=Phase.GIVE,
        turn=winner,
        players=_with_player(state, winner, player._replace(bid=())),
        market=in_order(state.market + player.bid),
    )


def _give(state: State, seat: int, card: Card) -> State:
    """Move the chosen card of the offer to the market (R3.8b, R3.11)."""
    offer = without(state.offer, (card,))
    state = state._replace(offer=offer, market=in_order((*state.market, card)))
    return _auction_over(state, seat)


def _all_passed(state: State) -> State:
    """Give the offer to the starter, who was the first to pass, for free (R3.10, I9)."""
    return _auction_over(state, state.starter)


def _auction_over(state: State, winner: int) -> State:
    """Give the winner the rest of the offer and the top offer card (R3.8c, R3.8d)."""
    players = [p._replace(passed=False) if p.passed else p for p in state.players]
    hand = in_order(players[winner].hand + state.offer)
    players[winner] = players[winner]._replace(hand=hand, offer_card=state.stack[-1])
    stack = state.stack[:-1]
    # R4.1: once every seat has an offer card, the seats take in ascending order of these cards.
    takers = () if stack else taking_order(players)
    state = state._replace(players=tuple(players), stack=stack, takers=takers, offer=())
    return _settle(state, winner)


def _take(state: State, seat: int, kind: Kind) -> State:
    """Move all market cards of the kind to the seat's hand (R4.1)."""
    taken = tuple([card for card in state.market if card.kind is kind])
    player = state.players[seat]
    state = state._replace(
        players=_with_player(state, seat, player._replace(hand=in_order(player.hand + taken))),
        market=without(state.market, taken),
        takers=state.takers[1:],
    )
    return _settle(state, seat)


def _sell(state: State, seat: int, cards: Cards) -> State:
    """Sell a set: keep its highest card as profit, remove the other two (R5.1)."""
    player = state.players[seat]
    keeps = kept(cards)
    pile = in_order((*player.kept, keeps))
    state = state._replace(
        players=_with_player(state, seat, _shown(player, cards)._replace(kept=pile)),
        gone=in_order(state.gone + without(cards, (keeps,))),
    )
    if state.phase is Phase.LIMIT and state.turn == seat:
        return _settle(state, seat)
    return state


def _discard(state: State, seat: int, card: Card) -> State:
    """Discard a card face up (R6.1, I6)."""
    player = state.players[seat]
    state = state._replace(
        players=_with_player(state, seat, _shown(player, (card,))),
        gone=in_order((*state.gone, card)),
    )
    return _settle(state, seat)


def _settle(state: State, seat: int) -> State:
    """Continue play, unless the seat has more than seven cards (R6.1, I5)."""
    if len(state.players[seat].hand) > HAND_LIMIT:
        return state._replace(phase=Phase.LIMIT, turn=seat)
    if state.stack:
        return _next_auction(state, starter=_next_without_offer_card(state, seat))
    if state.takers and state.market:  # I4: with an empty market the other takers are skipped
        return state._replace(phase=Phase.MARKET, turn=state.takers[0])
    return _round_over(state)


def _next_auction(state: State, starter: int) -> State:
    """Start an auction: turn up as many cards as the top offer card says (R3.1)."""
    count = state.stack[-1]
    # R3.11: the last player without an offer card needs no bid.
    phase = Phase.AUCTION if len(state.stack) > 1 else Phase.GIVE
    return state._replace(
        phase=phase,
        turn=starter,
        starter=starter,
        offer=in_order(state.deck[:count]),
        deck=state.deck[count:],
    )


def _next_without_offer_card(state: State, winner: int) -> int:
    """Return the next seat without an offer card, clockwise from the winner (R3.9)."""
    seat = (winner + 1) % len(state.players)
    while state.players[seat].offer_card is not None:
        seat = (seat + 1) % len(state.players)
    return seat


def _round_over(state: State) -> State:
    """Clear the market; the holder of the lowest offer card starts the next round (R4.2, R4.3)."""
    state = state._replace(
        players=tuple([player._replace(offer_card=None) for player in state.players]),
        stack=state.setup.offer_cards,
        takers=(),
        market=(),
        gone=in_order(state.gone + state.market),
        starter=taking_order(state.players)[0],
    )
    if state.deck:
        return _next_auction(state, state.starter)
    return state._replace(phase=Phase.FINAL_SALE, turn=0)


def _done(state: State, seat: int) -> State:
    """Mark the seat as done; the game is over once all are done (I8, R7.2)."""
    player = state.players[seat]._replace(done=True)
    state = state._replace(players=_with_player(state, seat, player))
    waiting = state.waiting_for
    if waiting:
        return state._replace(turn=waiting[0])
    return state._replace(phase=Phase.OVER, turn=None)


def _shown(player: Player, cards: Cards) -> Player:
    """Remove cards that everybody saw leave the hand, known ones before hidden ones (I6)."""
    hand = without(player.hand, cards)
    hidden = shared(player.hidden, hand) if player.hidden else ()
    return player._replace(hand=hand, hidden=hidden)


def _with_player(state: State, seat: int, player: Player) -> tuple[Player, ...]:
    """Return the players with one of them replaced."""
    return (*state.players[:seat], player, *state.players[seat + 1 :])
