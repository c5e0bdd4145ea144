"""The replay: the steps for its script, the choice of a view, and the links of log lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from byzanz.rules import Game, Played, TurnedUp
from byzanz.web.replay import round_starts, steps_of
from byzanz.web.replay_pages import STEPS_PER_REQUEST
from tests.random_games import finished

from .stage import Stage, scene, stage

SCENE, PLAYING = "over-4", "auction-4"


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("scenes"), SCENE, PLAYING) as running:
        yield running


@pytest.fixture(scope="module")
def client(scenes: Stage) -> Iterator[httpx.Client]:
    """Return a client of somebody who has the link but no seat."""
    with httpx.Client(base_url=scenes.address(SCENE)) as client:
        yield client


def _board(html: str) -> str:
    """Return a board without its log."""
    return re.sub(r'<aside class="log".*?</aside>', "", html, flags=re.DOTALL)


def test_the_steps_show_the_same_boards_as_the_page(client: httpx.Client) -> None:
    for query in ("seat=", "seat=2", "seat=1&open=1"):
        frames = client.get(f"/replay/steps?from=16&{query}").json()
        assert [frame["step"] for frame in frames] == list(range(16, 16 + STEPS_PER_REQUEST))
        for frame in frames[::5]:
            page = client.get(f"/replay?step={frame['step']}&{query}").text
            assert (
                _board(frame["content"]).split()
                == (
                    _board(
                        page[page.index('<section id="board"') : page.index('<section id="player"')]
                    )
                ).split()
            )


def test_the_last_steps_end_with_the_game(client: httpx.Client) -> None:
    plays = len(scene(SCENE).plays)
    frames = client.get(f"/replay/steps?from={plays - 1}").json()
    assert [frame["step"] for frame in frames] == [plays - 1, plays]
    assert 'class="ending"' in frames[-1]["content"]
    assert 'class="ending"' not in frames[0]["content"]
    assert frames[-1]["moments"][-1]["what"] == "ended"


def test_it_opens_from_the_viewers_seat_unless_another_is_chosen(scenes: Stage) -> None:
    cookies = {each["name"]: each["value"] for each in scenes.cookies}
    path = scenes.address(SCENE) + "/replay"
    own = scene(SCENE).extra["seat"]
    with httpx.Client(cookies=cookies) as ada, httpx.Client() as anyone:
        assert f'<option value="{own}" selected>' in ada.get(path).text
        assert '<option value="" selected>' in ada.get(path + "?seat=").text
        assert '<option value="1" selected>' in ada.get(path + "?seat=1").text
        assert '<option value="" selected>' in anyone.get(path).text


def test_all_hands_are_open_only_if_wanted(client: httpx.Client) -> None:
    game = Game.start(scene(SCENE).deal)
    hidden, shown = [
        client.get(f"/replay/steps?from=0&seat=0{more}").json()[0]["content"]
        for more in ("", "&open=1")
    ]
    for seat, hand in enumerate(game.deal.hands):
        for card in hand:
            known = f'id="known-{seat}-{card}-1"'
            assert known not in hidden
            assert (known in shown) == (seat != 0)


def test_every_line_of_the_log_leads_to_its_step(client: httpx.Client, scenes: Stage) -> None:
    for path in ("/replay", "/story"):
        html = client.get(path).text
        steps = [int(step) for step in re.findall(r'class="go"[^>]*replay\?step=(\d+)', html)]
        assert steps == sorted(steps)
        assert set(steps) == set(range(len(scene(SCENE).plays) + 1))
    in_play = httpx.get(scenes.address(PLAYING) + "/story").text
    assert 'class="go"' not in in_play


@pytest.mark.parametrize("players", [3, 6])
def test_an_event_belongs_to_the_action_that_it_followed(players: int) -> None:
    game = finished(players, seed=1)
    for step in range(0, len(game.plays), 13):
        then = Game.replay(game.deal, game.plays[:step])
        assert steps_of(game.course)[: len(then.course)] == steps_of(then.course)
        assert (
            steps_of(then.course)[-1]
            == step
            == sum(isinstance(event, Played) for event in then.course)
        )
    starts = round_starts(game.course)
    assert list(starts) == list(range(1, game.deal.setup.rounds + 1))
    for number, step in starts.items():
        then = Game.replay(game.deal, game.plays[:step])
        assert isinstance(then.course[-1], TurnedUp)
        assert then.course[-1].round == number


def test_a_game_in_play_has_no_replay(scenes: Stage) -> None:
    for path in ("/replay", "/replay/steps?from=0&open=1"):
        assert httpx.get(scenes.address(PLAYING) + path).status_code == 409


def test_invalid_numbers_in_the_query_still_show_a_step(client: httpx.Client) -> None:
    for query in ("step=-1", "step=x", "step=999999", "seat=99", "seat=x&open=yes", "step=1e3"):
        assert client.get(f"/replay?{query}").status_code == 200, query
    assert len(client.get("/replay/steps?from=999999").json()) == 1
    assert client.get("/replay/steps?from=-5&seat=nobody").json()[0]["step"] == 0


def test_presence_is_not_shown(scenes: Stage) -> None:
    """Check this while nobody has the table open; in play the person would be shown as away."""
    html = httpx.get(scenes.address(SCENE) + "/replay?step=30&seat=").text
    assert ">away<" not in html
    assert not re.search(r'class="panel[^"]*\baway\b', html)
