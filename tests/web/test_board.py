"""The values that the page of a table shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from byzanz.coach.lessons import load_lessons, positions
from byzanz.rules import Phase
from byzanz.web.board import _to_come

(LESSON, *_) = load_lessons().values()
VIEWS = {position.view.phase: position.view for position in positions(LESSON)}


@pytest.mark.parametrize(
    ("phase", "stack", "to_come"),
    [
        (Phase.AUCTION, (2, 4, 6), (2, 4)),
        (Phase.GIVE, (2, 4, 6), (2, 4)),
        (Phase.LIMIT, (2, 4), (2, 4)),  # a player discards between two auctions
        (Phase.LIMIT, (), ()),
        (Phase.MARKET, (), ()),
    ],
)
def test_the_offers_to_come_in_the_round_are_shown(
    phase: Phase, stack: tuple[int, ...], to_come: tuple[int, ...]
) -> None:
    assert _to_come(replace(VIEWS[phase], stack=stack)) == to_come


def test_no_offers_are_to_come_in_the_final_sale() -> None:
    view = replace(VIEWS[Phase.LIMIT], phase=Phase.FINAL_SALE, stack=(2, 4, 6))
    assert _to_come(view) == ()
