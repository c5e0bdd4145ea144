"""R5: selling sets of three."""

from __future__ import annotations

import pytest

from byzanz.rules import Card, Phase, Sell, State, options, profit

from .positions import but, cards, gone, play, player, position, refused

WARES = "C1 C1 C4 G3 G4 M M"


def auction() -> State:
    return position(Phase.AUCTION, 1, player(WARES, hidden="C1 C4 M"), player("O1"), player("O2"))


def limit() -> State:
    overfull = player("G1 G2 O1 O2 S1 S2 T1 T2", card=6)
    return position(Phase.LIMIT, 1, player(WARES, hidden="C1 C4 M"), overfull, player("O2"))


def market() -> State:
    return position(
        Phase.MARKET,
        1,
        player(WARES, hidden="C1 C4 M", card=6),
        player("O1", card=2),
        player("O2", card=4),
        market="T1",
        takers=(1, 2, 0),
    )


def giving() -> State:
    return position(Phase.GIVE, 1, player(WARES, hidden="C1 C4 M"), player("O1"), player("O2"))


def final_sale() -> State:
    return position(
        Phase.FINAL_SALE, 0, player(WARES, hidden="C1 C4 M"), player("O1"), player("O2")
    )


ANY_TIME = [auction(), giving(), limit(), market(), final_sale()]


@pytest.mark.parametrize("before", ANY_TIME, ids=lambda state: state.phase.value)
def test_r5_1_a_set_is_sold_at_any_time_also_out_of_turn(before: State) -> None:
    sold = before.players[0]._replace(hand=cards("G3 G4 M M"), hidden=cards("M"), kept=cards("C4"))
    assert play(before, "0 sell C1 C1 C4") == but(before, {0: sold}, gone=gone(before, "C1 C1"))


@pytest.mark.parametrize("state", ANY_TIME, ids=lambda state: state.phase.value)
def test_r5_1_sales_are_listed_at_any_time(state: State) -> None:
    sales = options(state, 0).sales
    assert Sell(cards("C1 C1 C4")) in sales
    assert set(sales) <= set(options(state, 0))


def test_r5_1_a_seat_on_turn_may_sell_and_still_act() -> None:
    state = position(Phase.AUCTION, 0, player("C1 C2 C3 G1"), player(), player())
    after = play(state, "0 sell C1 C2 C3")
    assert after == but(state, {0: player("G1", kept="C3")}, gone=gone(state, "C1 C2"))
    assert play(after, "0 bid G1").turn == 1


def test_r5_1_a_seat_may_sell_after_passing_and_with_an_offer_card() -> None:
    state = position(
        Phase.AUCTION, 2, player(card=6), player("C1 C2 C3", passed=True), player("G1"), starter=1
    )
    after = play(state, "1 sell C1 C2 C3")
    assert after.players[1] == player(passed=True, kept="C3")
    state = position(Phase.AUCTION, 1, player("C1 C2 C3", card=6), player("O1"), player("G1"))
    assert play(state, "0 sell C1 C2 C3").players[0] == player(card=6, kept="C3")


@pytest.mark.parametrize("move", ["C1 C1", "C1 C1 C4 M", "C4"])
def test_r5_1_a_set_has_exactly_three_cards(move: str) -> None:
    refusal = refused(auction(), f"0 sell {move}")
    assert (refusal.rule, refusal.parameters) == ("R5.1", {"found": len(move.split())})


def test_r5_1_a_set_is_of_one_good() -> None:
    refusal = refused(auction(), "0 sell C1 C1 G3")
    assert (refusal.rule, refusal.parameters) == ("R5.1", {"cards": cards("C1 C1 G3")})
    assert refused(auction(), "0 sell C1 G3 M").rule == "R5.1"


@pytest.mark.parametrize(
    ("sold", "stays", "leaves"),
    [
        ("C1 C1 C4", "C4", "C1 C1"),
        ("C1 C2 C3", "C3", "C1 C2"),
        ("C2 C2 C2", "C2", "C2 C2"),
        ("C1 C3 C3", "C3", "C1 C3"),
    ],
)
def test_r5_1_the_highest_card_stays_as_profit(sold: str, stays: str, leaves: str) -> None:
    before = position(Phase.AUCTION, 1, player(sold, kept="G1 W4"), player(), player())
    after = play(before, f"0 sell {sold}")
    assert after == but(before, {0: player(kept=f"{stays} G1 W4")}, gone=gone(before, leaves))


def test_r5_1_a_set_is_the_same_in_any_order() -> None:
    assert Sell(cards("M C4 C1")) == Sell(cards("C1 C4 M"))
    assert Sell(cards("M C4 C1")).cards == cards("C1 C4 M")


@pytest.mark.parametrize(
    ("sold", "stays", "leaves"),
    [
        ("G3 G4 M", "G4", "G3 M"),
        ("G1 M M", "G1", "M M"),
    ],
)
def test_r5_2_a_merchant_stands_in_and_is_not_kept(sold: str, stays: str, leaves: str) -> None:
    before = position(Phase.AUCTION, 1, player(f"C1 {sold}"), player(), player())
    after = play(before, f"0 sell {sold}")
    assert after == but(before, {0: player("C1", kept=stays)}, gone=gone(before, leaves))


def test_r5_3_three_merchants_are_a_set_that_counts_5() -> None:
    before = position(Phase.AUCTION, 1, player("C1 M M M M", hidden="M"), player(), player())
    after = play(before, "0 sell M M M")
    assert after == but(before, {0: player("C1 M", hidden="M", kept="M")}, gone=gone(before, "M M"))
    assert profit(after.players[0].kept) == 5
    assert profit((Card.M, Card.C4, Card.W1)) == 10


def test_r5_3_merchants_are_kept_after_all_goods() -> None:
    before = position(Phase.AUCTION, 1, player("M M M", kept="C1 W4 M"), player(), player())
    assert play(before, "0 sell M M M").players[0].kept == cards("C1 W4 M M")
