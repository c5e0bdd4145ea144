"""A league's deals on a Ray cluster: the same deals, on more than one machine.

Every machine needs byzanz and the bots' programs, in the same versions; the extra ``ray`` brings
what this file needs.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Iterator
from itertools import islice

import ray
from ray.exceptions import RayError

from .league import League, PlayedDeal, play_deal
from .workers import PlayersLost

LOCAL = "local"
"""The address that stands for a cluster of this machine alone, begun and ended with the league."""


def play_on_ray(
    league: League, numbers: Iterable[int], address: str, *, records: bool = False
) -> Iterator[PlayedDeal]:
    """The deals in the order they are finished; raises PlayersLost if the cluster fails."""
    try:
        _knock(address)
        ray.init(
            address=address,
            include_dashboard=False if address == LOCAL else None,
            log_to_driver=False,
            logging_level="error",
        )
    except (RayError, OSError, ValueError, RuntimeError) as error:
        raise PlayersLost(f"there is no Ray cluster at {address}: {error}") from None
    task = ray.remote(play_deal)
    waiting = iter(numbers)
    try:
        # Two deals for each core keep all of them busy, and memory constant.
        room = max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
        ahead = [task.remote(league, number, records=records) for number in islice(waiting, room)]
        while ahead:
            (finished,), ahead = ray.wait(ahead, num_returns=1)
            yield ray.get(finished)
            ahead += [task.remote(league, number, records=records) for number in islice(waiting, 1)]
    except RayError as error:
        raise PlayersLost(f"the Ray cluster failed: {error}") from None
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Raises OSError if nobody answers at a host and port; Ray itself would try for minutes."""
    found = re.fullmatch(r"(?P<host>[^/]+):(?P<port>[0-9]{1,5})", address)
    if found is not None:
        socket.create_connection((found["host"], int(found["port"])), timeout=10).close()
