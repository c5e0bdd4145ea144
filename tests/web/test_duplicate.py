"""Duplicate with friends: one link, one try each, and a comparison for those who finished."""

from __future__ import annotations

import re

import pytest

from byzanz.locale import LANGUAGES, load_translations
from byzanz.rules import Game
from byzanz.web.api import schema
from byzanz.web.side_by_side import first_difference, rounds_of
from tests.random_games import finished as finished_game

from .server import Player, Served
from .shapes import check_shape


@pytest.fixture(scope="module")
def deal(server: Served) -> str:
    """A deal for friends."""
    made = server.player("Host").client.post(
        "/api/duplicates", json={"bots": ["passive", "novice"], "seat": 1}
    )
    assert made.status_code == 201, made.text
    found: str = made.json()["deal"]
    return found


@pytest.fixture(scope="module")
def friends(server: Served, deal: str) -> list[tuple[Player, str]]:
    """Two friends who have finished the deal, with their tables."""
    found = []
    for name in ("Ann", "Ben"):
        player = server.player(name)
        table = player.client.post(f"/api/duplicates/{deal}/play").json()["table"]
        player.play_on(table)
        found.append((player, table))
    return found


def test_a_deal_is_made_on_the_page_and_played_by_its_link(server: Served) -> None:
    with server.client() as host, server.client() as friend:
        page = host.get("/duplicate").text
        assert 'value="level3" selected' in page
        assert "emperor" not in page
        form = {"players": "3", "bot": "passive", "name": "Ada"}
        made = host.post("/duplicate", data=form, headers={"origin": server.url})
        path = made.headers["location"]
        assert re.fullmatch("/duplicate/[A-Za-z0-9_-]{22}", path)
        for client, name in ((host, "Ada"), (friend, "Bela")):
            page = client.get(path).text
            assert f"{server.url}{path}</code>" in page
            begun = client.post(f"{path}/play", data={"name": name}, headers={"origin": server.url})
            assert begun.headers["location"].startswith("/table/")
            assert f'href="{begun.headers["location"]}"' in client.get(path).text
            assert client.get("/api/me").json()["name"] == name
        for wrong in ({"players": "9", "bot": "passive"}, {"players": "3", "bot": "emperor"}):
            answer = host.post("/duplicate", data=wrong, headers={"origin": server.url})
            assert answer.status_code == 400


def test_friends_who_finished_are_compared(
    server: Served, deal: str, friends: list[tuple[Player, str]]
) -> None:
    (ann, own), (_, other) = friends
    page = ann.client.get(f"/duplicate/{deal}").text
    for name, table in (("Ann", own), ("Ben", other)):
        assert f'<a href="/table/{table}/replay">{name}</a>' in page
    assert "Side by side" in page
    assert "The same game as yours." in page  # both played as simply as can be
    results = ann.client.get(f"/api/duplicates/{deal}/results").json()
    check_shape(results, schema.DealResults)
    assert [each["name"] for each in results["results"]] == ["Ann", "Ben"]
    assert len({each["profit"] for each in results["results"]}) == 1
    found = ann.client.get(f"/api/duplicates/{deal}").json()
    check_shape(found, schema.DealStanding)
    assert (found["rank"], found["standing"]["seat"]) == (1, 1)
    assert ann.client.get(f"/table/{other}/replay").status_code == 200
    assert f'href="/duplicate/{deal}"' in ann.client.get(f"/table/{own}").text


def test_nobody_sees_the_results_before_the_own_end(
    server: Served, deal: str, friends: list[tuple[Player, str]]
) -> None:
    late = server.player("Late")
    for _ in range(2):  # before the first action, and in play
        page = late.client.get(f"/duplicate/{deal}").text
        assert "2 players have finished it." in page
        assert "Ben" not in page
        refused = late.client.get(f"/api/duplicates/{deal}/results")
        assert refused.json()["error"]["code"] == "not-played"
        assert late.client.get(f"/table/{friends[0][1]}/replay").status_code == 403
        late.client.post(f"/api/duplicates/{deal}/play")


def test_a_deal_of_one_kind_is_none_of_the_other(server: Served, deal: str) -> None:
    player = server.player()
    day = server.service.deals.today
    for path in (f"/daily/{deal}", f"/duplicate/{day}", "/duplicate/none"):
        assert player.client.get(path).status_code == 404
        assert player.client.post(f"{path}/play").status_code == 404
    for path in (f"/api/daily/{deal}", f"/api/duplicates/{day}"):
        assert player.client.get(path).json()["error"]["code"] == "no-such-deal"
        assert player.client.post(f"{path}/play").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_are_in_every_language(server: Served, deal: str, language: str) -> None:
    player = server.player("Zoe", language)
    for path in ("/duplicate", f"/duplicate/{deal}"):
        page = player.client.get(path).text
        assert f'<html lang="{language}">' in page
        assert ("A deal for friends" in page) == (language == "en")


# -- games side by side


@pytest.mark.parametrize("players", [3, 6])
def test_rounds_add_up_to_the_profit(players: int) -> None:
    game = finished_game(players, seed=3)
    for seat in range(players):
        rounds = rounds_of(game, seat)
        assert len(rounds) == game.deal.setup.rounds + 1
        sold = [sale.profit for each in rounds for sale in each.sold]
        assert sum(sold) == rounds[-1].profit == game.result.profit[seat]


def test_the_first_difference_is_that_of_the_own_decisions() -> None:
    own = finished_game(3, seed=3)
    names = [("Ann", "B", "C"), ("Zoe", "B", "C")]
    english = load_translations("en")
    assert first_difference(own, own, 0, names, english) is None
    place, play = next(
        (at, play) for at, play in enumerate(own.plays) if play.seat == 0 and at > 10
    )
    other = Game.replay(own.deal, own.plays[:place])
    view = other.view(0)
    assert view.options is not None
    another = next(action for action in view.options.answers if action != play.action)
    found = first_difference(own, other.play(0, another), 0, names, english)
    assert found is not None
    assert found.round == other.state.round
    assert (found.own.startswith("Ann "), found.other.startswith("Zoe ")) == (True, True)
