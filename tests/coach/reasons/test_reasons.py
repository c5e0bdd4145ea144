"""Reasons: no false sentence, every sentence occurs, and what ranking and comparison promise."""

from __future__ import annotations

from itertools import islice, pairwise
from pathlib import Path

import msgspec
import pytest

from byzanz.coach.reasons import SHOWN, TEMPLATES, Reason, compare, rank, reasons
from byzanz.locale import LANGUAGES, load_translations
from byzanz.messages import reason_text
from byzanz.notation import parse_action, parse_view
from byzanz.rules import Action, Bid, Deal, Game, Pass, Take, View, begin, view
from tests.random_games import other_world, random_game

from .claims import CLAIMS, is_true
from .positions import QUICK, positions

LINES = (Path(__file__).parents[2] / "data" / "reasons.txt").read_text().splitlines()
EXAMPLES = [line.split(" | ") for line in LINES]
"""For every kind of reason an action in a position for which it holds."""
NAMES = ["Ada", "Anna", "Michael", "Theodora", "Leo", "Zoe"]


def example(line: list[str]) -> tuple[View, Action, Reason]:
    code, action, position = line
    seen, chosen = parse_view(position), parse_action(action)
    (found,) = [reason for reason in reasons(seen, chosen) if reason.code == code]
    return seen, chosen, found


def test_no_sentence_is_false_in_games_of_mixed_bots() -> None:
    counted = 0
    for seed, start in ((1, 0), (2, 60), (3, 100), (4, 20)):
        for seen, actions in islice(positions(QUICK, seed), start, start + 35):
            for action in actions:
                for reason in reasons(seen, action):
                    counted += 1
                    assert is_true(seen, action, reason.code, reason.parameters), (action, reason)
    assert counted > 1000


def test_every_kind_of_reason_has_an_example_and_a_check() -> None:
    assert {line[0] for line in EXAMPLES} == set(TEMPLATES) == set(CLAIMS)


@pytest.mark.parametrize("line", EXAMPLES, ids=lambda line: line[0])
def test_an_example_is_true_and_reads_well_in_every_language(line: list[str]) -> None:
    seen, action, reason = example(line)
    assert is_true(seen, action, reason.code, reason.parameters)
    texts = [
        reason_text(reason.code, reason.parameters, NAMES, load_translations(language))
        for language in LANGUAGES
    ]
    assert len(set(texts)) == len(LANGUAGES)
    for text in texts:
        assert text.endswith(".")
        assert "{" not in text
        for name, value in reason.parameters.items():
            if isinstance(value, int) and name not in ("seat", "count"):
                assert str(value) in text


@pytest.mark.parametrize("line", EXAMPLES, ids=lambda line: line[0])
def test_the_check_finds_a_wrong_number(line: list[str]) -> None:
    seen, action, reason = example(line)
    for name, value in reason.parameters.items():
        if isinstance(value, int) and name != "seat":
            wrong = {**reason.parameters, name: value + 1}
            assert not is_true(seen, action, reason.code, wrong), name


@pytest.mark.parametrize("line", EXAMPLES, ids=lambda line: line[0])
def test_the_check_finds_wrong_cards(line: list[str]) -> None:
    seen, action, reason = example(line)
    if "cards" in reason.parameters:
        wrong = {**reason.parameters, "cards": ("C4", "G4", "W4")}
        if reason.code in ("starts-pair", "breaks-pair"):
            wrong["cards"] = ("C4", "C4", "C4")
        assert not is_true(seen, action, reason.code, wrong)


def test_hidden_cards_do_not_change_the_reasons() -> None:
    for number, game in enumerate(random_game(4, 5)):
        seat = game.state.turn
        if number % 6 == 0 and seat is not None:
            seen, other = game.view(seat), other_world(game, seat, number).view(seat)
            for action in list(seen.options)[:3]:
                assert reasons(seen, action) == reasons(other, action)


def test_reasons_survive_json() -> None:
    for line in EXAMPLES:
        reason = example(line)[2]
        assert msgspec.json.decode(msgspec.json.encode(reason), type=Reason) == reason


def test_an_illegal_action_or_a_spectator_has_no_reasons() -> None:
    state = begin(Deal.from_seed(4, 1))
    for seen, action in ((view(state, None), Pass()), (view(state, 1), Pass())):
        with pytest.raises(ValueError, match="expected a legal action of the viewer"):
            reasons(seen, action)


TAKE = parse_view(
    "view/1 seat=0 phase=market turn=0 start=0 stack=- takers=012 offer=- market=C1O1T1T2W1 "
    "seats=O2O4+W3:-:2:-/T3+?3:-:4:-/S1+?3:-:6:- deck=?84 removed=?4 gone=C2C2G1G2S2S2W1W1"
)
OLIVES, WINE = Take(parse_action("take O").kind), Take(parse_action("take W").kind)  # type: ignore[union-attr]


def codes(found: list[Reason]) -> list[str]:
    return [reason.code for reason in found]


def test_reasons_come_with_the_weightiest_first() -> None:
    found = reasons(TAKE, OLIVES)
    assert codes(found)[0] == "makes-set"
    assert found[0].parameters == {"profit": 4, "cards": ("O1", "O2", "O4")}
    assert [reason.weight for reason in found] == sorted(
        [reason.weight for reason in found], reverse=True
    )


def test_what_is_equally_true_of_the_other_action_is_left_out() -> None:
    assert "market-left-to-other" in codes(reasons(TAKE, OLIVES))
    assert "market-left-to-other" not in codes(reasons(TAKE, OLIVES, against=WINE))
    assert reasons(TAKE, OLIVES, against=OLIVES) == []


def test_a_comparison_says_what_speaks_for_the_best_and_against_the_played() -> None:
    found = compare(TAKE, best=OLIVES, played=WINE)
    assert codes(found.for_best) == ["makes-set"]
    assert codes(found.against_played) == ["market-other-kind"]
    assert found.against_played[0].parameters == {"gain": 4, "cards": ("O1",)}


def test_a_comparison_says_nothing_twice() -> None:
    for seen, actions in islice(positions(QUICK, 6), 30):
        for best, played in pairwise(actions):
            found = compare(seen, best, played)
            said = [(each.code, each.parameters) for each in found.for_best]
            assert all(each.supports for each in found.for_best)
            assert not any(each.supports for each in found.against_played)
            assert not any((each.code, each.parameters) in said for each in found.against_played)


def test_ranking_shows_few_reasons_of_different_topics() -> None:
    for seen, actions in islice(positions(QUICK, 6), 40):
        for action in actions:
            found = reasons(seen, action)
            shown = rank(seen, found)
            assert len(shown) <= SHOWN
            assert len({reason.topic for reason in shown}) == len(shown)
            assert all(reason in found for reason in shown)
            assert bool(shown) == bool(found)


def test_evaluations_decide_which_reasons_come_first() -> None:
    deal = Deal.from_seed(3, 0)
    seen = Game.start(deal).view(0)
    bids = [Bid(cards) for cards in seen.options.bids]
    having = [b for b in bids if "spare-payment" in codes(reasons(seen, b))]
    lacking = [b for b in bids if b not in having]
    chosen = having[0]
    by_weight = codes(rank(seen, reasons(seen, chosen)))
    assert by_weight[0] != "spare-payment"
    # Only a payment with spare cards wins: that is now what matters most.
    evaluated = {**dict.fromkeys(having, 0.5), **dict.fromkeys(lacking, 0.2)}
    assert codes(rank(seen, reasons(seen, chosen), evaluated))[0] == "spare-payment"
    # If the evaluation contradicts the reason, weights decide.
    contrary = {**dict.fromkeys(having, 0.2), **dict.fromkeys(lacking, 0.5)}
    assert codes(rank(seen, reasons(seen, chosen), contrary))[0] != "spare-payment"
