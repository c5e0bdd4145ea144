"""The arena on a Ray cluster of this machine; skipped where Ray is not installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from byzanz.arena import League, WorkersLost, play_deals
from tests.requirements import import_or_skip

ray = import_or_skip("ray")

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def league() -> Iterator[League]:
    yield League(3, 5, ("greedy", "random", "random"))
    ray.shutdown()


def test_a_cluster_plays_the_same_deals(league: League) -> None:
    from byzanz.arena.ray_cluster import LOCAL, play_on_ray  # noqa: PLC0415

    here = list(play_deals(league, range(5), records=True))
    there = list(play_on_ray(league, iter(range(5)), LOCAL, records=True))
    assert sorted(there, key=lambda played: played.number) == here
    assert not ray.is_initialized()


def test_a_missing_cluster_is_reported(league: League) -> None:
    from byzanz.arena.ray_cluster import play_on_ray  # noqa: PLC0415

    with pytest.raises(WorkersLost, match="there is no Ray cluster at nowhere"):
        next(play_on_ray(league, iter(range(1)), "nowhere:1"))
