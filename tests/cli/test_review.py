"""``byzanz review`` and ``byzanz hint``."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

from byzanz.coach.results import Hint, Review
from byzanz.messages import move_of
from byzanz.notation import write_state, write_view
from byzanz.rules import Deal, begin, view

from .command import byzanz


def test_a_game_is_reviewed_as_text_json_and_html(record: Path, tmp_path: Path) -> None:
    few = "--seat", "1", "--worlds", "2"
    done = byzanz("review", str(record), *few)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Ben, seat 1: accuracy " in done.stdout
    assert "own losses \N{MINUS SIGN}" in done.stdout
    assert " 100 % |" in done.stdout
    review = Review.from_json(byzanz("review", str(record), *few, "--json").stdout)
    assert [seat.seat for seat in review.seats] == [1]
    for decision in review.seats[0].marked:
        assert f"move {decision.number}: " in done.stdout
    page = tmp_path / "review.html"
    assert byzanz("review", str(record), *few, "--html", str(page)).stdout == ""
    text = page.read_text(encoding="utf-8")
    drawn = text[text.index("<svg") : text.index("</svg>") + 6]
    assert len(ET.fromstring(drawn).findall("{*}polyline")) > 8
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")


def test_all_games_of_a_file_are_reviewed_in_order(record: Path, tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    byzanz("simulate", "--games", "1", "--seed", "3", "--record", str(games))
    games.write_text(record.read_text(encoding="utf-8") + games.read_text(encoding="utf-8"))
    few = "--seat", "1", "--worlds", "2"
    done = byzanz("review", str(games), *few, "--all", "--jobs", "2", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert lines[0] + "\n" == byzanz("review", str(record), *few, "--json").stdout
    assert lines[1] + "\n" == byzanz("review", str(games), *few, "--game", "2", "--json").stdout
    text = byzanz("review", str(games), *few, "--all").stdout
    assert [line for line in text.splitlines() if line.startswith("Game ")] == [
        "Game 1", "Game 2",
    ]  # fmt: skip


def test_what_cannot_be_reviewed_is_refused(record: Path, tmp_path: Path) -> None:
    done = byzanz("review", str(record), "--seat", "5")
    assert (done.returncode, done.stderr) == (
        2,
        "byzanz review: expected a seat from 0 to 3, not 5\n",
    )
    assert f"{record} contains no game 2" in byzanz("review", str(record), "--game", "2").stderr
    page = str(tmp_path / "page.html")
    assert "cannot be used with --all" in byzanz(
        "review", str(record), "--all", "--html", page
    ).stderr  # fmt: skip
    broken = tmp_path / "broken.jsonl"
    broken.write_text(record.read_text(encoding="utf-8").replace('"seat":0', '"seat":3', 1))
    done = byzanz("review", str(broken))
    assert done.returncode == 2
    assert "broken.jsonl, line 2: " in done.stderr


def test_a_hint_names_the_suggestion_and_the_alternatives() -> None:
    state = begin(Deal.from_seed(4, 1))
    done = byzanz("hint", write_view(view(state, 0)), "--worlds", "16")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    hint = Hint.from_json(byzanz("hint", write_state(state), "--worlds", "16", "--json").stdout)
    assert lines[0] == f"{move_of(hint.evaluation.best.parsed(), view(state, 0)).text}."
    assert lines[1].startswith(f"  {hint.sure.capitalize()}: ")
    assert lines[2].startswith("  ")  # a reason
    assert len([line for line in lines if " %  " in line]) == len(hint.evaluation.candidates) > 1
    german = byzanz("hint", write_view(view(state, 0)), "--worlds", "16", "--language", "de").stdout
    assert "Zweitbester Zug: " in german
    assert json.loads(hint.to_json())["evaluation"]["seat"] == 0


def test_a_hint_needs_the_view_of_the_seat_to_act() -> None:
    state = begin(Deal.from_seed(4, 1))
    assert "seat that is to act" in byzanz("hint", write_view(view(state, 1))).stderr
    assert "begins with view/1 or state/1" in byzanz("hint", "chess").stderr
    done = byzanz("hint", "view/1 seat=0")
    assert done.returncode == 2
    assert "Expected: the fields seat= " in done.stderr
