"""The deal of the day: one try, a comparison for those who finished it, and nothing before."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from websockets.exceptions import InvalidStatus

from byzanz.locale import LANGUAGES
from byzanz.tables import days_before
from byzanz.web.api import schema
from byzanz.web.charts import histogram

from .server import Player, Served, simple_action
from .shapes import check_shape


def today() -> str:
    return datetime.now(UTC).date().isoformat()


@pytest.fixture(scope="module")
def day() -> str:
    """A past day: it does not change at midnight."""
    return days_before(today(), 3)[-1]


@pytest.fixture(scope="module")
def finished(server: Served, day: str) -> tuple[Player, str]:
    """Somebody who has finished the deal of the day, and their table."""
    player = server.player("Theodora")
    table = player.client.post(f"/api/daily/{day}/play").json()["table"]
    player.play_on(table)
    return player, table


def test_the_page_begins_a_game_and_leads_back_to_it(server: Served) -> None:
    with server.client() as client:
        page = client.get("/daily").text
        assert today() in page
        assert "one try" in page
        assert not client.cookies
        form = re.search(r'action="(/daily/[0-9-]+/play)"', page)
        assert form is not None
        begun = client.post(form[1], headers={"origin": server.url})
        table = begun.headers["location"]
        assert f'href="{table}"' in client.get("/daily").text
        again = client.post(form[1], headers={"origin": server.url})
        assert again.headers["location"] == table
        found = client.get(f"/api{table.replace('table', 'tables', 1)}").json()
        assert (found["stage"], found["undo"]) == ("playing", None)
        assert found["shared_deal"] == form[1].split("/")[2]


def test_whoever_finished_is_compared_with_the_others(
    finished: tuple[Player, str], day: str
) -> None:
    player, table = finished
    found = player.client.get(f"/api/daily/{day}").json()
    check_shape(found, schema.DealStanding)
    standing = found["standing"]
    assert (standing["table"], standing["finished"], standing["ranked"]) == (table, True, False)
    page = player.client.get(f"/daily/{day}").text
    assert '<svg class="histogram"' in page
    assert f"profit {standing['profit']}, rank 1 of 1" in page
    assert f"Your rank by profit would be {found['rank']}" in page
    end = player.client.get(f"/table/{table}").text
    assert f'href="/daily/{day}"' in end
    assert "/rematch" not in end


def test_nobody_else_sees_the_game(server: Served, finished: tuple[Player, str], day: str) -> None:
    _, table = finished
    other = server.player("Justinian")
    paths = ("", "/story", "/record", "/replay", "/replay/steps?from=0", "/result")
    with server.client() as nobody:
        for client in (other.client, nobody):
            for path in paths:
                answer = client.get(f"/table/{table}{path}")
                assert answer.status_code == 403, path
                assert "Play this deal yourself first" in answer.text
            assert client.get(f"/table/{table}/result.png").status_code == 404
            for path in ("", "/record", "/replay"):
                answer = client.get(f"/api/tables/{table}{path}")
                assert answer.json()["error"]["code"] == "not-played", path
    for path in (f"/table/{table}/socket", f"/api/tables/{table}/stream"):
        with pytest.raises(InvalidStatus) as refused:
            server.socket(path)
        assert refused.value.response.status_code == 403
    answer = other.act(table, "pass", decision=0)
    assert answer.status_code == 403
    assert "sight" not in answer.json()
    standing = other.client.get(f"/api/daily/{day}").json()["standing"]
    assert standing["profits"] is None
    assert '<svg class="histogram"' not in other.client.get(f"/daily/{day}").text
    begun = other.client.post(f"/api/daily/{day}/play").json()["table"]
    other.play_on(begun)
    assert other.client.get(f"/table/{table}").status_code == 200


def test_a_deal_of_the_future_or_of_no_day_is_refused(server: Served) -> None:
    player = server.player()
    tomorrow = datetime.fromtimestamp(server.service.now + 2 * 24 * 3600, UTC).date().isoformat()
    for day in (tomorrow, "1999-01-01", "2026-02-30", "x"):
        assert player.client.get(f"/daily/{day}").status_code == 404
        assert player.client.get(f"/api/daily/{day}").json()["error"]["code"] == "no-such-deal"
        assert player.client.post(f"/api/daily/{day}/play").status_code == 404
    with server.client() as client:
        assert client.post("/daily/x/play", headers={"origin": server.url}).status_code == 404
        assert not client.cookies  # no guest was made


def test_a_try_that_was_left_has_no_result(server: Served, day: str) -> None:
    player = server.player()
    table = player.client.post(f"/api/daily/{day}/play").json()["table"]
    player.client.post(f"/table/{table}/leave")
    page = player.client.get(f"/daily/{day}").text
    assert "You left this game" in page
    assert '<form method="post" action="/daily' not in page


def test_the_histogram_has_a_bar_for_the_own_profit() -> None:
    drawn = histogram([10, 11, 11, 30], 11)
    assert drawn.count('fill="var(--act)"') == 1
    assert ">11</text>" in drawn
    assert histogram([5], 5).count("<rect") == 1
    assert histogram(range(100), 50).count("<rect") <= 24


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_in_every_language(server: Served, language: str) -> None:
    page = server.player("Zoe", language).client.get("/daily").text
    assert f'<html lang="{language}">' in page
    assert ("one try" in page) == (language == "en")


def play_well(player: Player, table: str) -> None:
    """Play like simple players, but sell every set, which makes a profit."""
    while (seen := player.waits(table))["stage"] == "playing":
        sets = seen["view"]["legal"]["sell"]
        if sets:
            answer = player.act(table, f"sell {' '.join(sets[0])}", sale=seen["sale"])
        else:
            answer = player.act(table, simple_action(seen), decision=seen["decision"])
        assert answer.status_code == 200, answer.text


def test_the_page_shows_where_the_leaders_differed_to_whoever_finished(server: Served) -> None:
    simple, seller = server.player("Simple"), server.player("Seller")
    for player, play in ((simple, Player.play_on), (seller, play_well)):
        play(player, player.client.post(f"/api/daily/{today()}/play").json()["table"])
    profits = [
        player.client.get(f"/api/daily/{today()}").json()["standing"]["profit"]
        for player in (simple, seller)
    ]
    page = simple.client.get(f"/daily/{today()}").text
    assert "Where the leaders differed from you" in page
    if profits[1] > profits[0]:
        assert "First difference in round" in page
        assert "Leader" in page
    assert "Seller" not in page
    assert "Nobody has earned more than you." in seller.client.get(f"/daily/{today()}").text
    stranger = server.player("Stranger").client.get(f"/daily/{today()}").text
    assert "leaders differed" not in stranger
