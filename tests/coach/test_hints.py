from __future__ import annotations

import pytest

from byzanz import coach
from byzanz.coach.results import Hint
from byzanz.network import Network
from byzanz.notation import parse_action
from byzanz.rules import Deal, Game
from tests.network.nets import random_weights
from tests.random_games import finished, other_world


def test_a_hint_is_legal_and_can_be_stored() -> None:
    view = Game.start(Deal.from_seed(5, 3)).view(0)
    found = coach.hint(view, seconds=0.1, network=Network(random_weights()))
    assert found.suggestion is not None
    assert parse_action(found.suggestion) in view.options
    assert found.sure in ("sure", "likely", "close")
    assert Hint.from_json(found.to_json()) == found


def test_a_hint_tells_nothing_about_hidden_cards() -> None:
    network, game = Network(random_weights()), finished(4, 6)
    for number in (0, 17, 40):
        then = Game.replay(game.deal, game.plays[:number])
        seat = then.state.turn
        assert seat is not None
        worlds = then, other_world(then, seat, 1)
        one, other = (
            coach.hint(each.view(seat), worlds=16, network=network).to_json() for each in worlds
        )
        assert one == other
        waiting = then.view((seat + 1) % 4)
        with pytest.raises(ValueError, match="seat that is to act"):
            coach.hint(waiting, network=network)
