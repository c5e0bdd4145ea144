from __future__ import annotations

import pytest

from byzanz.bots import Bot, make_bot
from byzanz.bots.referee import may_sell, offer_sales, play_action, play_on, play_turn
from byzanz.rules import (
    Action,
    Chance,
    Deal,
    Discard,
    Game,
    IllegalAction,
    Pass,
    Sell,
    View,
    options,
)
from tests.random_games import random_game

START = Game.start(Deal.from_seed(4, 1))


class Seller(Bot):
    """Sells whenever it can, and counts how often it is asked."""

    interrupts = True

    def __init__(self) -> None:
        super().__init__(Chance(0))
        self.asked = 0

    def choose(self, view: View) -> Action:
        return next(iter(view.options))

    def sale(self, view: View) -> Sell | None:
        self.asked += 1
        return view.options.sales[0]


def bots(*seats: int) -> dict[int, Bot]:
    return {seat: make_bot("greedy", seat) for seat in seats}


def test_bots_play_until_a_seat_without_a_bot_is_to_act() -> None:
    game = play_on(START, bots(0, 1, 3))
    assert game.state.turn == 2
    assert {played.seat for played in game.plays} == {0, 1}
    assert play_on(game, bots(0, 1, 3)) is game


def test_bots_alone_play_to_the_end() -> None:
    game = play_on(START, bots(0, 1, 2, 3))
    assert game.over
    with pytest.raises(LookupError):
        play_turn(game, bots(0, 1, 2, 3))


def test_a_turn_is_one_action_of_the_bot_on_turn() -> None:
    game = play_turn(START, bots(0))
    assert [played.seat for played in game.plays] == [0]
    with pytest.raises(LookupError):
        play_turn(game, bots(0))


def test_an_illegal_action_is_refused() -> None:
    with pytest.raises(IllegalAction):
        play_action(START, 1, Pass(), bots(0))
    with pytest.raises(IllegalAction):
        play_action(START, 0, Discard(START.state.players[0].hand[0]), bots(1))


def test_only_bots_out_of_turn_with_a_set_are_offered_a_sale() -> None:
    offered = 0
    for game in random_game(4, 3):
        for seat in range(4):
            able = seat != game.state.turn and bool(options(game.state, seat).sales)
            assert may_sell(game.state, seat) == able
            seller = Seller()
            after = offer_sales(game, {seat: seller})
            assert seller.asked == able
            assert len(after.plays) == len(game.plays) + able
            offered += able
    assert offered


def test_bots_that_never_sell_out_of_turn_are_not_asked() -> None:
    for game in random_game(4, 3):
        seller = Seller()
        seller.interrupts = False
        assert offer_sales(game, dict.fromkeys(range(4), seller)) is game
        assert not seller.asked
