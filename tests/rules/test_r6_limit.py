"""R6: the hand limit."""

from __future__ import annotations

import pytest

from byzanz.rules import Discard, Phase, Sell, State, options

from .positions import but, cards, gone, play, player, position, refused


def won_with(hand: str, hidden: str = "") -> State:
    """Return a state in which seat 1 of four has won a round's first auction and is to give."""
    return position(
        Phase.GIVE,
        1,
        player("C1"),
        player(hand, hidden=hidden),
        player("C2"),
        player("C3"),
        starter=0,
        offer="S1 S1 S2 S3 S4",
        deck="W1 W2 W3 W4",
    )


OTHERS = {0: player("C1"), 2: player("C2"), 3: player("C3")}
"""The other seats, after the auction."""


def test_r6_1_seven_cards_are_within_the_limit() -> None:
    before = won_with("G1 G2 O1")
    state = play(before, "1 give S1")
    assert state == but(
        before,
        {**OTHERS, 1: player("G1 G2 O1 S1 S2 S3 S4", card=5)},
        phase=Phase.AUCTION,
        turn=2,
        starter=2,
        stack=(2, 3, 4),
        market=cards("S1"),
        offer=cards("W1 W2 W3 W4"),
        deck=before.deck[4:],
    )


def test_r6_1_a_seat_with_eight_cards_must_act_at_once() -> None:
    before = won_with("G1 G2 O1 O2", hidden="G1 O2")
    state = play(before, "1 give S1")
    assert state == but(
        before,
        {**OTHERS, 1: player("G1 G2 O1 O2 S1 S2 S3 S4", hidden="G1 O2", card=5)},
        phase=Phase.LIMIT,
        turn=1,
        stack=(2, 3, 4),
        market=cards("S1"),
        offer=(),
    )
    assert state.starter == 0  # seat 0 started the auction that seat 1 won


def test_r6_1_a_seat_above_the_limit_may_discard_any_card_or_sell_any_set() -> None:
    state = play(won_with("G1 G1 G2 M"), "1 give S1")
    choices = list(options(state, 1))
    assert choices[:7] == [Discard(card) for card in cards("G1 G2 S1 S2 S3 S4 M")]
    assert Sell(cards("G1 G2 M")) in choices[7:]
    assert Sell(cards("S2 S3 S4")) in choices[7:]
    assert all(isinstance(choice, Sell) for choice in choices[7:])
    assert choices[7:] == list(options(state, 1).sales)


def test_r6_1_discards_leave_the_game() -> None:
    before = play(won_with("G1 G2 O1 O2", hidden="G1 O2"), "1 give S1")
    state = play(before, "1 discard O2")
    assert state == but(
        before,
        {1: player("G1 G2 O1 S1 S2 S3 S4", hidden="G1", card=5)},
        phase=Phase.AUCTION,
        turn=2,
        starter=2,
        offer=cards("W1 W2 W3 W4"),
        deck=before.deck[4:],
        gone=gone(before, "O2"),
    )


def test_r6_1_a_sale_can_bring_the_hand_within_the_limit() -> None:
    before = play(won_with("G1 G2 O1 O2"), "1 give S1")
    state = play(before, "1 sell S1 S3 S4")
    assert state == but(
        before,
        {1: player("G1 G2 O1 O2 S2", card=5, kept="S4")},
        phase=Phase.AUCTION,
        turn=2,
        starter=2,
        offer=cards("W1 W2 W3 W4"),
        deck=before.deck[4:],
        gone=gone(before, "S1 S3"),
    )


def test_r6_1_discarding_goes_on_until_seven_are_left() -> None:
    state = play(won_with("G1 G2 O1 O2 T1 T2"), "1 give S1")
    assert len(state.players[1].hand) == 10
    for card in ("T1", "T2"):
        before = state
        state = play(state, f"1 discard {card}")
        assert (state.phase, state.turn) == (Phase.LIMIT, 1)
        assert state.gone == gone(before, card)
        assert state.deck == before.deck
    state = play(state, "1 discard O1")
    assert (state.phase, state.turn) == (Phase.AUCTION, 2)


def test_r6_1_a_sale_may_not_be_enough() -> None:
    state = play(won_with("G1 G2 G3 O1 O2 T1 T2"), "1 give S1")
    state = play(state, "1 sell G1 G2 G3")
    assert (state.phase, state.turn) == (Phase.LIMIT, 1)
    state = play(state, "1 discard O1")
    assert (state.phase, state.turn) == (Phase.AUCTION, 2)


def test_r6_1_a_sale_of_another_seat_does_not_end_the_phase() -> None:
    before = position(
        Phase.LIMIT,
        1,
        player("C1 C2 C3"),
        player("G1 G2 O1 O2 S1 S2 T1 T2", card=6),
        player(),
    )
    state = play(before, "0 sell C1 C2 C3")
    assert (state.phase, state.turn, state.deck) == (Phase.LIMIT, 1, before.deck)


@pytest.mark.parametrize("hand", ["C1", "C1 C2 C3 C4 G1 G2 G3"])
def test_r6_1_nobody_discards_within_the_limit(hand: str) -> None:
    state = position(Phase.AUCTION, 0, player(hand), player(), player())
    refusal = refused(state, "0 discard C1")
    held = len(hand.split())
    assert (refusal.rule, refusal.parameters) == ("R6.1", {"held": held, "limit": 7})


def test_r6_1_the_limit_holds_when_all_pass() -> None:
    state = position(
        Phase.AUCTION,
        0,
        player("G1 G2"),
        player(),
        player(),
        offer="S1 S1 S2 S3 S4 M",
    )
    state = play(state, "0 pass", "1 pass", "2 pass")
    assert (state.phase, state.turn) == (Phase.LIMIT, 0)
    assert state.players[0].hand == cards("G1 G2 S1 S1 S2 S3 S4 M")


def test_r6_1_the_limit_holds_after_a_take() -> None:
    before = position(
        Phase.MARKET,
        2,
        player("C1", card=6),
        player("C2", card=4),
        player("G1 G2 G3 O1 O2", card=2),
        market="S1 S2 S2 T1",
        takers=(2, 1, 0),
    )
    state = play(before, "2 take S")
    assert state == but(
        before,
        {2: player("G1 G2 G3 O1 O2 S1 S2 S2", card=2)},
        phase=Phase.LIMIT,
        takers=(1, 0),
        market=cards("T1"),
    )
    after = play(state, "2 discard G1")
    assert after == but(
        state,
        {2: player("G2 G3 O1 O2 S1 S2 S2", card=2)},
        phase=Phase.MARKET,
        turn=1,
        gone=gone(state, "G1"),
    )
    assert play(state, "2 sell G1 G2 G3").turn == 1


def test_r6_1_seven_cards_after_a_take_are_within_the_limit() -> None:
    state = position(
        Phase.MARKET,
        2,
        player(card=6),
        player(card=4),
        player("G1 G2 G3 O1 O2", card=2),
        market="S1 S2 T1",
        takers=(2, 1, 0),
    )
    state = play(state, "2 take S")
    assert (state.phase, state.turn, len(state.players[2].hand)) == (Phase.MARKET, 1, 7)
