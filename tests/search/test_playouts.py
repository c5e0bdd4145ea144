from __future__ import annotations

import numpy as np

from byzanz.fast.convert import record_of
from byzanz.rules import Action, Bid, Pass, Phase, View, view, worth
from byzanz.search.move_conversion import action_for
from byzanz.search.playouts import MAX_CANDIDATES, write_candidates
from byzanz.search.trader_parameters import hand_values, parameters
from tests.random_games import random_game
from tests.rules.positions import table


def candidates(seen: View) -> list[Action]:
    moves = np.zeros(MAX_CANDIDATES, dtype=np.int64)
    count = write_candidates(record_of(seen), hand_values(), parameters(len(seen.players)), moves)
    return [action_for(int(move)) for move in moves[:count]]


def test_candidates_are_legal_and_leave_out_only_bids_and_sales() -> None:
    for game in random_game(4, 9):
        for seat in game.state.waiting_for:
            seen = game.view(seat)
            found = candidates(seen) if seen.phase is not Phase.FINAL_SALE else []
            assert all(action in seen.options for action in found)
            assert len(set(found)) == len(found)
            if seen.phase in (Phase.GIVE, Phase.MARKET, Phase.LIMIT):
                assert set(seen.options.answers) <= set(found)


def test_there_is_one_candidate_for_each_bid_total() -> None:
    start = table(4, hands=["C3 C4 G1 T2"], deck="O1 S1 S2 W1 W2")
    found = candidates(view(start, 0))
    assert found[0] == Pass()
    bids = {worth(action.cards): action for action in found if isinstance(action, Bid)}
    assert list(bids) == [1, 2, 3, 4, 5, 6]
    assert str(bids[3].cards[0]) == "G1"  # G1 with T2, and not a card of the pair
