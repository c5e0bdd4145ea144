from __future__ import annotations

import pytest

from byzanz.notation import (
    Malformed,
    is_position,
    parse_state,
    parse_view,
    write_state,
    write_view,
)
from byzanz.rules import Deal, Game, apply, begin, view
from tests.random_games import finished, random_game

START = begin(Deal.from_seed(4, 1))
STATE = write_state(START)
VIEW = write_view(view(START, 2))


def test_a_state_is_one_line_with_every_field() -> None:
    assert "\n" not in STATE
    head, *fields = STATE.split(" ")
    assert head == "state/1"
    assert [field.partition("=")[0] for field in fields] == [
        "phase", "turn", "start", "stack", "takers", "offer", "market", "seats", "deck",
        "removed", "gone",
    ]  # fmt: skip
    assert "phase=auction turn=0 start=0 stack=2345 takers=- " in STATE


def test_a_view_names_its_seat_and_the_number_of_unknown_cards() -> None:
    assert VIEW.startswith("view/1 seat=2 phase=auction ")
    assert " deck=?79 removed=?12 gone=-" in VIEW
    seats = VIEW.partition("seats=")[2].partition(" ")[0].split("/")
    assert [seat.startswith("-+?4:-:in:-") for seat in seats] == [True, True, False, True]
    assert write_view(view(START, None)).startswith("view/1 seat=- ")


def test_is_position_knows_states_and_views() -> None:
    assert is_position(STATE)
    assert is_position(VIEW)
    assert not is_position("games.jsonl")


def test_a_game_can_be_played_on_from_a_parsed_position() -> None:
    games = list(random_game(5, 3))
    middle = games[len(games) // 2]
    state = parse_state(write_state(middle.state))
    rest = games[-1].plays[len(middle.plays) :]
    for played in rest:
        state = apply(state, played.seat, played.action)
    assert state == games[-1].state


def test_the_end_of_a_game_is_a_position() -> None:
    game: Game = finished(3, 4)
    assert parse_state(write_state(game.state)) == game.state
    assert " phase=over turn=- " in write_state(game.state)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("state/1", "state/2"),
        ("phase=auction", "phase=party"),
        ("phase=auction", "phase=market"),
        ("phase=auction", "phase=over"),
        ("turn=0", "turn=4"),
        ("turn=0", "turn=9"),
        ("turn=0", "turn=-"),
        ("turn=0", "turn="),
        ("start=0", "start=-"),
        ("stack=2345", "stack=5432"),
        ("stack=2345", "stack=234"),
        ("stack=2345", "stack=x"),
        ("takers=-", "takers=0"),
        ("takers=-", "takers=7"),
        ("market=-", "market=C1"),
        ("market=-", "market=C9"),
        ("market=-", "market="),
        ("market=-", "market=- market=-"),
        (" market=-", ""),
        ("gone=-", "gone=MMMMMMMMMMMMMMMMM"),
        (":in:-", ":inn:-"),
        (":-:in:", ":M:in:"),
        (":in:-/", ":5:-/"),
        (":in:-/", ":done:-/"),
        (":in:-/", ":out:-/"),
        (":in:-/", ":in:-//"),
        (" phase", "  phase"),
        ("deck=", "deck=?"),
    ],
)
def test_a_broken_state_is_malformed(old: str, new: str) -> None:
    assert old in STATE
    broken = STATE.replace(old, new, 1)
    with pytest.raises(Malformed):
        parse_state(broken)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("view/1 seat=2", "view/1"),
        ("seat=2", "seat=1"),
        ("seat=2", "seat=-"),
        ("seat=2", "seat=5"),
        ("deck=?79", "deck=?78"),
        ("deck=?79", "deck=?079"),
        ("deck=?79", "deck=?"),
        ("removed=?12", "removed=?13"),
        ("+?4:", "+?5:"),
        ("+?4:", "+-:"),
    ],
)
def test_a_broken_view_is_malformed(old: str, new: str) -> None:
    assert old in VIEW
    with pytest.raises(Malformed):
        parse_view(VIEW.replace(old, new, 1))


def test_a_view_that_shows_hidden_cards_of_others_is_malformed() -> None:
    removed = STATE.partition("removed=")[2].partition(" ")[0]
    with pytest.raises(Malformed, match="every hand but the viewer's own"):
        parse_view(VIEW.replace("removed=?12", f"removed={removed}"))


def test_a_state_is_not_parsed_as_a_view_or_the_reverse() -> None:
    with pytest.raises(Malformed):
        parse_state(VIEW)
    with pytest.raises(Malformed):
        parse_view(STATE)
    with pytest.raises(Malformed):
        parse_state("")
