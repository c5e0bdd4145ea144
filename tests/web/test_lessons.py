"""The pages of the lessons: every step in every language, answers, and progress in a cookie."""

from __future__ import annotations

import re
from html import unescape

import httpx
import pytest

from byzanz.coach.lessons import load_lessons
from byzanz.locale import LANGUAGES, load_translations

from .server import Served

STEP = "/learn/two-minutes/1"
RIGHT = {"do": "bid", "card": ["C3", "G1"]}


def words(answer: httpx.Response) -> str:
    """Return what the page says beside the board."""
    found = re.search(r'<p id="words".*?</p>', answer.text, re.DOTALL)
    assert found is not None
    return unescape(re.sub("<[^>]+>", "", found[0])).strip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_shown_in_every_language(server: Served, language: str) -> None:
    gettext = load_translations(language).gettext
    with server.client(headers={"accept-language": language}) as client:
        for lesson in load_lessons().values():
            assert gettext(lesson.title) in unescape(client.get("/learn").text)
            for number, step in enumerate(lesson.steps, start=1):
                shown = client.get(f"/learn/{lesson.name}/{number}")
                assert shown.status_code == 200
                assert words(shown) == gettext(step.task)
                assert 'id="act"' in shown.text
                wrong = client.get(f"/learn/{lesson.name}/{number}", params={"answer": "nothing"})
                assert words(wrong).startswith(gettext("Not the best."))
            end = unescape(client.get(f"/learn/{lesson.name}/end").text)
            assert gettext(lesson.end) in end


def test_the_first_lesson_leads_to_a_game_and_the_others_to_the_next_lesson(server: Served) -> None:
    with server.client() as client:
        main = re.compile(r'class="button main" href="([^"]+)" autofocus')
        end = client.get("/learn/two-minutes/end").text
        assert '<form class="ways" method="post" action="/play">' in end
        assert '<button class="main" autofocus>' in end
        started = client.post("/play", follow_redirects=False)
        assert started.headers["location"].startswith("/table/")
        assert main.findall(client.get("/learn/value/end").text) == ["/learn/paying"]


def test_every_page_links_to_the_lessons(server: Served) -> None:
    with server.client() as client:
        for path in ("/", "/rules", "/about"):
            assert '<a href="/learn">Learn</a>' in client.get(path).text
        assert '<a href="/learn" aria-current="page">Learn</a>' in client.get("/learn").text


def test_a_right_answer_leads_on_and_is_remembered(server: Served) -> None:
    with server.client(follow_redirects=True) as client:
        assert "0 of 4 solved" in client.get("/learn").text
        answer = client.post(STEP, data=RIGHT)
        assert words(answer).startswith("Right! The values of your cards add up to 4.")
        assert 'href="/learn/two-minutes/2"' in answer.text
        assert 'id="act"' not in answer.text
        assert "1 of 4 solved" in client.get("/learn").text
        assert client.get("/learn/two-minutes").url.path == "/learn/two-minutes/2"


def test_every_lesson_can_be_played_to_its_end(server: Served) -> None:
    with server.client(follow_redirects=True) as client:
        for lesson in load_lessons().values():
            for number, step in enumerate(lesson.steps, start=1):
                for accepted in step.accept:
                    verb, *chosen = accepted.split()
                    name = verb if verb in ("give", "take") else "card"
                    sent = {"do": verb, name: chosen}
                    answer = client.post(f"/learn/{lesson.name}/{number}", data=sent)
                    assert words(answer).startswith(f"Right! {step.right[:20]}"), accepted
        assert client.get("/learn").text.count("Solved") == len(load_lessons())


def test_a_wrong_answer_is_explained_and_can_be_taken_back(server: Served) -> None:
    with server.client(follow_redirects=True) as client:
        answer = client.post(STEP, data={"do": "pass"})
        assert words(answer).startswith("Not the best. If you pass, another player")
        assert f'href="{STEP}"' in answer.text
        assert "0 of 4 solved" in client.get("/learn").text
        illegal = client.post(STEP, data={"do": "bid", "card": "G1"})
        assert words(illegal) == "Not the best. Your bid is worth 1; it must beat 3."
        assert client.cookies.get("lessons") is None


@pytest.mark.parametrize(
    "sent", [{}, {"do": "bid"}, {"do": "fly"}, {"do": "give"}, {"do": "sell", "card": "x" * 5000}]
)
def test_an_answer_that_is_not_an_action_is_explained(server: Served, sent: dict[str, str]) -> None:
    with server.client(follow_redirects=True) as client:
        answer = client.post(STEP, data=sent)
        assert answer.status_code == 200
        assert "Not an action" in words(answer) or "card" in words(answer).lower()


def test_all_solved_lessons_can_be_played_again(server: Served) -> None:
    with server.client(follow_redirects=True) as client:
        client.cookies.set("lessons", "two-minutes.1234")
        page = client.get("/learn").text
        assert "Solved" in page
        assert "Again" in page
        assert client.get("/learn/two-minutes").url.path == "/learn/two-minutes/1"


@pytest.mark.parametrize("cookie", ["", "x", "two-minutes.9_value.0", "two-minutes." + "1" * 4000])
def test_an_invalid_cookie_is_ignored(server: Served, cookie: str) -> None:
    with server.client() as client:
        client.cookies.set("lessons", cookie)
        answer = client.get("/learn")
        assert answer.status_code == 200
        assert "0 of 4 solved" in answer.text


@pytest.mark.parametrize(
    "path", ["/learn/chess", "/learn/chess/1", "/learn/value/0", "/learn/value/9", "/learn/value/x"]
)
def test_there_are_no_other_lessons(server: Served, path: str) -> None:
    with server.client() as client:
        assert client.get(path).status_code == 404


def test_forgetting_a_guest_deletes_their_progress(server: Served) -> None:
    with server.client() as client:
        assert client.post("/play", data={"bot": "random", "name": "Ada"}).status_code == 303
        client.post(STEP, data=RIGHT, headers={"sec-fetch-site": "same-origin"})
        assert client.cookies["lessons"] == "two-minutes.1"
        client.post("/me/forget", headers={"sec-fetch-site": "same-origin"})
        assert "lessons" not in client.cookies
