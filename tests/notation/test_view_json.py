from __future__ import annotations

import json
from itertools import combinations

import pytest

from byzanz.notation import Malformed, parse_card, read_view, view_data, write_action, write_cards
from byzanz.rules import Deal, Game, in_order, worth
from tests.random_games import other_world, random_game


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_view_with_its_events_round_trips(players: int) -> None:
    for number, game in enumerate(random_game(players, 5)):
        for seat in (None, *range(players)) if number % 7 == 0 or game.over else ():
            seen = game.view(seat)
            assert read_view(json.loads(json.dumps(view_data(seen, course=True)))) == seen


def test_the_legal_actions_match_the_options() -> None:
    for game in random_game(4, 8):
        for seat in range(4):
            seen = game.view(seat)
            legal = view_data(seen)["legal"]
            told = ["pass"] * legal["pass"] + ["done"] * legal["done"]
            told += [
                f"{word} {name}" for word in ("give", "take", "discard") for name in legal[word]
            ]
            told += ["sell " + " ".join(cards) for cards in legal["sell"]]
            assert sorted(told) == sorted(
                write_action(action) for action in seen.options.answers + seen.options.sales
            )
            assert (legal["beat"] is None) == (not legal["pass"])
            if legal["pass"]:
                goods = [card for card in seen.hand if card.worth]
                wanted = {
                    cards
                    for size in range(1, len(goods) + 1)
                    for cards in combinations(goods, size)
                    if worth(cards) > legal["beat"]
                }
                assert set(seen.options.bids) == wanted


def test_a_view_does_not_depend_on_hidden_cards() -> None:
    for number, game in enumerate(random_game(4, 2)):
        for seat in game.state.waiting_for if number % 9 == 0 else ():
            data = view_data(game.view(seat), course=True)
            assert view_data(other_world(game, seat, number).view(seat), course=True) == data


def test_derived_values_are_included() -> None:
    seen = Game.start(Deal.from_seed(4, 5)).view(1)
    data = view_data(seen)
    assert data["hand"] == write_cards(seen.hand).split(" ")
    assert in_order(map(parse_card, data["pool"])) == seen.pool
    assert (data["round"], data["rounds"], data["highest"]) == (1, 6, 0)
    assert data["seats"][1]["hand_size"] == 4
    assert "course" not in data
    assert view_data(Game.start(Deal.from_seed(4, 5)).view(None))["legal"] is None


@pytest.mark.parametrize(
    "data", [{}, {"position": 3}, {"position": "view/1"}, {"position": None, "course": 1}]
)
def test_other_data_is_malformed(data: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        read_view(data)


def test_an_unknown_event_is_malformed() -> None:
    data = view_data(Game.start(Deal.from_seed(3, 1)).view(0))
    with pytest.raises(Malformed):
        read_view(data | {"course": [{"type": "sneezed"}]})
    with pytest.raises(Malformed):
        read_view(data | {"course": ["played"]})
