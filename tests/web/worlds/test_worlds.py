"""No byte depends on cards that the viewer has not seen, and planted leaks are found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain

import pytest

from byzanz.tables import TableOptions
from tests.random_games import finished

from .closed_games import compare_closed_games
from .comparing import Servers, Tally, compare_games, compare_points
from .fixed_server import Course, Plan, two_servers
from .histories import compare_histories
from .leaks import LEAKS, MEMORIES, Plant
from .recorder import Leak, Recorder


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with two_servers(tmp_path_factory.mktemp("worlds")) as running:
        yield running


def total(tallies: Iterable[Tally]) -> Tally:
    tally = Tally()
    for more in tallies:
        tally.add(more)
    return tally


@pytest.mark.parametrize(
    "players",
    [
        3,
        pytest.param(4, marks=pytest.mark.slow),
        pytest.param(5, marks=pytest.mark.slow),
        6,
    ],
)
def test_every_byte_is_the_same_when_unseen_cards_are_dealt_differently(
    servers: Servers, players: int
) -> None:
    for number in (players - 3, players + 1):
        tally = total(compare_points(servers, number, stride=23))
        assert tally.points >= players + 1
        assert tally.answers > 10 * tally.points


@pytest.mark.parametrize(("number", "observer"), [(20, None), (21, 0), (22, 2), (23, 5)])
def test_every_byte_is_the_same_from_the_creation_of_the_table_on(
    servers: Servers, number: int, observer: int | None
) -> None:
    tally = compare_games(servers, number, observer, steps=16)
    assert tally.answers > 3 * 16


@pytest.mark.parametrize("sale", [False, True])
@pytest.mark.parametrize("number", range(4))
def test_every_byte_is_the_same_for_histories_that_the_options_hide(
    servers: Servers, number: int, sale: bool
) -> None:
    assert total(compare_histories(servers, number, 40, sale=sale)).points >= 3


@pytest.mark.parametrize("number", range(2))
def test_closed_profit_hides_what_others_sold_even_with_the_memory_aid(
    servers: Servers, number: int
) -> None:
    tallies = compare_histories(servers, number, 40, sale=True, memory_aid=True)
    assert total(tallies).points >= 3


@pytest.mark.parametrize("accepted", [False, True])
@pytest.mark.parametrize("number", range(2))
def test_every_byte_of_a_finished_game_is_the_same_while_its_deal_is_played_again(
    servers: Servers, number: int, accepted: bool
) -> None:
    tally = total(compare_closed_games(servers, number, accepted=accepted))
    assert tally.answers > 10 * tally.points > 30


def test_a_finished_game_shows_all_cards_if_its_deal_is_not_played_again(servers: Servers) -> None:
    with pytest.raises(Leak):
        total(compare_closed_games(servers, 0, accepted=False, rematch=False))


def test_closed_profit_is_sent_to_its_owner_only(servers: Servers) -> None:
    plan = Plan("face-down", 4, TableOptions(open_profit=False))
    course = Course.of(finished(4, seed=5), plan, servers[0].people)
    last = len(course.lines)
    for step in (last // 2, last - 1, last):
        servers[0].load(course, step)
        with Recorder(servers[0], plan.name, 2, "en") as recorder:
            seats = json.loads(recorder.get(f"/api/tables/{plan.name}"))["view"]["seats"]
        for key in ("kept", "profit"):
            shown = [number for number, seat in enumerate(seats) if seat[key] is not None]
            assert shown == ([2] if step < last else [0, 1, 2, 3])
    servers[0].clear(plan.name)


@pytest.mark.parametrize("plant", LEAKS.values(), ids=LEAKS)
def test_a_planted_leak_is_found(
    servers: Servers, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        total(chain(compare_points(servers, 0, stride=11), compare_points(servers, 1, stride=11)))


@pytest.mark.parametrize("plant", MEMORIES.values(), ids=MEMORIES)
def test_a_planted_leak_of_the_past_is_found(
    servers: Servers, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        total(compare_histories(servers, 1, 12, sale=True))
