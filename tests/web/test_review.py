"""The review of a finished game: its page, its progress, the API, and continuing from a move."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from byzanz.locale import LANGUAGES
from byzanz.web.limit_settings import Rate, Settings
from byzanz.web.review_moves import decimal, signed

from .reviewed import made_up_review, store_review
from .server import served
from .stage import Stage, scene, stage

SCENE, OTHER, PLAYING = "over-4", "over-6", "auction-4"


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("scenes")
    with stage(folder, SCENE, OTHER, PLAYING) as running:
        store_review(folder, running.tables[SCENE], made_up_review(SCENE))
        yield running


@pytest.fixture
def ada(scenes: Stage) -> Iterator[httpx.Client]:
    """The person who played the games."""
    cookies = {cookie["name"]: cookie["value"] for cookie in scenes.cookies}
    headers = {"Origin": scenes.url}
    with httpx.Client(base_url=scenes.url, cookies=cookies, headers=headers) as client:
        yield client


def test_the_page_opens_at_the_dearest_mistake_of_the_viewer(
    ada: httpx.Client, scenes: Stage
) -> None:
    own = made_up_review(SCENE).seat(scene(SCENE).extra["seat"])
    assert own.dearest is not None
    page = ada.get(f"/table/{scenes.tables[SCENE]}/review").text
    assert f"move {own.dearest.number}</small>" in page
    assert "Chance to win, as Ada saw it" in page
    assert "Your hand" in page
    assert page.count('class="spot') == sum(bool(one.mark or one.star) for one in own.decisions)
    assert "Here “you” is" not in page


def test_another_seat_and_move_can_be_chosen(ada: httpx.Client, scenes: Stage) -> None:
    path = f"/table/{scenes.tables[SCENE]}/review"
    for seat in made_up_review(SCENE).seats:
        for decision in seat.decisions[::9]:
            page = ada.get(f"{path}?seat={seat.seat}&step={decision.number}").text
            assert f"move {decision.number}</small>" in page
            shown = page[
                page.index('class="options"') : page.index(
                    "</table>", page.index('class="options"')
                )
            ]
            assert shown.count("<tr") == 3
            assert 'class="played"' in shown
    assert ada.get(f"{path}?seat=junk&step=-1").status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_decision_is_shown_in_every_language(scenes: Stage, language: str) -> None:
    path = f"/table/{scenes.tables[SCENE]}/review"
    review = made_up_review(SCENE)
    with httpx.Client(base_url=scenes.url, cookies={"language": language}) as client:
        for decision in review.seats[1].decisions[::8]:
            answer = client.get(f"{path}?seat=1&step={decision.number}")
            assert answer.status_code == 200
            assert f'<html lang="{language}">' in answer.text
            assert not re.search(r"%\(\w+\)s|\{\w+\}", answer.text)


def test_a_review_is_asked_for_by_form_and_its_progress_is_shown(
    ada: httpx.Client, scenes: Stage
) -> None:
    path = f"/table/{scenes.tables[OTHER]}/review"
    assert "Review this game" in ada.get(path).text
    answer = ada.post(path)
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    page = ada.get(path).text
    assert 'data-state="waiting"' in page
    assert '<noscript><meta http-equiv="refresh"' in page
    found = ada.get(f"/api/tables/{scenes.tables[OTHER]}/review").json()
    assert (found["state"], found["review"]) == ("waiting", None)


def test_the_api_returns_the_review(ada: httpx.Client, scenes: Stage) -> None:
    path = f"/api/tables/{scenes.tables[SCENE]}/review"
    for answer in (ada.get(path), ada.post(path)):
        found = answer.json()
        assert found["state"] == "done"
        assert [seat["seat"] for seat in found["review"]["seats"]] == [0, 1, 2, 3]
    with httpx.Client(base_url=scenes.url) as stranger:
        assert stranger.get(path).status_code == 200
        assert stranger.post(path).status_code == 401


def test_the_end_shows_the_dearest_mistake_once_there_is_a_review(
    ada: httpx.Client, scenes: Stage
) -> None:
    reviewed, other = scenes.tables[SCENE], scenes.tables[OTHER]
    for path in ("result", "dearest"):
        page = ada.get(f"/table/{reviewed}/{path}").text
        assert "Costliest mistake" in page
        assert f"/table/{reviewed}/review?seat=" in page
        assert "Costliest mistake" not in ada.get(f"/table/{other}/{path}").text
    for path in ("", "/result", "/replay"):
        assert f'href="/table/{reviewed}/review"' in ada.get(f"/table/{reviewed}{path}").text


def test_a_game_in_play_has_no_review(ada: httpx.Client, scenes: Stage) -> None:
    table = scenes.tables[PLAYING]
    assert ada.get(f"/table/{table}/review").status_code == 409
    assert not ada.get(f"/table/{table}/dearest").text.strip()
    assert ada.post(f"/table/{table}/review").status_code == 409
    for name in ("review", "branches"):
        assert ada.get(f"/api/tables/{table}/{name}").status_code == 409
    assert ada.post(f"/api/tables/{table}/review").status_code == 409
    body = {"seat": 0, "step": 0}
    answer = ada.post(f"/api/tables/{table}/branches", json=body)
    assert answer.json()["error"]["code"] == "not-finished"


def test_a_branch_names_its_origin_and_stands_beside_the_game(
    ada: httpx.Client, scenes: Stage
) -> None:
    table = scenes.tables[SCENE]
    body = {"seat": 2, "step": 20, "anew": True}
    branch = ada.post(f"/api/tables/{table}/branches", json=body).json()["table"]
    view = ada.get(f"/api/tables/{branch}").json()
    assert (view["origin"], view["origin_step"], view["seat"]) == (table, 20, 2)
    assert "from move 21" in ada.get(f"/table/{branch}").text
    form = {"seat": "1", "step": "30"}
    answer = ada.post(f"/table/{table}/branch", data=form)
    assert answer.status_code == 303
    other = answer.headers["location"].removeprefix("/table/")
    listed = ada.get(f"/api/tables/{table}/branches").json()["tables"]
    assert {each["table"] for each in listed} == {branch, other}
    page = ada.get(f"/table/{table}/review").text
    assert f'href="/table/{branch}"' in page
    for wrong in (
        {"seat": "1"},
        {"step": "3"},
        {"seat": "9", "step": "3"},
        {"seat": "0", "step": "9999"},
    ):
        assert ada.post(f"/table/{table}/branch", data=wrong).status_code == 400


def test_an_address_has_a_quota(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("quota")
    with stage(folder, SCENE, OTHER) as running:
        tables = running.tables
        token = {cookie["name"]: cookie["value"] for cookie in running.cookies}
    settings = Settings(review_rate=Rate(burst=1, per_second=1e-4))
    with (
        served(folder, settings=settings, automatic=False) as again,
        again.client(cookies=token, headers={"Origin": again.url}) as client,
    ):
        first, second = (
            client.post(f"/api/tables/{tables[name]}/review") for name in (SCENE, OTHER)
        )
    assert first.status_code == 202
    assert second.json()["error"]["code"] == "too-many-requests"
    assert int(second.headers["retry-after"]) > 0


def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert decimal(12.34, "en") == "12.3"
    assert decimal(12.34, "hu") == "12,3"
    assert (signed(0.04, "en"), signed(-1, "en"), signed(2, "de")) == ("0.0", "−1.0", "+2,0")  # noqa: RUF001
