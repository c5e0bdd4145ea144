"""The lessons: their structure and texts are sound, and answers are judged as they say."""

from __future__ import annotations

import pytest

from byzanz.coach.lessons import (
    BadLesson,
    DealPlan,
    Lesson,
    judge_answer,
    load_lessons,
    parse_lesson,
    positions,
)
from byzanz.coach.lessons.check import faults
from byzanz.coach.lessons.lesson import lesson_name
from byzanz.coach.lessons.positions import deal_of
from byzanz.notation import parse_action, write_action
from byzanz.rules import Deal, Phase

LESSONS = list(load_lessons().values())


def test_a_lesson_for_newcomers_comes_first_and_ten_follow() -> None:
    assert [lesson.name for lesson in LESSONS] == [
        "two-minutes",
        "value",
        "paying",
        "free",
        "order",
        "market",
        "merchants",
        "limit",
        "selling",
        "counting",
        "last-round",
    ]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_has_no_faults(lesson: Lesson) -> None:
    assert list(faults(lesson)) == []


@pytest.mark.parametrize("lesson", LESSONS[1:], ids=lambda lesson: lesson.name)
def test_a_lesson_has_three_to_five_positions(lesson: Lesson) -> None:
    assert 3 <= len(lesson.steps) <= 5


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_right_answer_is_praised_and_every_other_one_is_explained(lesson: Lesson) -> None:
    for position in positions(lesson):
        for action in position.view.options:
            verdict = judge_answer(position, action)
            assert verdict.right == (write_action(action) in position.step.accept)
            assert verdict.text
            assert verdict.refusal is None


def test_a_reply_answers_one_action_or_all_with_its_verb() -> None:
    last = positions(load_lessons()["two-minutes"])[-1]
    assert judge_answer(last, parse_action("discard S3")).text.startswith("A discarded card")
    assert judge_answer(last, parse_action("sell O2 O4 M")).text.startswith("The merchant counts")
    assert judge_answer(last, parse_action("sell W1 W2 W3")).text == last.step.wrong


def test_an_illegal_answer_is_refused_by_the_rules() -> None:
    first = positions(load_lessons()["two-minutes"])[0]
    verdict = judge_answer(first, parse_action("bid G1"))
    assert not verdict.right
    assert verdict.refusal is not None


def test_the_newcomers_lesson_is_one_game_that_states_the_goal_and_ends_with_a_sale() -> None:
    lesson = load_lessons()["two-minutes"]
    found = positions(lesson)
    assert lesson.steps[0].task.startswith("The goal:")
    assert [position.game.deal for position in found] == [found[0].game.deal] * len(found)
    assert [position.view.phase for position in found] == [
        Phase.AUCTION,
        Phase.GIVE,
        Phase.MARKET,
        Phase.LIMIT,
    ]
    assert all(answer.startswith("sell") for answer in lesson.steps[-1].accept)
    assert "the most profit wins" in lesson.end


def test_a_seed_alone_gives_the_deal_of_the_seed() -> None:
    assert deal_of(DealPlan(players=4, seed=7)) == Deal.from_seed(4, 7)


def test_named_cards_are_dealt_and_the_seed_decides_the_rest() -> None:
    plan = DealPlan(3, 1, ("C1 C1 C1 C1", "G1 G1 G1 G1", "O1 O1 O1 O1"), "M M W4")
    deal = deal_of(plan)
    assert [" ".join(map(str, hand)) for hand in deal.hands] == list(plan.hands)
    assert " ".join(map(str, deal.deck[:3])) == "M M W4"
    assert deal == deal_of(plan)
    assert deal != deal_of(DealPlan(3, 2, plan.hands, plan.deck))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title = ", "x: "),
        ('title = "A"', "missing required field"),
        ('title = "A"\nidea = "B"\nend = "C"\nsteps = []\nmore = 1', "unknown field"),
    ],
)
def test_a_file_that_is_no_lesson_is_refused_with_what_was_expected(text: str, told: str) -> None:
    with pytest.raises(BadLesson, match=told):
        parse_lesson("x", text)


def test_the_number_of_a_file_is_not_part_of_the_name() -> None:
    assert lesson_name("04-order.toml") == "order"
    assert lesson_name("last-round.toml") == "last-round"
