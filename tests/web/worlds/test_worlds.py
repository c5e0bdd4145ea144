"""Nobody is sent a byte that depends on cards they have not seen, and the check would notice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain

import pytest

from byzanz.tables import TableOptions
from tests.playing import finished

from .ear import Ear, Leak
from .histories import forgotten
from .leaks import LEAKS, MEMORIES, Plant
from .stage import Course, Plan, two_stages
from .walking import Stages, Tally, examined, lived_twice


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    with two_stages(tmp_path_factory.mktemp("worlds")) as running:
        yield running


def total(tallies: Iterable[Tally]) -> Tally:
    tally = Tally()
    for more in tallies:
        tally.add(more)
    return tally


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_byte_is_the_same_when_unseen_cards_are_dealt_differently(
    stages: Stages, players: int
) -> None:
    for number in range(players - 3, 20, 4):
        tally = total(examined(stages, number, stride=23))
        assert tally.points >= players + 1
        assert tally.answers > 10 * tally.points


@pytest.mark.parametrize(("number", "observer"), [(20, None), (21, 0), (22, 2), (23, 5)])
def test_a_table_is_the_same_from_its_founding_on(
    stages: Stages, number: int, observer: int | None
) -> None:
    tally = lived_twice(stages, number, observer, steps=16)
    assert tally.answers > 3 * 16


@pytest.mark.parametrize("sale", [False, True])
@pytest.mark.parametrize("number", range(4))
def test_what_is_to_be_forgotten_cannot_be_told(stages: Stages, number: int, sale: bool) -> None:
    assert total(forgotten(stages, number, 40, sale=sale)).points >= 3


def test_profit_that_lies_face_down_is_sent_to_its_owner_alone(stages: Stages) -> None:
    plan = Plan("face-down", 4, TableOptions(open_profit=False))
    course = Course.of(finished(4, seed=5), plan, stages[0].people)
    last = len(course.lines)
    for step in (last // 2, last - 1, last):
        stages[0].lay(course, step)
        with Ear(stages[0], plan.name, 2, "en") as ear:
            seats = json.loads(ear.get(f"/api/tables/{plan.name}"))["view"]["seats"]
        for key in ("kept", "profit"):
            told = [seat for seat, seen in enumerate(seats) if seen[key] is not None]
            assert told == ([2] if step < last else [0, 1, 2, 3])
    stages[0].clear(plan.name)


@pytest.mark.parametrize("plant", LEAKS.values(), ids=LEAKS)
def test_a_planted_leak_is_caught(
    stages: Stages, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        total(chain(examined(stages, 0, stride=11), examined(stages, 1, stride=11)))


@pytest.mark.parametrize("plant", MEMORIES.values(), ids=MEMORIES)
def test_a_planted_memory_is_caught(
    stages: Stages, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        total(forgotten(stages, 1, 12, sale=True))
