"""A process of low priority that reviews one game and reports its progress."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from multiprocessing import get_context
from multiprocessing.connection import Connection

from byzanz.coach.results import Review
from byzanz.notation import judge

NICENESS = 15
"""How much lower the priority of the process is than the server's."""

Progress = Callable[[int, int], None]
"""Called with the number of judged decisions and the number of all decisions."""


class ReviewFailed(Exception):
    """Raised when the process ended without a review."""


async def review_in_process(record: str, worlds: int, progress: Progress) -> Review:
    """Review the game of a record in a separate process, which ends if the caller is cancelled.

    Raises ReviewFailed if the process ends without a review.
    """
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, record, worlds), daemon=True)
    await asyncio.to_thread(process.start)
    theirs.close()
    try:
        while True:
            message = await asyncio.to_thread(ours.recv)
            match message:
                case (int(done), int(of)):
                    progress(done, of)
                case bytes():
                    return Review.from_json(message)
    except (EOFError, OSError) as error:
        raise ReviewFailed(f"the process ended with {process.exitcode}") from error
    finally:
        process.kill()  # this also ends a pending read, whose thread would wait for ever
        await asyncio.shield(asyncio.to_thread(process.join))
        with suppress(OSError):
            ours.close()


def _work(to_server: Connection, record: str, worlds: int) -> None:
    """Review the game, and send the progress and the result. Runs in the separate process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    from byzanz.coach.game_review import review_game  # noqa: PLC0415 (loads compiled code)

    found = next(iter(judge(BytesIO(record.encode())))).record
    if found is None:
        raise ValueError("the record is not valid")
    with suppress(BrokenPipeError):  # the server has gone
        review = review_game(
            found, worlds=worlds, jobs=1, progress=lambda done, of: to_server.send((done, of))
        )
        to_server.send(review.to_json())
