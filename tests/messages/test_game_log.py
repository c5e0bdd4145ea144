from __future__ import annotations

import pytest

from byzanz.arena import seeded_match
from byzanz.locale import LANGUAGES, translations
from byzanz.messages import Storyteller, card_names, story
from byzanz.rules import Deal, Game, Pass

NAMES = ["Anne", "Ben", "Carla", "Dora"]


def test_a_game_is_told_auction_by_auction() -> None:
    told = list(story(seeded_match(4, 5, ["greedy"] * 4), NAMES))
    assert told[:4] == [
        "Seat 0, Anne: grain 1, olives 1, olives 1, olives 4",
        "Seat 1, Ben: spices 2, wood 1, wood 1, wine 2",
        "Seat 2, Carla: grain 1, grain 4, wood 2, wine 1",
        "Seat 3, Dora: cloth 1, cloth 3, wood 1, merchant",
    ]
    assert told[4:7] == [
        "",
        "Round 1",
        "Offer 5: cloth 1, cloth 1, olives 1, spices 2, wine 4. Anne starts.",
    ]
    assert [line for line in told if line.startswith("Round")] == [
        f"Round {n}" for n in range(1, 7)
    ]
    assert sum(line.startswith("Offer ") for line in told) == 24
    assert sum(line.endswith("is the last and needs no bid.") for line in told) == 6
    assert "The final sale" in told
    assert told[-1].endswith(" wins.") or told[-1].startswith("The win is shared")


def test_a_raise_is_told_with_its_total() -> None:
    told = "\n".join(story(seeded_match(4, 5, ["greedy"] * 4), NAMES))
    assert "  Ben bids 2: wood 1, wood 1." in told
    assert "  Ben raises to 4 with spices 2." in told


def test_all_pass_is_told() -> None:
    game = Game.start(Deal.from_seed(3, 2))
    for seat in range(3):
        game = game.play(seat, Pass())
    told = list(story(game, ["A", "B", "C"]))
    assert "  All have passed: A, the first, takes offer 6 for nothing." in told


def test_every_event_of_every_phase_can_be_told_and_names_cannot_steer_a_terminal() -> None:
    teller = Storyteller(["\x1b[31mred", "b\nb", "c", "d", "e"])
    for event in seeded_match(5, 8, ["random"] * 5).course:
        for line in teller.tell(event):
            assert line.isprintable()


def test_no_cards_are_a_dash() -> None:
    assert card_names(()) == "-"


TAKES = {
    "en": ["all cloth", "all merchants"],
    "de": ["alles Tuch", "alle Händler"],
    "it": ["tutto il tessuto", "tutti i mercanti"],
    "nl": ["al het doek", "alle handelaars"],
    "hu": ["az összes posztót", "az összes kufárt"],
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_story_is_told_in_every_language(code: str) -> None:
    game, words = seeded_match(4, 7, ["random"] * 4), translations(code)
    told, english = list(story(game, NAMES, words)), list(story(game, NAMES))
    assert len(told) == len(english)
    for kind in TAKES[code]:
        assert any(kind in line for line in told)
    for line, line_in_english in zip(told, english, strict=True):
        for name in NAMES:
            assert line.count(name) == line_in_english.count(name)
        same = line == line_in_english
        assert same == (code == "en" or line.strip() in told_alike(line_in_english)), line


def told_alike(line: str) -> set[str]:
    """A line that may be the same in every language: none, a profit, and Italian's rounds."""
    text = line.strip()
    return {text} if not text or (text[-1].isdigit() and len(text.split()) == 2) else set()
