from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from byzanz.coach.luck import LuckMeter, _redealt
from byzanz.encoding import Moment
from byzanz.fast import RECORD, rows_of, to_moment, to_record
from byzanz.network import Network
from byzanz.rules import Game
from tests.network.nets import random_weights
from tests.random_games import finished


@pytest.mark.parametrize("same_offer", [True, False])
def test_other_cards_come_and_the_hands_stay(same_offer: bool) -> None:
    game = finished(4, 2)
    state = next(
        then.state
        for then in (Game.replay(game.deal, game.plays[:number]) for number in range(9, 99))
        if then.state.phase.value == "auction"
    )
    records = _redealt(state, np.random.default_rng(1), 6, same_offer=same_offer)
    states = [to_moment(one).state for one in records.view(RECORD)[:, 0]]
    unseen = Counter([*state.offer, *state.deck, *state.removed])
    for other in states:
        assert (other.players, other.market, other.gone) == (
            state.players, state.market, state.gone,
        )  # fmt: skip
        assert Counter([*other.offer, *other.deck, *other.removed]) == unseen
        assert other.offer == state.offer or not same_offer
    assert len({other.deck for other in states}) == 6
    assert (len({other.offer for other in states}) == 1) == same_offer
    assert rows_of(to_record(Moment(state))).shape[1] == records.shape[1]


def test_luck_adds_up_to_zero_and_can_be_repeated() -> None:
    game = finished(3, 4)
    one, other = (LuckMeter(Network(random_weights())) for _ in range(2))
    luck = one.luck(game)
    assert luck.sum() == pytest.approx(0, abs=1e-5)
    assert abs(luck).max() > 1e-4
    assert np.array_equal(luck, other.luck(game))
    assert one.start(3).sum() == pytest.approx(1, abs=1e-5)
