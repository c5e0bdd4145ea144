"""Advice: a suggestion with reasons for it, the same for equal views."""

from __future__ import annotations

from byzanz.coach.advice import advise
from tests.random_games import random_game


def test_advice_gives_reasons_for_the_suggestion_and_against_the_next() -> None:
    told = 0
    for place, game in enumerate(random_game(4, 11)):
        if game.over or place % 9:
            continue
        view = game.view(game.state.waiting_for[0])
        found = advise(view, worlds=2)
        assert found.action in view.options
        assert all(reason.supports for reason in found.reasons)
        assert not any(reason.supports for reason in found.against)
        assert found == advise(view, worlds=2)
        told += bool(found.reasons or found.against)
    assert told >= 5
