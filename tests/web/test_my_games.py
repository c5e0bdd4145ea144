"""The pages and operations of a guest's finished games."""

from __future__ import annotations

import io
import re

import pytest

from byzanz.locale import LANGUAGES
from byzanz.notation import judge
from byzanz.tables import Statistics
from byzanz.web.api import schema

from .server import Player, Served
from .shapes import check_shape


@pytest.fixture(scope="module")
def played(server: Served) -> tuple[Player, list[str]]:
    """Somebody with two finished games of three, and one of four players."""
    player = server.player("Theodora")
    tables = [player.found(*bots) for bots in (("random",) * 2, ("random", "greedy", "random"))]
    tables.append(player.found("random", "random"))
    for table in tables:
        player.play_on(table)
    return player, tables


def shown(page: str) -> list[str]:
    """The tables in the list of a page."""
    listed = re.search(r'<table class="games">.*?</table>', page, re.DOTALL)
    return re.findall(r'href="/table/([^"]+)"', listed[0]) if listed else []


def test_the_page_lists_finished_games_newest_first_with_place_and_profit(
    played: tuple[Player, list[str]],
) -> None:
    player, tables = played
    page = player.client.get("/games").text
    assert shown(page) == tables[::-1]
    assert "3 finished games" in page
    games = player.client.get("/api/me/games").json()
    check_shape(games, schema.MyGames)
    assert (games["count"], games["page"], games["pages"]) == (3, 1, 1)
    for game, table in zip(games["games"], tables[::-1], strict=True):
        seen = player.look(table)
        assert game["result"]["table"] == table
        assert game["result"]["profit"] == seen["result"]["profit"][0]
        assert (game["result"]["place"] == 1) == (0 in seen["result"]["winners"])
        assert len(game["sitters"]) == game["result"]["players"] == len(seen["sitters"])
        assert f"{game['result']['place']} of {game['result']['players']}" in page


def test_filters_are_plain_parameters(played: tuple[Player, list[str]]) -> None:
    player, tables = played
    three = [tables[2], tables[0]]
    for query, expected in (
        ("players=3", three),
        ("players=4&days=7", tables[1:2]),
        ("players=5", []),
        ("opponents=mixed", tables[1:2]),
        ("opponents=random&days=30", three),
        ("opponents=people", []),
    ):
        page = player.client.get(f"/games?{query}")
        assert shown(page.text) == expected, query
        found = player.client.get(f"/api/me/games?{query}").json()
        assert [game["result"]["table"] for game in found["games"]] == expected, query
        assert player.client.get(f"/api/me/statistics?{query}").json()["games"] == len(expected)
    won, lost = [shown(player.client.get(f"/games?result={each}").text) for each in ("won", "lost")]
    assert sorted(won + lost) == sorted(tables)
    # what makes no sense does not matter on the page, and is refused by the API
    for query in ("players=9", "result=drawn", "days=x", "page=0", "opponents=%00"):
        assert shown(player.client.get(f"/games?{query}").text) == tables[::-1]
        assert player.client.get(f"/api/me/games?{query}").status_code == 400
    assert shown(player.client.get("/games?page=99").text) == tables[::-1]
    assert player.client.get("/api/me/games?page=99").json()["games"] == []


def test_statistics_are_shown_and_drawn_with_their_numbers(
    played: tuple[Player, list[str]],
) -> None:
    player, _ = played
    found = player.client.get("/api/me/statistics").json()
    check_shape(found, Statistics)
    page = player.client.get("/games").text
    assert page.count('<svg class="bar"') == len(found["by_opponents"]) + len(found["by_players"])
    assert f"{found['profit']['value']:.1f}" in page
    for share in found["by_players"]:
        assert f"{100 * share['wins']['value']:.0f}\N{NARROW NO-BREAK SPACE}%" in page


def test_all_records_are_exported_in_one_file(played: tuple[Player, list[str]]) -> None:
    player, tables = played
    whole = "".join(player.client.get(f"/api/tables/{table}/record").text for table in tables)
    for path in ("/games/records", "/api/me/records"):
        answer = player.client.get(path)
        assert answer.headers["content-type"] == "application/x-ndjson"
        assert "attachment" in answer.headers["content-disposition"]
        assert answer.text == whole
    verdicts = list(judge(io.BytesIO(whole.encode())))
    assert [verdict.error for verdict in verdicts] == [None] * 3


def test_games_of_others_are_not_shown(server: Served, played: tuple[Player, list[str]]) -> None:
    other = server.player("Justinian")
    assert shown(other.client.get("/games").text) == []
    assert other.client.get("/api/me/games").json()["count"] == 0
    assert other.client.get("/games/records").text == ""
    with server.client() as nobody:
        assert "not finished a game yet" in nobody.get("/games").text
        assert nobody.get("/games/records").status_code == 401
        assert nobody.get("/api/me/games").status_code == 401
        assert "stored nothing about you" in nobody.get("/games/delete").text
        assert not nobody.cookies


def test_deleting_everything_asks_first_and_leaves_nothing(server: Served) -> None:
    player = server.player("Gone")
    table = player.found("random", "random")
    player.play_on(table)
    page = player.client.get("/games/delete").text
    assert 'action="/me/forget"' in page
    assert 'type="checkbox"' in page
    assert player.client.post("/me/forget").status_code == 303
    assert player.client.get("/api/me/games").status_code == 401
    with server.client() as client:
        assert client.get(f"/api/tables/{table}").json()["sitters"][0]["name"] is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_in_every_language(server: Served, language: str) -> None:
    player = server.player("Zoe", language)
    assert f'<html lang="{language}">' in player.client.get("/games").text
