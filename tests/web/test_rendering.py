"""Boards are rendered from remembered pieces, and look as if they were rendered anew."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from byzanz.arena import seeded_match
from byzanz.locale import LANGUAGES
from byzanz.rules import Deal, Game
from byzanz.tables import BotSeat, Guest, Host, NewTable, Sight
from byzanz.tables.model.commands import Founding, after, founded
from byzanz.tables.model.view import sight
from byzanz.web.board import board, seat_names
from byzanz.web.game_log import RECENT_ROUNDS, _story, lines
from byzanz.web.questions import Asked, ask, is_last
from byzanz.web.rendering import Rendering
from byzanz.web.replay import sight_at
from byzanz.web.tips import hint


@pytest.fixture(scope="module")
def sights() -> list[Sight]:
    """What two seats and a spectator see of a whole game, one action after the other."""
    match = seeded_match(4, 3, ["novice"] * 4)
    plan = NewTable((Host(), *[BotSeat("novice")] * 3))
    founding = Founding("table", lambda players: Deal.from_seed(players, 3), 1, 0.0)
    table = founded(Guest("g", "<b>Anna</b>", "en", 0.0, 0.0), plan, founding)
    tables = [replace(table, game=Game.start(match.deal))]
    for played in match.plays:
        tables.append(after(tables[-1], played.seat, played.action))
    return [sight(table, seat) for table in tables for seat in (0, 2, None)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_depends_on_its_sight_alone_and_not_on_those_before(
    sights: list[Sight], language: str
) -> None:
    watched = Rendering(language)
    frames = [watched.frame(seen) for seen in sights]
    for place in range(0, len(sights), 97):
        _story.cache_clear()
        assert Rendering(language).frame(sights[place]) == frames[place]
    for place in range(len(sights) - 1, -1, -41):  # as who steps back through a replay
        assert watched.frame(sights[place]) == frames[place]


def test_names_are_escaped_in_every_piece_of_a_board(sights: list[Sight]) -> None:
    speaking = Rendering("en")
    for seen in sights[::7]:
        board = speaking.board(seen)
        assert "<b>Anna" not in board
        assert "&lt;b&gt;Anna" in board


def test_the_recent_story_is_the_end_of_the_whole_one(sights: list[Sight]) -> None:
    words, names = Rendering("de").words, ("A", "B", "C", "D")
    for seen in sights[::20]:
        assert seen.view is not None
        whole = [(line.number, line.text) for line in lines(seen.view, names, words, None)]
        recent = [(line.number, line.text) for line in lines(seen.view, names, words)]
        assert recent == whole[-len(recent) :]
        headings = [text for _, text in recent if text.startswith("Runde ")]
        assert len(headings) == min(RECENT_ROUNDS, seen.view.round)


def test_no_bot_is_called_as_a_person_is(sights: list[Sight]) -> None:
    words, (person, *bots) = Rendering("en").words, sights[0].sitters
    usual = seat_names("table", (person, *bots), words)
    for name in usual[1:]:
        names = seat_names("table", (replace(person, name=name), *bots), words)
        assert len(set(names)) == 4
        assert sum(now != before for now, before in zip(names[1:], usual[1:], strict=True)) == 1


def test_who_gets_the_last_offer_is_not_told_of_a_bid(sights: list[Sight]) -> None:
    words = Rendering("en").words
    told = []
    for seen in sights:
        if seen.view is not None and ask(seen.view) is Asked.GIVE:
            found = hint(board(seen, words), words)
            assert found is not None
            last = len(seen.view.stack) == 1
            assert ("Your bid goes to the market" in found.text) != last
            assert ("without a bid" in found.text) == last
            told.append(last)
    assert set(told) == {True, False}


@pytest.mark.parametrize("language", LANGUAGES)
def test_whose_time_was_up_is_told_and_can_come_back(sights: list[Sight], language: str) -> None:
    speaking, (own, *others) = Rendering(language), sights[0].sitters
    told = speaking.words.gettext("Your time was up: a bot plays for you.")
    assert told not in speaking.board(sights[0])
    away = replace(sights[0], sitters=(replace(own, bot="greedy", standing_in=True), *others))
    assert told in speaking.board(away)
    assert speaking.words.gettext("I am back") in speaking.board(away)


def test_every_rule_that_a_line_names_is_found_on_the_rules_page(sights: list[Sight]) -> None:
    speaking = Rendering("en")
    named = {
        number
        for seen in sights
        for number in re.findall(r'href="/rules#([^"]+)"', speaking.board(seen))
    }
    assert len(named) > 8
    page = speaking.page("rules.html", path="/rules")
    for number in named:
        assert page.count(f'id="{number}"') == 1


def test_two_people_of_one_name_are_told_apart(sights: list[Sight]) -> None:
    words, (person, other, *bots) = Rendering("en").words, sights[0].sitters
    twin = replace(other, name=person.name, bot=None)
    first, second, *rest = seat_names("table", (person, twin, *bots), words)
    assert (first, second) == ("<b>Anna</b>", "<b>Anna</b> 2")
    assert len({first, second, *rest}) == 4


def test_a_replay_tells_nothing_of_who_is_there_now(sights: list[Sight]) -> None:
    game = Game.start(Deal.from_seed(4, 3))
    away = tuple(replace(sitter, bot=None, present=False) for sitter in sights[0].sitters)
    then = sight_at(replace(sights[0], sitters=away), game, 0, 1)
    assert "away" not in Rendering("en").board(then, live=False)


def test_r3_11_the_last_offer_is_not_said_to_be_won(sights: list[Sight]) -> None:
    words = Rendering("en").words
    said = {
        is_last(seen.view): board(seen, words).status
        for seen in sights
        if seen.view is not None and ask(seen.view) is Asked.GIVE
    }
    assert said[False].startswith("You won the offer")
    assert said[True].startswith("The last offer is yours without a bid")
