"""Play deals of a league on a Ray cluster.

All machines must have the same versions of byzanz and of the bots' programs. The extra ``ray``
installs Ray.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Iterator
from itertools import islice

import ray
from ray.exceptions import RayError

from .league import League, PlayedDeal, play_deal
from .workers import WorkersLost

LOCAL = "local"
"""The address of a temporary cluster on this machine."""


def play_on_ray(
    league: League, numbers: Iterable[int], address: str, *, records: bool = False
) -> Iterator[PlayedDeal]:
    """Play deals and yield them as they finish.

    Raises WorkersLost if there is no cluster at the address, or if the cluster fails.
    """
    try:
        _check_reachable(address)
        ray.init(
            address=address,
            include_dashboard=False if address == LOCAL else None,
            log_to_driver=False,
            logging_level="error",
        )
    except (RayError, OSError, ValueError, RuntimeError) as error:
        raise WorkersLost(f"there is no Ray cluster at {address}: {error}") from None
    task = ray.remote(play_deal)
    waiting = iter(numbers)
    try:
        # Two deals per core keep all cores busy at constant memory use.
        at_once = max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
        pending = [
            task.remote(league, number, records=records) for number in islice(waiting, at_once)
        ]
        while pending:
            (finished,), pending = ray.wait(pending, num_returns=1)
            yield ray.get(finished)
            pending += [
                task.remote(league, number, records=records) for number in islice(waiting, 1)
            ]
    except RayError as error:
        raise WorkersLost(f"the Ray cluster failed: {error}") from None
    finally:
        ray.shutdown()


def _check_reachable(address: str) -> None:
    """Raise OSError if nothing listens at the address; Ray itself would retry for minutes."""
    found = re.fullmatch(r"(?P<host>[^/]+):(?P<port>[0-9]{1,5})", address)
    if found is not None:
        socket.create_connection((found["host"], int(found["port"])), timeout=10).close()
