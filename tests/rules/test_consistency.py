"""The inconsistencies of broken states; states of real games have none."""

from __future__ import annotations

import pytest

from byzanz.rules import ALL_CARDS, Card, Deal, Phase, Player, State, begin, flaws
from byzanz.rules.consistency import all_cards

from .positions import TABLES, but, cards, gone, player, position, random_game


def auction() -> State:
    """Return a state with cards in every place."""
    return position(
        Phase.AUCTION,
        2,
        player("C1 C2 G1 M", hidden="C1 C2 G1 M", bid="G3"),
        player("O1 O2", passed=True, kept="O4"),
        player("S1 S2", bid="S1", kept="M"),
        player("T1 T2", card=5),
        market="W1",
    )


def giving() -> State:
    return position(
        Phase.GIVE, 1, player("C1", passed=True), player("G1"), player("O1", passed=True)
    )


def limit() -> State:
    """Return a state in which seat 1 of four holds eight cards; the stack has 2 and 3."""
    return position(
        Phase.LIMIT,
        1,
        player("T3", card=5),
        player("C1 C2 G1 G2 O1 O2 S1 S2", card=4),
        player("T1"),
        player("T2"),
        market="W1",
    )


def market() -> State:
    return position(
        Phase.MARKET,
        0,
        player("C1", card=3),
        player("C2", card=5),
        player("C3", card=2),
        player("C4", card=4),
        market="W1 W2",
        takers=(0, 3, 1),
    )


def market_limit() -> State:
    return position(
        Phase.LIMIT,
        2,
        player(card=3),
        player(card=5),
        player("C1 C2 G1 G2 O1 O2 S1 S2", card=2),
        player(card=4),
        market="W1 W2",
        takers=(0, 3, 1),
    )


def final_sale() -> State:
    return position(Phase.FINAL_SALE, 1, player("C1", done=True), player("G1"), player("O1"))


def last_offer() -> State:
    """Return a state in which three of four have won an offer card, and seat 3 gives."""
    return position(
        Phase.GIVE, 3, player(card=4), player(card=3), player(card=5), player("C1"), starter=3
    )


def over() -> State:
    return position(Phase.OVER, None, *[player("C1", kept="W1", done=True)] * 3)


def seat(state: State, number: int) -> Player:
    return state.players[number]


def changed(state: State, number: int, change: Player) -> State:
    """Replace a seat, and keep the number of cards by changing those out of the game."""
    old = seat(state, number)
    before, after = old.hand + old.bid + old.kept, change.hand + change.bid + change.kept
    pile = list(state.gone + before)
    for card in after:
        pile.remove(card)
    return but(state, {number: change}, gone=tuple(sorted(pile)))


SIZE = "the offer does not have the size that the phase and the top offer card require"
NOT_IN = "the seat to act is not in the auction"
NO_SEAT = "there is no such seat as the seat to act"
OVER = "the game is over, but a seat is not done or a seat is to act"
NOTHING_TO_SETTLE = "the seat to act is not above the hand limit"
NOTHING_TO_TAKE = "the seat to act has nothing to take"
OTHER_STACK = "the offer cards in the stack and with players are not those of the set-up"
UNORDERED = "the stack does not hold the lowest offer cards in ascending order"
TAKERS = "the takers are not the last seats in the order of the offer cards"
EARLY_TAKERS = "there are takers outside the market phase"
FINAL = "the seat to act is not the first that is not done"
LEFT = "the last round is over, but the market has cards or the stack lacks offer cards"
EARLY_DONE = "a seat is done before the final sale"
FULL = "seat {} holds {} cards and is not asked to sell or discard"
LAST_OFFER = "the last offer of a round must not be auctioned"
STARTER = "the starter has an offer card already"
NOT_FIRST = "nobody has bid, and the seat to act is not the first after those that passed"
GIVEN_EARLY = "a card is given while another seat is still in the auction"
WHOLE_DECK = "the deck is complete, but the first offer has not been turned up"
NOT_NEXT = "the seat to act is not the next bidder after the highest bidder"


def deck_of(found: int, left: int) -> str:
    return f"the deck holds {found} cards instead of {left} at this point of a round"


def counts() -> list[tuple[State, list[str]]]:
    """Return states with wrong cards (R1, R2), and their flaws."""
    state = auction()
    few = state._replace(gone=state.gone[:-1])
    assert state.gone[-1] is Card.M
    twice = state._replace(market=cards("W1 W1"))
    swapped = state._replace(market=cards("W2"))
    unremoved = state._replace(removed=state.removed[1:], gone=gone(state, str(state.removed[0])))
    more = state._replace(removed=(*state.removed, state.gone[0]), gone=state.gone[1:])
    return [
        (few, ["there are 15 cards M instead of 16"]),
        (twice, ["there are 7 cards W1 instead of 6"]),
        (swapped, ["there are 5 cards W1 instead of 6", "there are 6 cards W2 instead of 5"]),
        (unremoved, ["11 cards are removed instead of 12"]),
        (more, ["13 cards are removed instead of 12"]),
    ]


def hidden_cards() -> list[tuple[State, list[str]]]:
    state = auction()
    alien = "seat 0 hides cards that are not in its hand"
    five = player("O1 O2 M M M", hidden="O1 O2 M M M", passed=True, kept="O4")
    return [
        (but(state, {0: seat(state, 0)._replace(hidden=cards("C3"))}), [alien]),
        (but(state, {0: seat(state, 0)._replace(hidden=cards("C1 C1"))}), [alien]),
        (but(state, {0: seat(state, 0)._replace(hidden=cards("G3"))}), [alien]),
        (changed(state, 1, five), ["seat 1 hides more than the 4 cards dealt"]),
        (
            changed(state, 2, player("S1 S2", bid="S1 M", kept="M")),
            ["seat 2 has bid a merchant"],
        ),
    ]


def offer_cards() -> list[tuple[State, list[str]]]:
    last, middle = last_offer(), limit()
    same_sum = but(last, {1: player(card=4), 2: player(card=4)})
    other = but(
        middle,
        {0: seat(middle, 0)._replace(offer_card=2)},
        stack=(3, 5),
        deck=middle.deck + middle.gone[:3],
        gone=middle.gone[3:],
    )
    return [
        (same_sum, [OTHER_STACK]),
        (middle._replace(stack=(3, 2)), [UNORDERED]),
        (other, [UNORDERED]),
        (middle._replace(stack=(2,)), [OTHER_STACK]),
    ]


def takers() -> list[tuple[State, list[str]]]:
    settling = market_limit()
    return [
        (settling._replace(takers=(0, 3, 4)), ["there is no such seat as one of the takers"]),
        (settling._replace(takers=(-1,)), ["there is no such seat as one of the takers"]),
        (settling._replace(takers=(3, 0, 1)), [TAKERS]),
        (settling._replace(takers=(0, 3)), [TAKERS]),
        (settling._replace(takers=(3,)), [TAKERS]),
        (market()._replace(takers=(0, 1, 3)), [TAKERS]),
        (limit()._replace(takers=(0,)), [TAKERS]),
        (auction()._replace(takers=(3,)), [TAKERS, EARLY_TAKERS]),
        (final_sale()._replace(takers=(2,)), [TAKERS, EARLY_TAKERS]),
    ]


def deck_sizes() -> list[tuple[State, list[str]]]:
    found = []
    for state in (auction(), giving(), limit(), market(), final_sale(), over()):
        size = len(state.deck)
        long = state._replace(deck=(*state.deck, state.gone[0]), gone=state.gone[1:])
        found.append((long, [deck_of(size + 1, size)]))
    state = auction()
    short = state._replace(deck=state.deck[1:], gone=gone(state, str(state.deck[0])))
    early = market()
    more = early.setup.deck - len(early.deck)
    whole = early._replace(deck=early.deck + early.gone[:more], gone=early.gone[more:])
    return [*found, (short, [deck_of(60, 61)]), (whole, [WHOLE_DECK])]


def standings() -> list[tuple[State, list[str]]]:
    state, sale = auction(), final_sale()
    both = "seat 3 has an offer card and takes part in an auction"
    outside = "a seat has passed outside an auction"
    same = player("S1", bid="S1 S2", kept="M")
    passed_with_bid = player("O1", bid="O2", passed=True, kept="O4")
    return [
        (but(state, {2: same}), ["two standing bids are worth the same"]),
        (but(giving(), {2: player(bid="O1")}), ["there is a bid outside an auction", GIVEN_EARLY]),
        (but(limit(), {2: player("T1", passed=True)}), [outside]),
        (but(sale, {2: player("O1", passed=True)}), [outside]),
        (but(state, {3: player("T1 T2", card=5, done=True)}), [EARLY_DONE]),
        (but(giving(), {2: player("O1", passed=True, done=True)}), [EARLY_DONE]),
        (but(limit(), {2: player("T1", done=True)}), [EARLY_DONE]),
        (but(market(), {1: player("C2", card=5, done=True)}), [EARLY_DONE]),
        (but(state, {3: player("T1", card=5, bid="T2")}), [both]),
        (but(state, {3: player("T1 T2", card=5, passed=True)}), [both]),
        (but(state, {1: passed_with_bid}), ["seat 1 has passed but still has a bid"]),
        (state._replace(starter=-1), ["there is no such seat as the starter"]),
        (state._replace(starter=4), ["there is no such seat as the starter"]),
    ]


def full_hands() -> list[tuple[State, list[str]]]:
    state, settling = auction(), limit()
    eight = player("O1 O2 M M M M M M", passed=True, kept="O4")
    return [
        (changed(state, 1, eight), [FULL.format(1, 8)]),
        (changed(state, 0, player("C1 C2 G1 M M M M", bid="G3")), [FULL.format(0, 8)]),
        (changed(state, 2, player("S1 S2 M M M M M", bid="S1")), [FULL.format(2, 8)]),
        (changed(settling, 2, player("T1 M M M M M M M M")), [FULL.format(2, 9)]),
        (settling._replace(turn=0), [FULL.format(1, 8), NOTHING_TO_SETTLE]),
    ]


def offers() -> list[tuple[State, list[str]]]:
    state, settling, sale, last = auction(), limit(), final_sale(), last_offer()
    none_left = last._replace(stack=(), offer=(), deck=last.offer + last.deck)
    return [
        (state._replace(offer=state.offer[1:], deck=(state.offer[0], *state.deck)), [SIZE]),
        (settling._replace(offer=settling.deck[:1], deck=settling.deck[1:]), [SIZE]),
        (
            settling._replace(phase=Phase.GIVE, turn=2, starter=2),
            [FULL.format(1, 8), SIZE, GIVEN_EARLY],
        ),
        (sale._replace(offer=sale.gone[:1], gone=sale.gone[1:]), [SIZE]),
        (state._replace(turn=1), [NOT_IN, NOT_NEXT]),
        (state._replace(turn=3), [NOT_IN, NOT_NEXT]),
        (giving()._replace(turn=0), [NOT_IN, GIVEN_EARLY]),
        (none_left, [OTHER_STACK, NOT_IN]),
        (last._replace(phase=Phase.AUCTION), [LAST_OFFER]),
        (state._replace(turn=0), [NOT_NEXT]),
        (but(state, {1: player("O1 O2", kept="O4")}), [NOT_NEXT]),
        (but(state, {1: player("O1", bid="O2", kept="O4")}), [NOT_NEXT]),
    ]


def moments() -> list[tuple[State, list[str]]]:
    state, sale, end, settling = auction(), final_sale(), over(), limit()
    seven = player("C1 C2 G1 G2 O1 O2 S1", card=4)
    eight = player("C1 C2 G1 G2 O1 O2 S1 S2")
    return [
        (end._replace(turn=0), [OVER]),
        (but(end, {1: player("C1", kept="W1")}), [OVER]),
        (state._replace(turn=None), [NO_SEAT]),
        (state._replace(turn=4), [NO_SEAT]),
        (state._replace(turn=-1), [NO_SEAT]),
        (sale._replace(turn=None), [NO_SEAT]),
        (changed(settling, 1, seven), [NOTHING_TO_SETTLE]),
        (but(settling, {1: eight, 2: player("T1", card=4)}), [NOTHING_TO_SETTLE]),
        (market()._replace(market=(), gone=gone(market(), "W1 W2")), [NOTHING_TO_TAKE]),
        (market()._replace(turn=3), [NOTHING_TO_TAKE]),
        (market()._replace(takers=()), [NOTHING_TO_TAKE]),
        (sale._replace(market=sale.gone[:1], gone=sale.gone[1:]), [LEFT]),
        (sale._replace(turn=2), [FINAL]),
        (sale._replace(turn=0), [FINAL]),
        (but(sale, {2: player("O1", card=6)}, stack=(2, 4)), [LEFT]),
        (end._replace(market=end.gone[:1], gone=end.gone[1:]), [LEFT]),
    ]


def callers() -> list[tuple[State, list[str]]]:
    """Return flawed auctions without a bid, and flawed states in which a winner gives a card."""
    first = position(Phase.AUCTION, 0, player(), player(), player(card=6))
    second = position(
        Phase.AUCTION, 2, player(), player(passed=True), player(), player(card=5), starter=1
    )
    give = giving()
    return [
        (first._replace(turn=1), [NOT_FIRST]),
        (first._replace(starter=1), [NOT_FIRST]),
        (second._replace(turn=0), [NOT_FIRST]),
        (second._replace(starter=2), [NOT_FIRST]),
        (second._replace(starter=0), [NOT_FIRST]),
        (but(second, {2: player(passed=True)}), [NOT_IN, NOT_FIRST]),
        (but(second, {0: player(passed=True)}), [NOT_FIRST]),
        (but(first, {0: player(passed=True), 1: player(passed=True)}), [NOT_IN, NOT_FIRST]),
        (auction()._replace(starter=3), [STARTER]),
        (first._replace(starter=2), [STARTER]),
        (last_offer()._replace(starter=0), [STARTER]),
        (but(give, {0: player("C1")}), [GIVEN_EARLY]),
        (but(give, {2: player("O1")}), [GIVEN_EARLY]),
        (but(give, {0: player("C1"), 2: player("O1")}), [GIVEN_EARLY]),
    ]


BROKEN = [
    *counts(),
    *hidden_cards(),
    *offer_cards(),
    *takers(),
    *deck_sizes(),
    *standings(),
    *full_hands(),
    *offers(),
    *callers(),
    *moments(),
]


@pytest.mark.parametrize(("state", "expected"), BROKEN)
def test_flaws_of_a_broken_state(state: State, expected: list[str]) -> None:
    assert list(flaws(state)) == expected


SOUND = [
    auction(),
    giving(),
    limit(),
    market(),
    market_limit(),
    last_offer(),
    final_sale(),
    over(),
    auction()._replace(starter=0),
    auction()._replace(starter=1),
    giving()._replace(starter=0),
    market_limit()._replace(takers=()),
    market_limit()._replace(takers=(1,)),
    position(Phase.AUCTION, 0, player("C1 C2 G1 G2 O1 O2 S1"), player(), player()),
    position(Phase.AUCTION, 2, player("C1 C2 G1 G2 O1", bid="O2 S1"), player(bid="W4"), player()),
    position(Phase.AUCTION, 2, player(card=6), player(passed=True), player(), starter=1),
    position(Phase.AUCTION, 0, player(), player(passed=True), player(passed=True), starter=1),
    position(Phase.AUCTION, 1, player(card=4), player(), player(card=5), player(), starter=1),
]


@pytest.mark.parametrize("state", SOUND)
def test_a_consistent_state_has_no_flaws(state: State) -> None:
    assert list(flaws(state)) == []


@pytest.mark.parametrize("players", TABLES)
@pytest.mark.parametrize("seed", [101, 102])
def test_the_states_of_a_game_have_no_flaws(players: int, seed: int) -> None:
    assert list(flaws(begin(Deal.from_seed(players, seed)))) == []
    for step in random_game(players, seed):
        assert list(flaws(step.after)) == []


@pytest.mark.parametrize("players", TABLES)
def test_r1_2_no_card_is_lost_or_made_in_play(players: int) -> None:
    for step in random_game(players, 103):
        assert tuple(sorted(all_cards(step.after))) == ALL_CARDS


@pytest.mark.parametrize("players", TABLES)
def test_cards_are_in_face_order_in_play(players: int) -> None:
    for step in random_game(players, 104):
        state = step.after
        piles = [state.offer, state.market, state.removed, state.gone]
        for one in state.players:
            piles += [one.hand, one.hidden, one.bid, one.kept]
        assert [list(pile) for pile in piles] == [sorted(pile) for pile in piles]


def test_all_cards_are_found_in_every_place() -> None:
    state = auction()
    assert [len(pile) > 0 for pile in (state.offer, state.market, state.deck)] == [True] * 3
    assert tuple(sorted(all_cards(state))) == ALL_CARDS
    without_hand = but(state, {0: player(bid="G3")})
    assert len(all_cards(without_hand)) == 108
