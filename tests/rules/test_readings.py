"""I1 to I9: readings of what the rulebooks leave open."""

from __future__ import annotations

import pytest

from byzanz.rules import (
    Bid,
    Card,
    Deal,
    Discard,
    Done,
    Kind,
    Pass,
    Phase,
    Reason,
    Refusal,
    Result,
    Sell,
    State,
    Take,
    Won,
    begin,
    options,
    result,
    view,
)

from .positions import (
    TABLES,
    but,
    cards,
    gone,
    left_over,
    play,
    player,
    position,
    refused,
    seen,
    table,
)


@pytest.mark.parametrize("players", TABLES)
def test_i1_the_last_one_asked_still_chooses(players: int) -> None:
    last = players - 1
    hands = ["G1 O1 S1 W1"] * last + ["C1 C2 T1 M"]
    state = play(table(players, hands), *[f"{seat} pass" for seat in range(last)])
    assert (state.phase, state.turn, state.highest) == (Phase.AUCTION, last, 0)
    assert Pass() in options(state, last)
    assert Bid(cards("C1")) in options(state, last)


@pytest.mark.parametrize("players", TABLES)
def test_i1_a_bid_of_the_last_one_asked_wins_at_once(players: int) -> None:
    last = players - 1
    seats = [player("C1", passed=True) for _ in range(last)]
    state = position(Phase.AUCTION, last, *seats, player("G1 G2"), starter=0, offer="T4")
    after = play(state, f"{last} bid G2")
    assert after == but(
        state, {last: player("G1")}, phase=Phase.GIVE, turn=last, market=cards("G2")
    )
    after = play(after, f"{last} give T4")
    assert after.market == cards("G2 T4")
    assert after.players[last].offer_card == state.stack[-1]


@pytest.mark.parametrize("players", TABLES)
def test_i1_a_pass_of_the_last_one_asked_means_all_passed(players: int) -> None:
    last = players - 1
    seats = [player(passed=True) for _ in range(last)]
    state = position(Phase.AUCTION, last, *seats, player("G1 G2"), starter=0)
    after = play(state, f"{last} pass")
    assert after.players[0].hand == state.offer
    assert after.players[0].offer_card == state.stack[-1]
    assert after.market == ()
    assert (after.phase, after.turn, after.starter) == (Phase.AUCTION, 1, 1)


def test_i2_merchants_count_against_the_hand_limit() -> None:
    state = position(
        Phase.MARKET,
        0,
        player("C1 G1 O1 S1 T1 M", card=2),
        player(card=4),
        player(card=6),
        market="W1 M M",
        takers=(0, 1, 2),
    )
    assert play(state, "0 take W").phase is Phase.MARKET
    over = play(state, "0 take M")
    assert (over.phase, over.turn) == (Phase.LIMIT, 0)
    assert Discard(Card.M) in options(over, 0)
    assert play(over, "0 discard M").phase is Phase.MARKET


def ended(*hands: str) -> State:
    """Return a finished game in which all seats have the same profit."""
    return position(Phase.OVER, None, *[player(hand, kept="W1", done=True) for hand in hands])


def test_i3_the_tie_break_does_not_count_merchants() -> None:
    assert result(ended("C1 M M M", "G1 G2", "")) == Result((1, 1, 1), (1,))


def test_i3_if_still_tied_the_win_is_shared() -> None:
    assert result(ended("C1 M", "", "G4")) == Result((1, 1, 1), (0, 2))
    assert result(ended("", "M", "")) == Result((1, 1, 1), (0, 1, 2))


def test_i4_a_seat_must_take_while_the_market_has_cards() -> None:
    state = position(
        Phase.MARKET,
        1,
        player(card=4),
        player("C1", card=2),
        player(card=6),
        market="W4",
        takers=(1, 0, 2),
    )
    assert list(options(state, 1)) == [Take(Kind.WINE)]
    assert refused(state, "1 pass") == Refusal(Reason.NOT_NOW, "R3.5", {"phase": "market"})
    assert refused(state, "1 done") == Refusal(Reason.NOT_NOW, "I8", {"phase": "market"})


def test_i4_with_an_empty_market_the_others_are_skipped() -> None:
    before = position(
        Phase.MARKET,
        2,
        player("C1", card=4),
        player("C2", card=5),
        player("C3", card=2),
        player("G1", card=3),
        market="S1 S2 T4",
        takers=(2, 3, 0, 1),
        deck="W1 W2 W3 W4 O1",
    )
    state = play(before, "2 take S")
    assert (state.phase, state.turn) == (Phase.MARKET, 3)
    state = play(state, "3 take T")
    assert state == but(
        before,
        {0: player("C1"), 1: player("C2"), 2: player("C3 S1 S2"), 3: player("G1 T4")},
        phase=Phase.AUCTION,
        turn=2,
        starter=2,
        stack=(2, 3, 4, 5),
        takers=(),
        market=(),
        offer=cards("O1 W1 W2 W3 W4"),
        deck=before.deck[5:],
    )


def test_i5_the_limit_applies_before_the_next_offer_is_turned_up() -> None:
    before = position(
        Phase.GIVE,
        0,
        player("C1 C2 G1 G2 O1"),
        player(),
        player(),
        offer="S1 S2 S3 T1 T2 T3",
        deck="W1 W2 W3 W4",
    )
    state = play(before, "0 give S1")
    assert (state.phase, state.turn) == (Phase.LIMIT, 0)
    assert (state.offer, state.deck) == ((), before.deck)
    for card in ("C1", "C2"):
        state = play(state, f"0 discard {card}")
        assert (state.phase, state.turn, state.offer) == (Phase.LIMIT, 0, ())
    state = play(state, "0 discard G1")
    assert (state.phase, state.turn) == (Phase.AUCTION, 1)
    assert state.offer == cards("W1 W2 W3 W4")


def test_i5_the_limit_applies_before_the_next_player_takes() -> None:
    state = position(
        Phase.MARKET,
        0,
        player("C1 C2 G1 G2 O1 O2", card=2),
        player(card=4),
        player(card=6),
        market="S1 S2 T1",
        takers=(0, 1, 2),
    )
    state = play(state, "0 take S")
    assert (state.phase, state.turn, state.takers) == (Phase.LIMIT, 0, (1, 2))
    assert list(options(state, 1)) == []
    assert refused(state, "1 take T") == Refusal(Reason.NOT_NOW, "R4.1", {"phase": "limit"})
    state = play(state, "0 discard C1")
    assert (state.phase, state.turn) == (Phase.MARKET, 1)


def test_i5_the_limit_applies_to_the_last_taker_before_the_market_is_cleared() -> None:
    before = position(
        Phase.MARKET,
        2,
        player(card=2),
        player(card=4),
        player("C1 C2 G1 G2 O1 O2", card=6),
        market="S1 S2 T1",
        takers=(2,),
        deck="W1 W1 W1 W1 W1 W1",
    )
    state = play(before, "2 take S")
    assert (state.phase, state.turn, state.takers) == (Phase.LIMIT, 2, ())
    assert (state.market, state.stack, state.gone) == (cards("T1"), (), before.gone)
    state = play(state, "2 discard C1")
    assert (state.phase, state.turn, state.starter) == (Phase.AUCTION, 0, 0)
    assert (state.market, state.stack) == ((), (2, 4, 6))
    assert state.gone == gone(before, "C1 T1")
    assert state.offer == cards("W1 W1 W1 W1 W1 W1")


def test_i5_the_limit_applies_to_the_last_winner_before_the_market_opens() -> None:
    state = position(
        Phase.GIVE,
        1,
        player(card=6),
        player("C1 C2 G1 G2 O1 O2 S1"),
        player(card=4),
        offer="T1 T2",
    )
    state = play(state, "1 give T2")
    assert (state.phase, state.turn, state.takers) == (Phase.LIMIT, 1, (1, 2, 0))
    state = play(state, "1 discard T1")
    assert (state.phase, state.turn, state.takers) == (Phase.MARKET, 1, (1, 2, 0))


def test_i5_discards_stop_at_seven() -> None:
    state = position(
        Phase.LIMIT, 0, player("C1 C2 G1 G2 O1 O2 S1 S2 T1", card=6), player(), player()
    )
    state = play(state, "0 discard C1", "0 discard C2")
    assert len(state.players[0].hand) == 7
    assert refused(state, "0 discard G1") == Refusal(
        Reason.WITHIN_LIMIT, "R6.1", {"held": 7, "limit": 7}
    )


def test_i6_bids_takes_discards_and_sold_sets_are_open() -> None:
    state = table(3, ["C1 C2 C3 C4", "G1 G2 G3 G4"], deck="S1 S2 S3 S4 T1 T2")
    assert view(state, 1).players[0].unknown == 4
    state = play(state, "0 bid C1", "1 bid G2", "2 pass", "0 pass")
    seen_by_all = view(state, None).players
    assert (seen_by_all[0].known, seen_by_all[0].unknown) == (cards("C1"), 3)
    state = play(state, "1 give T1", "0 sell C2 C3 C4", "1 discard G1")
    seen_by_all = view(state, None).players
    assert (seen_by_all[0].known, seen_by_all[0].unknown) == (cards("C1"), 0)
    assert seen_by_all[0].kept == cards("C4")
    assert (seen_by_all[1].known, seen_by_all[1].unknown) == (cards("S1 S2 S3 S4 T2"), 2)
    assert view(state, None).gone == cards("C2 C3 G1")


def test_i6_only_dealt_hands_the_deck_and_the_removed_cards_are_hidden() -> None:
    dealt = Deal.from_seed(4, 21)
    state = begin(dealt)
    hidden = [card for hand in dealt.hands for card in hand] + [*state.deck, *state.removed]
    assert sorted(view(state, None).pool) == sorted(hidden)
    assert list(view(state, 2).pool) == left_over([*state.offer, *dealt.hands[2]])


def bid_of_set() -> State:
    """Return a state in which seat 0 has bid two of its three cloth cards."""
    return position(
        Phase.AUCTION, 1, player("C1 G1 G2 G3", bid="C2 C3"), player("T4 W4"), player("O1")
    )


def test_i7_cards_in_a_bid_cannot_be_sold() -> None:
    state = bid_of_set()
    assert refused(state, "0 sell C1 C2 C3") == Refusal(
        Reason.CARD_IN_BID, "I7", {"cards": cards("C2 C3")}
    )
    assert list(options(state, 0)) == [Sell(cards("G1 G2 G3"))]


def test_i7_hand_cards_can_be_sold_during_a_bid_and_the_bid_stays() -> None:
    before = bid_of_set()
    state = play(before, "0 sell G1 G2 G3")
    assert state == but(
        before, {0: player("C1", bid="C2 C3", kept="G3")}, gone=gone(before, "G1 G2")
    )


def test_i7_a_bid_taken_back_can_be_sold() -> None:
    state = play(bid_of_set(), "1 bid T4 W4", "2 pass", "0 pass", "0 sell C1 C2 C3")
    assert state.players[0].hand == cards("G1 G2 G3")
    assert state.players[0].kept == cards("C3")


def final_sale() -> State:
    return position(
        Phase.FINAL_SALE, 0, player("C1 C2 C3 G1 G2 G3"), player("O1 O2 O3"), player("T1")
    )


def test_i8_each_seat_sells_any_number_of_sets_and_says_done() -> None:
    before = final_sale()
    state = play(before, "1 sell O1 O2 O3", "0 sell G1 G2 G3", "0 sell C1 C2 C3", "1 done")
    assert state == but(
        before,
        {0: player(kept="C3 G3"), 1: player(kept="O3", done=True)},
        gone=gone(before, "C1 C2 G1 G2 O1 O2"),
    )
    assert (state.turn, state.waiting_for) == (0, (0, 2))


def test_i8_after_done_a_seat_cannot_act() -> None:
    before = final_sale()
    state = play(before, "0 done")
    assert state == but(before, {0: player("C1 C2 C3 G1 G2 G3", done=True)}, turn=1)
    assert list(options(state, 0)) == []
    assert not options(state, 0).on_turn
    assert options(state, 1).on_turn
    assert options(state, 2).on_turn
    assert refused(state, "0 sell C1 C2 C3") == Refusal(Reason.ALREADY_DONE, "I8")
    assert refused(state, "0 done") == Refusal(Reason.ALREADY_DONE, "I8")


def test_i8_the_order_of_done_is_free() -> None:
    state = play(final_sale(), "2 done")
    assert (state.turn, state.waiting_for) == (0, (0, 1))
    assert Done() in options(state, 1)
    state = play(state, "0 done")
    assert (state.turn, state.waiting_for) == (1, (1,))
    state = play(state, "1 done")
    assert (state.phase, state.turn, state.waiting_for) == (Phase.OVER, None, ())


@pytest.mark.parametrize("players", TABLES)
def test_i9_the_starter_of_the_auction_passed_first(players: int) -> None:
    starter = players - 1
    seats = [player("C1") for _ in range(players)]
    state = position(Phase.AUCTION, starter, *seats, starter=starter)
    order = [starter, *range(players - 1)]
    moves = [f"{seat} pass" for seat in order]
    after = play(state, *moves)
    assert after.players[starter].offer_card == state.stack[-1]
    won = [event for event in seen(state, *moves) if isinstance(event, Won)]
    assert won == [Won(starter, state.stack[-1], ())]
