"""Background jobs as rows of a PostgreSQL database, in the schema of Procrastinate.

These functions run in the store's transactions, so that a job is added in the same transaction as
the data that it is about. Procrastinate itself takes jobs out of the queue. The names of its SQL
functions contain their version, and newer schemas keep the older functions.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, text

PREFIX = "procrastinate_"
"""The beginning of the names of Procrastinate's tables."""

_ADD = text("""
    SELECT procrastinate_defer_jobs_v1(ARRAY[ROW(
        CAST(:kind AS varchar), CAST(:kind AS varchar), 0, CAST(:lock AS text), NULL,
        jsonb_build_object('about', CAST(:about AS text), 'since', since),
        CASE WHEN CAST(:at AS float) IS NULL THEN NULL ELSE to_timestamp(since) END
    )::procrastinate_job_to_defer_v1])
    FROM (SELECT greatest(extract(epoch FROM clock_timestamp()), CAST(:at AS float)) AS since) due
    WHERE NOT EXISTS (
        SELECT FROM procrastinate_jobs
        WHERE queue_name = :kind AND status = 'todo' AND args->>'about' = :about
    )
""")
_ADD_ONCE = text("""
    SELECT procrastinate_defer_periodic_job_v2(
        CAST(:kind AS varchar), CAST(:lock AS varchar), NULL, CAST(:kind AS varchar), 0, '',
        CAST(floor(now_ / :seconds) * :seconds AS bigint),
        jsonb_build_object('about', '', 'since', now_)
    )
    FROM (SELECT CAST(extract(epoch FROM clock_timestamp()) AS float) AS now_) due
""")
_RETRY_LOST = text("""
    WITH lost AS (
        SELECT job.id FROM procrastinate_jobs job
        LEFT JOIN procrastinate_workers worker ON worker.id = job.worker_id
        WHERE job.status = 'doing' AND (
            worker.id IS NULL OR worker.last_heartbeat < now() - make_interval(secs => :seconds)
        )
        FOR UPDATE OF job SKIP LOCKED
    )
    SELECT procrastinate_retry_job_v2(id, now(), NULL, NULL, NULL) FROM lost
""")
_WAITING = text("""
    SELECT queue_name,
        count(*) FILTER (WHERE status = 'todo') AS waiting,
        count(*) FILTER (WHERE status = 'doing') AS running,
        greatest(0, extract(epoch FROM now()) - min(CAST(args->>'since' AS float))
            FILTER (WHERE status = 'todo')) AS longest
    FROM procrastinate_jobs
    WHERE status IN ('todo', 'doing') AND (scheduled_at IS NULL OR scheduled_at <= now())
    GROUP BY queue_name
""")


class Queued(NamedTuple):
    """The numbers of jobs of a kind in the queue."""

    waiting: int
    running: int
    longest: float
    """How long the first of them has been waiting, in seconds."""


def add_job(
    connection: Connection, kind: str, about: str, at: float | None, *, alone: bool
) -> None:
    """Add a job, unless the same one is waiting.

    It is done as soon as possible, or at the time ``at``. If ``alone``, no other job of this kind
    about the same thing runs at the same time.
    """
    lock = f"{kind} {about}" if alone else None
    connection.execute(_ADD, {"kind": kind, "about": about, "at": at, "lock": lock})


def add_job_once(connection: Connection, kind: str, seconds: float) -> None:
    """Add a job, unless a process has already added it within the current interval.

    Intervals are counted by the clock of the database server.
    """
    lock = f"{kind} "
    connection.execute(_ADD_ONCE, {"kind": kind, "seconds": max(seconds, 1.0), "lock": lock})


def retry_lost(connection: Connection, seconds: float) -> int:
    """Put the jobs of workers silent for this long back into the queue; return how many."""
    return len(connection.execute(_RETRY_LOST, {"seconds": seconds}).all())


def queued_jobs(connection: Connection) -> dict[str, Queued]:
    """Return how many jobs of each kind are in the queue, without those that are due later."""
    rows = connection.execute(_WAITING)
    return {row.queue_name: Queued(row.waiting, row.running, row.longest or 0.0) for row in rows}
