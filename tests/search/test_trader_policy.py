from __future__ import annotations

import numpy as np
import pytest

from byzanz.encoding.moment import Moment
from byzanz.fast import RECORD_LENGTH, deal, rows_of, to_record, write_shares
from byzanz.fast.layout import OVER, PHASE, TURN
from byzanz.rules import Phase, world
from byzanz.search.trader_parameters import hand_values, parameters
from byzanz.search.trader_policy import PASS_BONUS, play_move, trader_move
from tests.random_games import random_game


@pytest.mark.parametrize("players", [3, 6])
def test_the_policy_reads_no_hidden_card_of_a_record(players: int) -> None:
    for game in random_game(players, 3):
        seat = game.state.turn
        if seat is not None and game.state.phase is not Phase.FINAL_SALE:
            seen = game.view(seat)
            merchants_first = sorted(seen.pool, reverse=True)
            states = world(seen, seen.pool), world(seen, merchants_first), game.state
            records = [rows_of(to_record(Moment(state)))[0] for state in states]
            moves = {trader_move(each, hand_values(), parameters(players)) for each in records}
            assert len(moves) == 1


def test_never_bidding_does_not_beat_traders() -> None:
    """A seat that only takes from the market wins less than a fair share."""
    trader, passer = parameters(4), parameters(4).copy()
    passer[PASS_BONUS : PASS_BONUS + 7] = 1 << 30
    game, shares = np.zeros(RECORD_LENGTH, dtype=np.int64), np.zeros(6)
    won = 0.0
    for seed in range(80):
        deal(game, 4, seed)
        while game[PHASE] != OVER:
            by_seat = passer if game[TURN] == seed % 4 else trader
            play_move(game, trader_move(game, hand_values(), by_seat))
        write_shares(game, shares)
        won += shares[seed % 4]
    assert won < 0.25 * 80
