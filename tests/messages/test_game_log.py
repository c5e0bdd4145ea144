"""The game log, line by line and in every language."""

from __future__ import annotations

import pytest

from byzanz.arena import seeded_match
from byzanz.locale import LANGUAGES, load_translations
from byzanz.messages import GameLogWriter, card_names, describe_game
from byzanz.rules import Card, Deal, Game, Pass

NAMES = ["Anne", "Ben", "Carla", "Dora"]


def test_a_game_is_logged_auction_by_auction() -> None:
    log = list(describe_game(seeded_match(4, 5, ["greedy"] * 4), NAMES))
    assert log[:4] == [
        "Anne is dealt grain 1, olives 1, olives 1, olives 4.",
        "Ben is dealt spices 2, wood 1, wood 1, wine 2.",
        "Carla is dealt grain 1, grain 4, wood 2, wine 1.",
        "Dora is dealt cloth 1, cloth 3, wood 1, merchant.",
    ]
    assert log[4:7] == [
        "",
        "Round 1",
        "Offer 5: cloth 1, cloth 1, olives 1, spices 2, wine 4. Anne starts.",
    ]
    assert [line for line in log if line.startswith("Round")] == [f"Round {n}" for n in range(1, 7)]
    assert sum(line.startswith("Offer ") for line in log) == 24
    assert sum(line.endswith("is the last player and need not bid.") for line in log) == 6
    assert "The final sale" in log
    assert log[-1].endswith(" wins.") or log[-1].startswith("Shared victory")


def test_a_raise_is_logged_with_its_total() -> None:
    log = "\n".join(describe_game(seeded_match(4, 5, ["greedy"] * 4), NAMES))
    assert "  Ben bids 2: wood 1, wood 1." in log
    assert "  Ben raises to 4 with spices 2." in log


def test_an_auction_in_which_all_pass_is_logged() -> None:
    game = Game.start(Deal.from_seed(3, 2))
    for seat in range(3):
        game = game.play(seat, Pass())
    log = list(describe_game(game, ["A", "B", "C"]))
    assert "  Everyone passed. A passed first and gets offer 6 for free." in log


def test_every_event_has_printable_lines_whatever_the_names() -> None:
    writer = GameLogWriter(["\x1b[31mred", "b\nb", "c", "d", "e"])
    for event in seeded_match(5, 8, ["random"] * 5).course:
        for line in writer.lines(event):
            assert line.isprintable()


def test_no_cards_are_a_dash() -> None:
    assert card_names(()) == "-"


CARDS = {
    "en": "cloth 1, grain 2, olives 3, wine 4, merchant",
    "de": "Tuch 1, Getreide 2, Oliven 3, Wein 4, Händler",
    "it": "1 di tessuto, 2 di grano, 3 di olive, 4 di vino, mercante",
    "nl": "doek 1, graan 2, olijven 3, wijn 4, handelaar",
    "hu": "1-es posztó, 2-es liszt, 3-as olajbogyó, 4-es bor, kufár",
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_cards_are_named_as_the_language_does(code: str) -> None:
    cards = (Card.M, Card.C1, Card.G2, Card.O3, Card.W4)
    assert card_names(cards, load_translations(code)) == CARDS[code]


TAKES = {
    "en": ["all the cloth", "all the merchants"],
    "de": ["das ganze Tuch", "alle Händler"],
    "it": ["tutto il tessuto", "tutti i mercanti"],
    "nl": ["al het doek", "alle handelaars"],
    "hu": ["az összes posztót", "az összes kufárt"],
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_log_is_written_in_every_language(code: str) -> None:
    game, translations = seeded_match(4, 7, ["random"] * 4), load_translations(code)
    log, english = list(describe_game(game, NAMES, translations)), list(describe_game(game, NAMES))
    assert len(log) == len(english)
    for kind in TAKES[code]:
        assert any(kind in line for line in log)
    for line, line_in_english in zip(log, english, strict=True):
        for name in NAMES:
            assert line.count(name) == line_in_english.count(name)
        same = line == line_in_english
        assert same == (code == "en" or line.strip() in equal_texts(line_in_english)), line


def equal_texts(line: str) -> set[str]:
    """Return the line if it may be the same in another language: a profit, or Italian "Round"."""
    text = line.strip()
    return {text} if not text or (text[-1].isdigit() and len(text.split()) == 2) else set()
