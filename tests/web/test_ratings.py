"""The page of ratings, its operations, and what the end of a rated game shows."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from byzanz.arena.bot_ratings import bot_skills
from byzanz.locale import LANGUAGES, load_translations
from byzanz.messages import bot_name
from byzanz.web.api import rating_schema as schema

from .server import Player, Served
from .shapes import check_shape

RATED = {"rated": True, "think_seconds": 600}


@pytest.fixture(scope="module")
def rated(server: Served) -> tuple[Player, str]:
    """Somebody with one rated game against two bots."""
    player = server.player("Theodora")
    table = player.found("random", "random", **RATED)
    player.play_on(table)
    return player, table


def test_the_page_lists_people_and_bots_in_every_language(
    server: Served, rated: tuple[Player, str]
) -> None:
    player, _ = rated
    for language in LANGUAGES:
        with server.client(headers={"accept-language": language}) as client:
            page = client.get("/ratings?players=3").text
            assert not client.cookies
        assert "Theodora" in page
        for bot in bot_skills(3):
            assert bot_name(bot, load_translations(language)) in page
    assert "Theodora" not in player.client.get("/ratings").text  # with four players
    assert player.client.get("/ratings?players=9").status_code == 200
    assert 'href="/ratings"' in player.client.get("/").text


def test_the_api_has_the_same_ratings(rated: tuple[Player, str]) -> None:
    player, table = rated
    board = player.client.get("/api/ratings?players=3").json()
    check_shape(board, schema.Leaderboard)
    (own,) = [each for each in board["ratings"] if each["you"]]
    assert (own["name"], own["games"], own["rank"], own["provisional"]) == (
        "Theodora",
        1,
        None,
        True,
    )
    mine = player.client.get("/api/me/ratings").json()
    check_shape(mine, schema.MyRatings)
    assert [(each["players"], each["rating"]) for each in mine["ratings"]] == [(3, own["rating"])]
    changes = player.client.get(f"/api/tables/{table}/ratings").json()
    check_shape(changes, schema.RatingChanges)
    assert [(each["before"], each["after"]) for each in changes["changes"]] == [
        (1500, own["rating"])
    ]
    assert player.client.get("/api/ratings?players=7").status_code == 400


def test_the_end_of_a_rated_game_shows_the_new_rating(rated: tuple[Player, str]) -> None:
    player, table = rated
    part = player.client.get(f"/table/{table}/dearest").text
    (own,) = player.client.get("/api/me/ratings").json()["ratings"]
    assert re.search(rf"Theodora: <b>{own['rating']}</b>", part)


def test_two_browsers_of_one_address_are_not_rated_together(server: Served) -> None:
    one, two = server.player("Anna"), server.player("Anna again")
    table = one.found("random", open_seats=1, **RATED)
    assert two.client.post(f"/api/tables/{table}/join", json={}).status_code == 200
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda player: player.play_on(table), (one, two)))
    assert one.client.get(f"/api/tables/{table}/ratings").json() == {"changes": []}
    assert one.client.get("/api/me/ratings").json() == {"ratings": []}
    assert "does not count" in one.client.get(f"/table/{table}/dearest").text


@pytest.mark.parametrize(
    ("bot", "options", "code"),
    [("random", {"rated": True}, "rated-needs-time"), ("emperor", RATED, "unrated-bot")],
)
def test_what_cannot_be_rated_is_refused(
    server: Served, bot: str, options: dict[str, object], code: str
) -> None:
    player = server.player("Anna")
    seats = [{"type": "host"}, *[{"type": "bot", "bot": bot}] * 2]
    answer = player.client.post("/api/tables", json={"seats": seats, "options": options})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)


def test_ratings_can_be_deleted(server: Served) -> None:
    player = server.player("Irene")
    player.play_on(player.found("random", "random", **RATED))
    assert len(player.client.get("/api/me/ratings").json()["ratings"]) == 1
    assert player.client.delete("/api/me/ratings").status_code == 204
    assert player.client.get("/api/me/ratings").json() == {"ratings": []}
    assert "Irene" not in player.client.get("/ratings?players=3").text


def test_a_rated_table_of_the_lobby_has_a_time_limit_and_says_that_it_is_rated(
    server: Served,
) -> None:
    with server.client() as host:
        form = {"seat": ["open", "level2"], "rated": "yes", "name": "Anna"}
        made = host.post("/tables", data=form, headers={"origin": server.url})
        table = made.headers["location"]
        found = host.get(f"/api{table.replace('table', 'tables', 1)}").json()
        assert found["options"]["rated"]
        assert found["options"]["think_seconds"] == 24 * 3600
    with server.client() as other:
        assert "This game is rated" in other.get(table).text
