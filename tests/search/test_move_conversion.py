from __future__ import annotations

import pytest

from byzanz.encoding import numbers_of
from byzanz.fast.convert import packed
from byzanz.notation import parse_action
from byzanz.search.move_conversion import action_for
from tests.rules.positions import cards


@pytest.mark.parametrize("text", ["pass", "give C4", "take M", "discard W1", "sell C1 C4 M"])
def test_a_move_is_an_action_number(text: str) -> None:
    action = parse_action(text)
    assert action_for(numbers_of(action)[0]) == action


def test_a_negative_move_is_a_whole_bid() -> None:
    assert action_for(-packed(cards("C1 C1 S2"))) == parse_action("bid C1 C1 S2")
