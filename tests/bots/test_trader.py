from __future__ import annotations

import numpy as np
import pytest

from byzanz.bots import Bot
from byzanz.bots.novice import NoviceBot
from byzanz.bots.random_bot import RandomBot
from byzanz.bots.trader import TraderBot
from byzanz.encoding import numbers_of
from byzanz.encoding.moment import Moment
from byzanz.fast import WORDS, deal, to_record, words_of, write_shares
from byzanz.fast.convert import packed
from byzanz.fast.layout import OVER, PHASE, TURN
from byzanz.notation import parse_action
from byzanz.rules import (
    ALL_CARDS,
    Card,
    Cards,
    Chance,
    Phase,
    Sell,
    best_sales,
    in_order,
    kept,
    options,
    profit,
    world,
)
from byzanz.rules.cards import without
from byzanz.search.answers import action_for
from byzanz.search.hand_value import POINTS, hand_value
from byzanz.search.sales import best_sale
from byzanz.search.trader_parameters import habits, values
from byzanz.search.trader_policy import WAIT, answer, play
from tests.bots.tables import one_against_many
from tests.playing import other_world, wild_game
from tests.rules.positions import cards

EARLY, LAST, AFTER = 4, 1, 0


def _trader(seed: int) -> Bot:
    return TraderBot(Chance(seed))


def _value(hand: str, stage: int = EARLY) -> int:
    held = cards(hand)
    return int(hand_value(values(), habits(4)[0], stage, packed(held), held.count(Card.M)))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_trader_answers_legally_and_never_sells_early(players: int) -> None:
    bot = _trader(0)
    for game in wild_game(players, 5):
        for seat in game.state.waiting_for:
            choice = bot.choose(game.view(seat))
            assert choice in options(game.state, seat)
            if isinstance(choice, Sell):
                assert game.state.phase in (Phase.LIMIT, Phase.FINAL_SALE)


def test_a_trader_sees_its_view_alone() -> None:
    bot = _trader(0)
    for number, game in enumerate(wild_game(5, 2)):
        for seat in game.state.waiting_for:
            other = other_world(game, seat, number)
            assert bot.choose(other.view(seat)) == bot.choose(game.view(seat))


@pytest.mark.parametrize("players", [3, 6])
def test_the_compiled_trader_sees_no_hidden_card_of_a_record(players: int) -> None:
    for game in wild_game(players, 3):
        seat = game.state.turn
        if seat is not None and game.state.phase is not Phase.FINAL_SALE:
            seen = game.view(seat)
            merchants_first = sorted(seen.pool, reverse=True)
            states = world(seen, seen.pool), world(seen, merchants_first), game.state
            records = [words_of(to_record(Moment(state)))[0] for state in states]
            assert len({answer(each, values(), habits(players)) for each in records}) == 1


def test_a_trader_beats_random_players_and_novices() -> None:
    won, games = one_against_many(_trader, lambda seed: RandomBot(Chance(seed)), 4, deals=2)
    assert won >= 0.9 * games
    won, games = one_against_many(_trader, lambda seed: NoviceBot(Chance(seed)), 4, deals=3)
    assert won > 0.5 * games


def test_never_bidding_does_not_beat_traders() -> None:
    """Who only waits for the market's gifts wins less than a fair share."""
    trader, waiter = habits(4), habits(4).copy()
    waiter[WAIT : WAIT + 7] = 1 << 30
    game, shares = np.zeros(WORDS, dtype=np.int64), np.zeros(6)
    won = 0.0
    for seed in range(80):
        deal(game, 4, seed)
        while game[PHASE] != OVER:
            play(game, answer(game, values(), waiter if game[TURN] == seed % 4 else trader))
        write_shares(game, shares)
        won += shares[seed % 4]
    assert won < 0.25 * 80


def test_a_hand_is_worth_its_sets_and_less_for_what_may_become_one() -> None:
    assert _value("C1 C2 C4") == 4 * POINTS
    assert min(_value("C4 M M"), _value("C1 C4 M")) >= 4 * POINTS  # a merchant may wait for more
    assert _value("M M M") >= 5 * POINTS
    assert _value("C4 C3") > _value("C4 W3") > _value("C1 W1") > _value("")
    assert _value("M") > _value("C4")


def test_towards_the_end_only_sets_count() -> None:
    assert _value("C4 C3 C1") == _value("C4 C3 C1", LAST) == _value("C4 C3 C1", AFTER)
    assert _value("C4 C3") > _value("C4 C3", LAST) > _value("C4 C3", AFTER) == 0


def test_cards_above_the_limit_that_no_set_clears_are_as_good_as_lost() -> None:
    full = "C4 C3 G4 G3 O4 O3 S1"
    assert _value(full + " T1") < _value(full)
    assert _value("C1 " + full) > _value(full)


def test_the_compiled_final_sale_earns_as_much_as_the_exact_one() -> None:
    chance = Chance(3)
    for _ in range(300):
        deck = list(ALL_CARDS)
        chance.shuffle(deck)
        hand = in_order(deck[: 3 + chance.below(5)] + [Card.M] * chance.below(3))
        expected = profit(kept(sale.cards) for sale in best_sales(hand, last=True))
        assert _sold(hand) == expected, hand


def _sold(hand: Cards) -> int:
    """What the compiled sale earns."""
    earned = 0
    none = np.int64(0)
    while True:
        sale = best_sale(values(), none, none, packed(hand), hand.count(Card.M))
        if sale < 0:
            return earned
        action = action_for(int(sale) & 1023)
        assert isinstance(action, Sell)
        hand = without(hand, action.cards)
        earned += profit([kept(action.cards)])


@pytest.mark.parametrize("text", ["pass", "give C4", "take M", "discard W1", "sell C1 C4 M"])
def test_answers_are_the_numbers_of_actions(text: str) -> None:
    action = parse_action(text)
    assert action_for(numbers_of(action)[0]) == action


def test_a_bid_is_one_answer() -> None:
    assert action_for(-packed(cards("C1 C1 S2"))) == parse_action("bid C1 C1 S2")
