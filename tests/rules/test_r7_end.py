"""R7: the final sale and the winner."""

from __future__ import annotations

import pytest

from byzanz.rules import (
    Card,
    Done,
    IllegalResult,
    Kind,
    Pass,
    Phase,
    Player,
    Reason,
    Refusal,
    Result,
    Sell,
    State,
    Take,
    check_result,
    options,
    result,
    tie_break,
)

from .positions import TABLES, but, cards, gone, play, player, position, random_game


def sale(*players: Player) -> State:
    first = next(seat for seat, one in enumerate(players) if not one.done)
    return position(Phase.FINAL_SALE, first, *players)


def over(*hands_and_kept: tuple[str, str]) -> State:
    seats = [player(hand, kept=kept, done=True) for hand, kept in hands_and_kept]
    return position(Phase.OVER, None, *seats)


def test_r7_1_after_the_last_market_everyone_may_sell_once_more() -> None:
    state = position(
        Phase.MARKET,
        0,
        player("C1 C2 C3", card=2),
        player("G1 G2 G3", card=4),
        player("O1", card=6),
        market="T1",
        rounds=8,
        takers=(0, 1, 2),
    )
    state = play(state, "0 take T")
    assert (state.phase, state.turn, state.waiting_for) == (Phase.FINAL_SALE, 0, (0, 1, 2))
    assert list(options(state, 0)) == [Done(), Sell(cards("C1 C2 C3"))]
    assert list(options(state, 1)) == [Done(), Sell(cards("G1 G2 G3"))]
    assert list(options(state, 2)) == [Done()]


def test_r7_1_sales_of_the_final_sale_count() -> None:
    before = sale(player("C1 C2 C4 T1"), player(), player())
    after = play(before, "0 sell C1 C2 C4")
    assert after == but(before, {0: player("T1", kept="C4")}, gone=gone(before, "C1 C2"))
    assert result(after) == Result((4, 0, 0), (0,))


@pytest.mark.parametrize("players", TABLES)
def test_r7_1_the_final_sale_comes_once_and_last(players: int) -> None:
    phases = [step.after.phase for step in random_game(players, 11)]
    first = phases.index(Phase.FINAL_SALE)
    assert Phase.FINAL_SALE not in phases[:first]
    assert set(phases[first:]) == {Phase.FINAL_SALE, Phase.OVER}
    assert phases[-1] is Phase.OVER


def test_r7_2_most_profit_wins() -> None:
    state = over(("", "C4 C4"), ("C1 C2 C3 G1 G2 G3", "G4 O3"), ("", "S4 T4 W1"))
    assert result(state) == Result((8, 7, 9), (2,))


def test_r7_2_a_kept_merchant_counts_5() -> None:
    state = over(("", "M"), ("C1", "G4"), ("C1", "O1 O1 O1"))
    assert result(state) == Result((5, 4, 3), (0,))


def test_r7_2_a_tie_goes_to_the_most_goods_cards_in_hand() -> None:
    state = over(("C1 C2", "G4"), ("C1 C2 C3", "O4"), ("C4", "S4"), ("W1 W2 W3 W4", "S3"))
    assert result(state) == Result((4, 4, 4, 3), (1,))


def test_r7_2_worth_in_hand_does_not_count() -> None:
    state = over(("C4", "G4"), ("C1 C1", "O4"), ("", ""))
    assert result(state) == Result((4, 4, 0), (1,))


def test_r7_2_a_seat_with_nothing_can_win() -> None:
    assert result(over(("", ""), ("C1", ""), ("", ""))) == Result((0, 0, 0), (1,))


def test_r7_2_the_game_is_over_when_all_are_done() -> None:
    before = sale(player("C1", kept="M"), player(done=True), player())
    middle = play(before, "0 done")
    assert middle == but(before, {0: player("C1", kept="M", done=True)}, turn=2)
    after = play(middle, "2 done")
    assert after == but(middle, {2: player(done=True)}, phase=Phase.OVER, turn=None)
    assert after.waiting_for == ()
    assert result(after) == Result((5, 0, 0), (0,))


def test_r7_2_no_action_is_legal_after_the_game() -> None:
    state = over(("C1 C2 C3", ""), ("", ""), ("", ""))
    for seat in range(3):
        choices = options(state, seat)
        assert list(choices) == []
        assert (choices.sales, choices.bids, choices.answers) == ((), (), ())
        assert not choices.on_turn
        for action in (Pass(), Done(), Sell(cards("C1 C2 C3")), Take(Kind.CLOTH)):
            assert choices.refusal(action) == Refusal(Reason.GAME_OVER, "R7.2")


def test_r7_2_the_tie_break_counts_goods_cards() -> None:
    assert tie_break(cards("C1 C4 W1")) == 3
    assert tie_break(cards("C1 M M")) == 1
    assert tie_break((Card.M,)) == 0
    assert tie_break(()) == 0


def test_r7_2_a_wrong_result_is_refused() -> None:
    state = over(("", "C4 C4"), ("", "G4"), ("", "S1"))
    check_result(state, Result((8, 4, 1), (0,)))
    with pytest.raises(IllegalResult) as caught:
        check_result(state, Result((8, 4, 2), (0,)))
    assert caught.value.refusal == Refusal(
        Reason.WRONG_PROFIT, "R7.2", {"found": "8, 4, 2", "expected": "8, 4, 1"}
    )
    with pytest.raises(IllegalResult) as caught:
        check_result(state, Result((8, 4, 1), (0, 1)))
    assert caught.value.refusal == Refusal(
        Reason.WRONG_WINNERS, "R7.2", {"found": "0, 1", "expected": "0"}
    )


def test_r7_2_a_result_before_the_end_is_refused() -> None:
    state = sale(player(), player(), player())
    with pytest.raises(IllegalResult) as caught:
        check_result(state, result(state))
    assert caught.value.refusal == Refusal(Reason.RESULT_TOO_EARLY, "R7.1", {"phase": "final-sale"})
