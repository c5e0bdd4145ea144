"""What the page says about what was played: automatic actions, the last round, the last action."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from byzanz.bots import make_bot
from byzanz.locale import LANGUAGES, load_translations
from byzanz.notation import parse_action
from byzanz.rules import SETUPS, Deal, Game, Phase, Take, View, worth
from byzanz.tables import Automatic, TableView
from byzanz.web.frames import page_frame
from byzanz.web.game_log import lines
from byzanz.web.preparing import played_for_viewer
from byzanz.web.solving import table_view_of

from .stage import scene

ENGLISH = load_translations("en")
NAMES = ("Ada", "Ben", "Cleo", "Dora")


def _frame(table_view: TableView, language: str) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(page_frame(table_view, language, 24).text)
    return frame


def seen(view: View, **automatic: bool) -> TableView:
    table_view = table_view_of(view, len(view.course), "Ada")
    return msgspec.structs.replace(table_view, automatic=Automatic(**automatic))


def after_the_last_kind() -> tuple[Game, int, Take]:
    """Return a game in which a seat has just taken the only kind that was left."""
    record = scene("only-4")
    seat = int(record.extra["seat"])
    (kind,) = {card.kind for card in record.game.state.market}
    return record.game.play(seat, Take(kind)), seat, Take(kind)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_told_when_the_last_kind_was_taken_for_it(language: str) -> None:
    game, seat, _ = after_the_last_kind()
    pushed = _frame(seen(game.view(seat), take_last=True), language)
    assert pushed["automatic"]
    assert (
        pushed["automatic"] == played_for_viewer(seen(game.view(seat), take_last=True), ENGLISH)
    ) == (language == "en")


def test_nobody_else_is_told_and_nobody_who_takes_by_hand() -> None:
    game, seat, _ = after_the_last_kind()
    assert played_for_viewer(seen(game.view(seat)), ENGLISH) == ""
    for other in range(4):
        if other != seat:
            assert played_for_viewer(seen(game.view(other), take_last=True), ENGLISH) == ""


def test_a_choice_between_two_kinds_is_not_called_automatic() -> None:
    record = scene("take-4")
    seat = int(record.extra["seat"])
    state = record.game.state
    assert len({card.kind for card in state.market}) > 1
    game = record.game.play(seat, Take(state.market[0].kind))
    assert played_for_viewer(seen(game.view(seat), take_last=True), ENGLISH) == ""


def test_an_automatic_pass_is_told() -> None:
    beaten = set()
    for seed in range(8):
        game = Game.start(Deal.from_seed(players=3, seed=seed))
        bid = max(game.view(0).options.bids, key=worth)
        game = game.play(0, parse_action("bid " + " ".join(map(str, bid))))
        is_beaten = worth(game.view(1).hand) <= worth(bid)
        game = game.play(1, parse_action("pass"))
        told = played_for_viewer(seen(game.view(1), pass_beaten=True), ENGLISH)
        assert bool(told) == is_beaten
        assert played_for_viewer(seen(game.view(1)), ENGLISH) == ""
        beaten.add(is_beaten)
    assert beaten == {True, False}


def test_the_log_says_that_no_other_kind_was_left() -> None:
    game, seat, _ = after_the_last_kind()
    last = [line for line in lines(game.view(seat), NAMES, ENGLISH) if line.acted][-1]
    assert last.text.endswith("No other kind was left in the market.")
    assert last.picture is not None
    assert last.picture.verb == "takes the rest"
    takes = [line for line in lines(game.view(seat), NAMES, ENGLISH, None) if "takes" in line.text]
    assert len(takes) > len([line for line in takes if "No other kind" in line.text])


def played_to_round_two() -> Game:
    game = Game.start(Deal.from_seed(players=4, seed=3))
    bot = make_bot("greedy", 1)
    while game.state.round < 2:
        turn = game.state.turn
        assert turn is not None
        game = game.play(turn, bot.choose(game.view(turn)))
    return game


def test_an_empty_market_shows_what_everybody_got_in_the_last_round() -> None:
    game = played_to_round_two()
    assert game.state.phase is Phase.AUCTION
    first = _frame(table_view_of(game.view(0), 9, "Ada"), "en")["content"]
    assert "Previous round" in first
    for offer_card in SETUPS[4].offer_cards:
        assert f": offer {offer_card}, " in first
    while not game.state.market:
        turn = game.state.turn
        assert turn is not None
        game = game.play(turn, make_bot("greedy", 1).choose(game.view(turn)))
    assert "Previous round" not in _frame(table_view_of(game.view(0), 9, "Ada"), "en")["content"]
