"""Reviews of finished games, which guests ask for and background jobs make.

A row in the database says that a review was asked for, and a job makes it. If the job is lost, for
example because the database was restored from a backup, it is added again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Literal

from msgspec import Struct
from sqlalchemy import Connection

from byzanz.coach.results import Review
from byzanz.rules import Game
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.storage import result_rows, review_rows
from byzanz.tables.storage.review_rows import StoredReview
from byzanz.tables.storage.store import Conflict, Store, StoreFailed

from .background import attempt
from .environment import Environment
from .jobs import JobFailed, JobKind, Jobs
from .limits import Limits
from .review_process import Progress, review_in_process

_LOG = logging.getLogger(__name__)

_DAY = 24 * 3600.0
_PROGRESS_SECONDS = 1.0
"""How often the progress of a review is stored."""
_CACHED = 64
"""The number of reviews held in memory."""

Reviewer = Callable[[str, int, Progress], Awaitable[Review]]
"""Reviews the game of a record with at most this many worlds."""


class ReviewStatus(Struct, frozen=True, kw_only=True):
    """How far the review of a game has progressed."""

    state: Literal["none", "waiting", "running", "done", "failed"]
    """``none`` if nobody has asked for it."""
    done: int = 0
    """The number of decisions that have been judged, while the review is running."""
    of: int = 0
    """The number of all decisions to judge; 0 until this is known."""
    ahead: int = 0
    """The number of reviews that are made before this one."""
    review: Review | None = None


class Reviews:
    """The reviews of a service. Methods raise Declined if they refuse.

    ``replay`` returns the game of a finished table; it raises Declined if the guest may not see it.
    ``record`` returns the game's record.
    """

    def __init__(  # noqa: PLR0913
        self,
        store: Store,
        replay: Callable[[str, str | None], Awaitable[Game]],
        record: Callable[[str], Awaitable[str]],
        *,
        environment: Environment,
        limits: Limits,
        jobs: Jobs,
        reviewer: Reviewer = review_in_process,
    ) -> None:
        self._jobs = jobs
        self._store = store
        self._replay = replay
        self._record = record
        self._clock = environment.clock
        self._limits = limits
        self._reviewer = reviewer
        self._running: dict[str, tuple[int, int]] = {}
        """The tables whose games are being reviewed, with the progress."""
        self._cache: dict[str, Review] = {}
        jobs.define(JobKind.REVIEW, self._make, limits.review_processes)

    @property
    def enabled(self) -> bool:
        """Whether this server reviews games."""
        return self._limits.review_processes > 0

    async def request(self, table: str, guest: str) -> ReviewStatus:
        """Ask for the review of a finished game, unless it exists or is waiting already."""
        await self._replay(table, guest)
        if not self.enabled:
            raise Declined(TableReason.NO_REVIEWS)
        try:
            refusal = await self._store.run(partial(self._queued, table=table, guest=guest))
        except Conflict:
            refusal = None  # somebody else has just asked for it
        if refusal is not None:
            raise refusal
        return await self.status(table, guest)

    async def status(self, table: str, guest: str | None = None) -> ReviewStatus:
        """Return how far the review has progressed, and the review itself once it is done."""
        await self._replay(table, guest)
        if table in self._cache:
            return ReviewStatus(state="done", review=self._cache[table])
        found = await self._store.run(partial(review_rows.load_review, table=table))
        if found is None:
            return ReviewStatus(state="none")
        if found.state == review_rows.DONE:
            review = _parsed(found)
            if review is None:
                return ReviewStatus(state="none")
            self._remember(table, review)
            return ReviewStatus(state="done", review=review)
        if found.state == review_rows.FAILED:
            return ReviewStatus(state="failed")
        if table in self._running:
            done, of = self._running[table]
            return ReviewStatus(state="running", done=done, of=of)
        if found.progress is not None:
            done, of = found.progress
            return ReviewStatus(state="running", done=done, of=of)
        waiting = await self._store.run(review_rows.waiting_reviews)
        ahead = waiting.index(table) if table in waiting else 0
        return ReviewStatus(state="waiting", ahead=ahead)

    async def fill(self) -> None:
        """Add accuracy and luck to the stored results of reviewed games that lack these figures."""

        def job(connection: Connection, table: str) -> None:
            found = review_rows.load_review(connection, table)
            review = None if found is None else _parsed(found)
            if review is not None:
                result_rows.add_reviewed(connection, table, _seats(review))

        for table in await self._store.run(result_rows.reviewed_without_accuracy):
            await attempt(partial(self._store.run, partial(job, table=table)))

    async def run(self) -> None:
        """Resume unfinished reviews, and complete the results of games that were reviewed."""
        await attempt(self.resume)
        await attempt(self.fill)

    async def resume(self) -> None:
        """Add a job for every review that is to be made, unless it has a waiting one."""

        def job(connection: Connection) -> None:
            for table in review_rows.waiting_reviews(connection):
                self._jobs.add(connection, JobKind.REVIEW, table)

        await self._store.run(job)

    async def _make(self, table: str) -> None:
        """Review the game of this table and store the review, if one is still waiting."""
        found = await self._store.run(partial(review_rows.load_review, table=table))
        if found is None or found.state != review_rows.WAITING:
            return
        self._running[table] = (0, 0)
        noting = asyncio.create_task(self._note_progress(table))
        try:
            record = await self._record(table)
            review = await self._reviewer(
                record,
                self._limits.review_worlds,
                lambda done, of: self._running.__setitem__(table, (done, of)),
            )
            await self._store.run(partial(_finish, table=table, review=review))
        except (StoreFailed, Conflict):
            raise  # it is tried again
        except Exception as error:
            _LOG.warning("a review failed: %s %s", type(error).__name__, error)
            await self._store.run(partial(review_rows.fail_review, table=table))
            raise JobFailed from error
        finally:
            noting.cancel()
            await asyncio.gather(noting, return_exceptions=True)
            del self._running[table]

    async def _note_progress(self, table: str) -> None:
        """Store the progress of a review for other processes, until cancelled."""
        if not self._store.sharable:
            return
        noted: tuple[int, int] | None = None
        try:
            while True:
                progress = self._running.get(table)
                if progress != noted:
                    note = partial(review_rows.note_progress, table=table, progress=progress)
                    await self._store.run(note)
                    noted = progress
                await asyncio.sleep(_PROGRESS_SECONDS)
        except asyncio.CancelledError:
            with suppress(StoreFailed, Conflict):
                note = partial(review_rows.note_progress, table=table, progress=None)
                await self._store.run(note)
            raise

    def _queued(self, connection: Connection, table: str, guest: str) -> Declined | None:
        """Put the game into the queue, unless it is there or reviewed; return a refusal or None."""
        found, limits = review_rows.load_review(connection, table), self._limits
        if found is not None and found.state == review_rows.WAITING:
            return None
        if found is not None and found.state == review_rows.DONE and _parsed(found) is not None:
            return None
        now = self._clock()
        if review_rows.asked_since(connection, guest, now - _DAY) >= limits.reviews_per_guest:
            return Declined(TableReason.TOO_MANY_REVIEWS, most=limits.reviews_per_guest)
        if len(review_rows.waiting_reviews(connection)) >= limits.review_queue:
            return Declined(TableReason.REVIEWS_BUSY)
        review_rows.add_review(connection, table, guest, now)
        self._jobs.add(connection, JobKind.REVIEW, table)
        return None

    def _remember(self, table: str, review: Review) -> None:
        self._cache[table] = review
        if len(self._cache) > _CACHED:
            del self._cache[next(iter(self._cache))]


def _finish(connection: Connection, table: str, review: Review) -> None:
    """Store a review, and its accuracy and luck in the results of the game."""
    content = review.to_json().decode()
    if review_rows.finish_review(connection, table, review.network, content):
        result_rows.add_reviewed(connection, table, _seats(review))


def _seats(review: Review) -> list[tuple[int, float, float | None]]:
    return [
        (each.seat, each.accuracy / 100, None if each.luck is None else each.luck.luck)
        for each in review.seats
    ]


def _parsed(found: StoredReview) -> Review | None:
    """Return the stored review; None if an earlier version stored it in another format."""
    try:
        return Review.from_json(found.content or "")
    except ValueError:
        return None
