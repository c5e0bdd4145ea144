"""The session service: the devices on which guests are signed in, and their tokens."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection

from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.sessions import (
    Label,
    Session,
    SessionKind,
    checked_token_days,
    checked_token_name,
    digest_of,
)
from byzanz.tables.storage import session_rows
from byzanz.tables.storage.store import Conflict, Store

from .environment import Environment
from .limits import Limits

DEVICE_SECONDS = 365 * 24 * 3600.0
"""How long a device stays signed in after it was last used."""

_DAY = 24 * 3600.0
_RENEW_SECONDS = 30 * _DAY
"""The age at which the expiry of a device's session is extended."""
_SEEN_SECONDS = 600.0
"""How far the stored time of the last use may be out of date."""
_CACHE_SIZE = 10_000
_CACHE_SECONDS = 15.0
"""How long a session is used without asking the database again."""

_Load = Callable[[Connection], Session | None]


class SessionService:
    """The sessions of all guests. Methods raise Declined if they refuse."""

    def __init__(self, store: Store, environment: Environment, limits: Limits) -> None:
        self._store = store
        self._environment = environment
        self._limits = limits
        self._cache: OrderedDict[str, tuple[float, Session]] = OrderedDict()
        self._watched: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._checked = environment.monotonic()
        self.announce: Callable[[str], None] = lambda _: None
        """Tells other processes that this one has ended a session."""
        self._ends = 0
        """The number of sessions that were ended, to notice that one ended while it was loaded."""

    async def add_device(
        self, guest: str, label: Label, replaced: Session | None = None
    ) -> tuple[str, Session]:
        """Sign the guest in on a device; return the secret, which is not stored, and the session.

        The session that the same browser had before is ended. If the guest has too many devices,
        the least recently used one is signed out.
        """
        secret, now = self._environment.keys(), self._environment.clock()
        kind, expires = SessionKind.DEVICE, now + DEVICE_SECONDS
        session = Session(digest_of(secret), guest, kind, label, now, now, expires)
        most = self._limits.sessions_per_guest
        add = partial(session_rows.add_device, session=session, most=most, replaced=replaced)
        self.ended(await self._store.run(add))
        return secret, session

    async def add_token(
        self, guest: str, name: str | None = None, days: int | None = None
    ) -> tuple[str, Session]:
        """Create a token with a name and an expiry; return the secret and the session."""
        label, days = Label(checked_token_name(name)), checked_token_days(days)
        secret, now = self._environment.keys(), self._environment.clock()
        kind, expires = SessionKind.TOKEN, now + days * _DAY
        session = Session(digest_of(secret), guest, kind, label, now, now, expires)
        most = self._limits.sessions_per_guest
        await self._store.run(partial(session_rows.add_token, session=session, most=most))
        return secret, session

    async def find(
        self, secret: str, kind: SessionKind, *, renew: bool = False
    ) -> tuple[Session, bool] | None:
        """Return the session with this secret, and whether its expiry was extended.

        Returns None if there is no such session. If ``renew``, the expiry of a device is extended
        once a month.
        """
        digest = digest_of(secret)
        session = self._cached(digest)
        if session is None:
            session = await self._load(partial(session_rows.load_session, digest=digest))
        if session is None or session.kind is not kind:
            return None
        return await self._use(session, renew=renew)

    async def adopt(self, session: Session) -> Session | None:
        """Return the session of a cookie or token of a version without sessions.

        It is stored when it is first used. Returns None if it has ended, has expired or is no
        longer accepted.
        """
        found = self._cached(session.digest)
        if found is None:
            job = partial(session_rows.adopt_session, session=session)
            try:
                found = await self._load(job)
            except Conflict:  # another process was faster
                found = await self._load(job)
        used = None if found is None else await self._use(found, renew=False)
        return None if used is None else used[0]

    async def all_of(self, guest: str) -> tuple[Session, ...]:
        """Return the guest's sessions, the most recently used ones first."""
        now = self._environment.clock()
        return await self._store.run(partial(session_rows.sessions_of, guest=guest, now=now))

    async def end(self, guest: str, session: str) -> Session:
        """End the guest's session with this id, and return it; raises Declined if there is none."""
        for found in await self.all_of(guest):
            if found.id == session:
                end = partial(session_rows.end_session, digest=found.digest)
                await self._store.run(end)
                self.ended([found.digest])
                return found
        raise Declined(TableReason.NO_SUCH_SESSION)

    async def end_others(self, guest: str, keep: Session | None) -> None:
        """End all sessions of the guest but this one."""
        kept = None if keep is None else keep.digest
        ended = partial(session_rows.end_sessions, guest=guest, keep=kept)
        self.ended(await self._store.run(ended))

    async def drop_expired(self) -> None:
        """Delete all sessions that have expired."""
        now = self._environment.clock()
        expired = partial(session_rows.drop_expired_sessions, now=now)
        self.ended(await self._store.run(expired))

    def ended(self, digests: Iterable[str]) -> None:
        """Forget these sessions, and tell those who watch them, in all processes."""
        for digest in digests:
            self.uncache(digest)
            self.announce(digest)

    def uncache(self, digest: str) -> None:
        """Forget a session that was ended, and tell those who watch it in this process."""
        self._ends += 1
        self._cache.pop(digest, None)
        for event in self._watched.get(digest, ()):
            event.set()

    async def check_watched(self) -> None:
        """Find watched sessions that another process has ended, in case the notice was lost."""
        now = self._environment.monotonic()
        if now - self._checked < _CACHE_SECONDS or not self._watched:
            return
        self._checked = now
        watched = tuple(self._watched)
        for digest in await self._store.run(partial(session_rows.missing, digests=watched)):
            self.uncache(digest)

    @asynccontextmanager
    async def watch(self, session: Session | None) -> AsyncIterator[asyncio.Event]:
        """Return an event that is set when the session ends, or if it has ended already."""
        ended = asyncio.Event()
        if session is None:
            yield ended
            return
        digest = session.digest
        self._watched[digest].add(ended)
        try:
            if digest not in self._cache:
                found = await self._load(partial(session_rows.load_session, digest=digest))
                if found is None:
                    ended.set()
            yield ended
        finally:
            self._watched[digest].discard(ended)
            if not self._watched[digest]:
                del self._watched[digest]

    def _cached(self, digest: str) -> Session | None:
        at, session = self._cache.get(digest, (0.0, None))
        fresh = self._environment.monotonic() - at < _CACHE_SECONDS
        return session if fresh else None

    async def _load(self, job: _Load) -> Session | None:
        """Load a session, and keep it in memory unless one was ended in the meantime."""
        before = self._ends
        session = await self._store.run(job)
        if session is not None and self._ends == before:
            self._keep(session)
        return session

    async def _use(self, session: Session, *, renew: bool) -> tuple[Session, bool] | None:
        """Return the session, and whether its expiry was extended; None if it has expired.

        The time of the last use is stored every few minutes.
        """
        now = self._environment.clock()
        if now >= session.expires:
            return None
        age = now - (session.expires - DEVICE_SECONDS)
        renewed = renew and session.kind is SessionKind.DEVICE and age > _RENEW_SECONDS
        if renewed or now - session.seen >= _SEEN_SECONDS:
            expires = now + DEVICE_SECONDS if renewed else session.expires
            session = replace(session, seen=now, expires=expires)
            if session.digest in self._cache:
                self._keep(session)
            await self._store.run(partial(session_rows.save_session, session=session))
        return session, renewed

    def _keep(self, session: Session) -> None:
        self._cache[session.digest] = self._environment.monotonic(), session
        if len(self._cache) > _CACHE_SIZE:
            self._cache.popitem(last=False)
