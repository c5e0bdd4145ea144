"""No byte depends on unseen cards if three processes serve one PostgreSQL database.

The viewer sends requests to one process and has its sockets at another, and the other players act
at the third.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.tables.databases import Postgres

from .comparing import Servers, compare_games, compare_points
from .fixed_server import three_processes
from .leaks import LEAKS
from .recorder import Leak


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    folder: Path = tmp_path_factory.mktemp("postgresql")
    with (
        Postgres(folder / "server") as postgres,
        three_processes(postgres.fresh()) as one,
        three_processes(postgres.fresh()) as other,
    ):
        other.deal_secret = "22" * 32
        yield one, other


@pytest.mark.parametrize(
    "number",
    [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow), 3],
)
def test_every_byte_is_the_same_in_three_processes(servers: Servers, number: int) -> None:
    tallies = list(compare_points(servers, number, stride=29))
    assert sum(tally.points for tally in tallies) >= 4
    assert sum(tally.answers for tally in tallies) > 40


@pytest.mark.parametrize(("number", "observer"), [(20, None), (21, 0), (22, 2)])
def test_every_byte_is_the_same_from_the_creation_of_the_table_on(
    servers: Servers, number: int, observer: int | None
) -> None:
    assert compare_games(servers, number, observer, steps=12).answers > 3 * 12


def test_a_leak_is_found(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    next(iter(LEAKS.values()))(monkeypatch)
    with pytest.raises(Leak):
        list(chain(compare_points(servers, 0, stride=11), compare_points(servers, 1, stride=11)))
