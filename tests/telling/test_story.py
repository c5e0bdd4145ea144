from __future__ import annotations

from byzanz.arena import seeded_match
from byzanz.rules import Deal, Game, Pass
from byzanz.telling import Storyteller, card_names, story

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
