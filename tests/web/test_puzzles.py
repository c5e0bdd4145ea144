"""The pages of the puzzles and their API: answers, reasons, progress in a cookie."""

from __future__ import annotations

import re
from html import unescape

import httpx
import pytest

from byzanz.coach.puzzles import Puzzle, load_puzzles
from byzanz.locale import LANGUAGES, load_translations
from byzanz.web.puzzle_progress import PuzzleProgress
from byzanz.web.puzzles import THEME_NAMES, question_of, todays_puzzle

from .server import Served

PUZZLES = list(load_puzzles().values())
PUZZLE = next(one for one in PUZZLES if one.theme == "give")
HERE = f"/puzzles/{PUZZLE.id}"


def words(answer: httpx.Response) -> str:
    """Return what the page says beside the board."""
    found = re.search(r'<div class="words".*?</div>', answer.text, re.DOTALL)
    assert found is not None
    return " ".join(unescape(re.sub("<[^>]+>", " ", found[0])).split())


def form_of(action: str) -> dict[str, object]:
    """Return the fields that the board sends for an action."""
    verb, *chosen = action.split()
    return {"do": verb, verb if verb in ("give", "take") else "card": chosen}


def wrong(puzzle: Puzzle) -> str:
    """Return the second best action."""
    return puzzle.candidates[1].action or ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_puzzles_are_shown_and_explained_in_every_language(server: Served, language: str) -> None:
    gettext = load_translations(language).gettext
    with server.client(headers={"accept-language": language}, follow_redirects=True) as client:
        assert gettext("Puzzles") in unescape(client.get("/puzzles").text)
        for theme, name in THEME_NAMES.items():
            puzzle = next((one for one in PUZZLES if one.theme == theme), None)
            if puzzle is None:
                continue
            shown = client.get(f"/puzzles/{puzzle.id}")
            assert 'id="act"' in shown.text
            assert gettext(name) not in words(shown)
            right = client.post(f"/puzzles/{puzzle.id}", data=form_of(puzzle.answer))
            assert words(right).startswith(gettext("Right!"))
            assert gettext(name) in words(right)


def test_the_question_names_selling_wherever_a_set_can_be_sold() -> None:
    for puzzle in PUZZLES:
        view, question = puzzle.view(), question_of(puzzle, load_translations("en"))
        assert ("sell" in question) == bool(view.options.sales)
        assert "sell" in question or not puzzle.answer.startswith("sell")


def test_every_puzzle_is_listed_and_links_to_its_page(server: Served) -> None:
    with server.client() as client:
        listed = re.findall(r'href="/puzzles/(\w{5})"><span', client.get("/puzzles").text)
        assert sorted(listed) == sorted(load_puzzles())
        assert 'href="/puzzles"' in client.get("/learn").text
        assert 'href="/puzzles"' in client.get("/").text


def test_a_wrong_answer_is_explained_without_the_solution(server: Served) -> None:
    with server.client(follow_redirects=True) as client:
        answer = client.post(HERE, data=form_of(wrong(PUZZLE)))
        behind = round(PUZZLE.candidates[1].behind)
        assert words(answer).startswith(
            f"Not the best. Another move wins {behind} more of 100 games."
        )
        assert 'class="options"' not in answer.text
        assert 'id="act"' not in answer.text
        reveal = re.search(r'href="([^"]+)">Solution', answer.text)
        assert reveal is not None
        solution = client.get(unescape(reveal[1]))
        assert 'class="options"' in solution.text
        assert "(your answer)" in words(solution)
        assert "not solved yet" in client.get("/puzzles").text


def test_a_right_answer_is_remembered_and_leads_on(server: Served) -> None:
    with server.client(follow_redirects=True) as client:
        assert f"0 of {len(PUZZLES)} solved" in client.get("/puzzles").text
        answer = client.post(HERE, data=form_of(PUZZLE.answer))
        assert f"{round(100 * PUZZLE.candidates[0].win_probability)}" in words(answer)
        assert f"1 of {len(PUZZLES)} solved" in client.get("/puzzles").text
        following = re.search(r'class="button main" href="/puzzles/(\w+)"', answer.text)
        assert following is not None
        assert following[1] != PUZZLE.id


def test_an_illegal_answer_is_refused_and_not_counted(server: Served) -> None:
    with server.client(follow_redirects=True) as client:
        answer = client.post(HERE, data={"do": "pass"})
        assert words(answer).startswith("Not possible. ")
        assert "Solution" not in answer.text
        for sent in ({}, {"do": "fly"}, {"do": "bid", "card": "x" * 5000}):
            answer = client.post(HERE, data=sent)
            assert answer.status_code == 200
            assert words(answer).startswith("Not possible. ")
        assert client.cookies.get("puzzles") is None


def test_the_puzzle_of_the_day_is_the_same_in_page_and_api(server: Served) -> None:
    with server.client() as client:
        assert client.get("/puzzles/today").headers["location"] == f"/puzzles/{todays_puzzle().id}"
        assert client.get("/api/puzzles/today").json()["id"] == todays_puzzle().id


def test_the_api_gives_a_puzzle_without_its_answer_and_judges_answers(server: Served) -> None:
    with server.client() as client:
        given = client.get(f"/api/puzzles/{PUZZLE.id}").json()
        assert set(given) == {"id", "question", "difficulty", "position", "view"}
        assert given["position"] == PUZZLE.position
        assert given["view"]["legal"] is not None
        path = f"/api/puzzles/{PUZZLE.id}/answer"
        told = client.post(path, json={"action": wrong(PUZZLE)}).json()
        assert told["right"] is False
        assert told["behind"] == PUZZLE.candidates[1].behind
        assert told["solution"] is None
        told = client.post(path, json={"action": wrong(PUZZLE), "reveal": True}).json()
        assert told["solution"]["answer"] == PUZZLE.answer
        told = client.post(path, json={"action": PUZZLE.answer}).json()
        assert told["right"] is True
        assert told["solution"]["theme"] == PUZZLE.theme
        assert client.post(path, json={"action": "pass"}).status_code == 409
        assert client.post(path, json={"action": "fly"}).status_code == 400
        assert client.post(path, json={}).status_code == 400
        assert client.post("/api/puzzles/nope/answer", json={"action": "pass"}).status_code == 404
        assert client.get("/api/puzzles/nope").status_code == 404


@pytest.mark.parametrize("path", ["/puzzles/nope", "/puzzles/22222", "/puzzles/today/1"])
def test_there_are_no_other_puzzles(server: Served, path: str) -> None:
    with server.client() as client:
        assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "cookie", ["", "x", "20.", "00.abcde", "999.22222", "20." + "1" * 3400, "20." + "z" * 9000]
)
def test_a_cookie_that_means_nothing_is_ignored(server: Served, cookie: str) -> None:
    with server.client() as client:
        client.cookies.set("puzzles", cookie)
        answer = client.get("/puzzles")
        assert answer.status_code == 200
        assert f"0 of {len(PUZZLES)} solved" in answer.text


def test_whoever_is_forgotten_has_no_progress_left(server: Served) -> None:
    with server.client() as client:
        assert client.post("/play", data={"bot": "random", "name": "Ada"}).status_code == 303
        same = {"sec-fetch-site": "same-origin"}
        client.post(HERE, data=form_of(PUZZLE.answer), headers=same)
        assert PUZZLE.id in client.cookies["puzzles"]
        client.post("/me/forget", headers=same)
        assert "puzzles" not in client.cookies


def test_only_the_first_answer_moves_the_level() -> None:
    start = PuzzleProgress(level=float(PUZZLE.difficulty))
    solved = start.answered(PUZZLE, right=True)
    assert solved.level > start.level
    assert solved.answered(PUZZLE, right=False) == solved
    failed = start.answered(PUZZLE, right=False)
    assert failed.level < start.level
    after = failed.answered(PUZZLE, right=True)
    assert (after.level, after.solved, after.tried) == (failed.level, (PUZZLE.id,), ())


def test_the_next_puzzle_is_unsolved_and_near_the_level() -> None:
    for level in (1.0, 5.0, 10.0):
        found = PuzzleProgress(level=level).following()
        assert found is not None
        distance = abs(found.difficulty - level)
        assert distance == min(abs(one.difficulty - level) for one in PUZZLES)
    everything = PuzzleProgress(solved=tuple(load_puzzles()))
    assert everything.following() is None
