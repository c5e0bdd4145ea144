"""Lessons are proved: every planted fault is found, and the search prefers the answers."""

from __future__ import annotations

import pytest
from msgspec import structs

from byzanz.coach.lessons import Lesson, load_lessons, positions
from byzanz.coach.lessons.check import faults, prove

FEW_WORLDS, TOLERANCE = 60, 2.0
"""So few worlds give an estimate that is off by a point or two; ``make soak`` tries them all."""

ORDER = load_lessons()["order"]


def changed(**fields: object) -> Lesson:
    """Return a lesson whose first step has these fields."""
    step = structs.replace(ORDER.steps[0], **fields)
    return structs.replace(ORDER, steps=(step, *ORDER.steps[1:]))


@pytest.mark.parametrize(
    ("lesson", "told"),
    [
        (changed(position=ORDER.steps[1].position), "the actions lead to another position"),
        (changed(actions="bid C1, bid C1"), "order, step 1: "),
        (changed(actions="what"), "bad-action"),
        (changed(deal=None), "the first step of a lesson needs a deal"),
        (changed(accept=()), "expected at least one accepted answer"),
        (changed(accept=("bid M",)), "'bid M' is not legal"),
        (changed(accept=("bid S3 C1",)), "expected 'bid C1 S3' for 'bid S3 C1'"),
        (changed(replies={"pass": "No."}), "an accepted answer has a reply"),
        (changed(margin=0.5), "expected a margin of at least"),
        (changed(task="Nobody has translated this."), "no Deutsch for: Nobody"),
        (changed(task=ORDER.idea * 4), "more than 330 characters"),
    ],
)
def test_a_planted_fault_is_found(lesson: Lesson, told: str) -> None:
    assert any(told in fault for fault in faults(lesson)), list(faults(lesson))


@pytest.mark.parametrize(("name", "step"), [("two-minutes", 3), ("order", 3), ("market", 1)])
def test_the_search_prefers_the_accepted_answers(name: str, step: int) -> None:
    position = positions(load_lessons()[name])[step - 1]
    proof = prove(position, FEW_WORLDS, TOLERANCE)
    assert proof.preferred, proof


def test_the_search_does_not_prefer_another_answer() -> None:
    position = positions(changed(accept=("bid C1",)))[0]
    proof = prove(position, FEW_WORLDS)
    assert not proof.preferred
    assert proof.lead < 0


def test_the_final_sale_is_proved_by_counting_every_sale() -> None:
    last_round = load_lessons()["last-round"]
    position = positions(last_round)[-1]
    assert prove(position).preferred
    assert prove(position).lead == 4
    wrong = structs.replace(position.step, accept=("sell S1 S3 M",))
    assert not prove(position._replace(step=wrong)).preferred
