"""Actions as short texts."""

from __future__ import annotations

import pytest

from byzanz.locale import LANGUAGES, load_translations
from byzanz.messages import decimal, move_of, signed
from byzanz.rules import Bid, Discard, Done, Game, Give, Pass, Sell, Take
from tests.random_games import finished


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_has_a_text(language: str) -> None:
    translations, seen = load_translations(language), set()
    whole = finished(4, 3)
    for place, play in enumerate(whole.plays):
        view = Game.replay(whole.deal, whole.plays[:place]).view(play.seat)
        move = move_of(play.action, view, translations)
        assert move.text.startswith(move.verb)
        assert "{" not in move.text
        seen.add(type(play.action))
    assert seen >= {Bid, Pass, Give, Take, Sell, Discard, Done}
    assert move_of(None, view, translations).verb


def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert decimal(12.34, "en") == "12.3"
    assert decimal(12.34, "hu") == "12,3"
    assert (signed(0.04, "en"), signed(-1, "en"), signed(2, "de")) == ("0.0", "−1.0", "+2,0")  # noqa: RUF001
