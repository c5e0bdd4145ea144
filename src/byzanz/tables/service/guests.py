"""The guest service: creates, finds, changes and forgets guests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from byzanz.tables.model import commands
from byzanz.tables.model.guests import Guest, checked_avatar, checked_name
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.table import Change, Stage, Table
from byzanz.tables.storage import guest_rows, table_rows
from byzanz.tables.storage.store import Store

from .environment import Environment
from .limits import Limits
from .live_tables import NUL, LiveTables
from .sessions import SessionService

_DAY = 24 * 3600.0

_CACHE_SIZE = 10_000
"""The number of guests held in memory."""

_MAX_LANGUAGE_LENGTH = 16


class GuestService:
    """The guests of a service. Methods raise Declined if they refuse.

    ``guests.sessions`` manages the devices on which guests are signed in, and their tokens.
    """

    def __init__(
        self, store: Store, tables: LiveTables, environment: Environment, limits: Limits
    ) -> None:
        self._store = store
        self._tables = tables
        self._environment = environment
        self._limits = limits
        self._cache: dict[str, Guest] = {}
        self.sessions = SessionService(store, environment, limits)
        tables.name_of = self._name_of

    async def create(self, name: str | None, language: str) -> Guest:
        """Create a guest."""
        now = self._environment.clock()
        id_, name = self._environment.ids(), self._checked(name)
        guest = Guest(id_, name, language[:_MAX_LANGUAGE_LENGTH], now, now)
        await self._store.run(partial(guest_rows.add_guest, guest=guest))
        return self._cached(guest)

    def check_name(self, name: str) -> None:
        """Raise Declined if no guest may have this name."""
        self._checked(name)

    async def get(self, guest: str) -> Guest | None:
        """Return the guest with this id, or None. The visit is stored at most once a day."""
        found = self._cache.get(guest)
        if found is None:
            found = await self._store.run(partial(guest_rows.load_guest, guest=guest))
        if found is None:
            return None
        now = self._environment.clock()
        if now - found.seen >= _DAY:
            found = replace(found, seen=now)
            await self._store.run(partial(guest_rows.save_guest, guest=found))
        return self._cached(found)

    async def require(self, guest: str) -> Guest:
        """Return the guest with this id; raises Declined if there is none."""
        found = await self.get(guest)
        if found is None:
            raise Declined(TableReason.NO_SUCH_GUEST)
        return found

    async def update(self, guest: str, name: str | None, language: str) -> Guest:
        """Change the guest's name and language. Unfinished tables show the new name."""
        before = await self.require(guest)
        name, language = self._checked(name), language[:_MAX_LANGUAGE_LENGTH]
        return await self._save(before, replace(before, name=name, language=language))

    async def choose_avatar(self, guest: str, avatar: int | None) -> Guest:
        """Change the guest's portrait. Unfinished tables show the new one."""
        before = await self.require(guest)
        return await self._save(before, replace(before, avatar=checked_avatar(avatar)))

    async def forget(self, guest: str) -> None:
        """Delete the guest. Their finished games stay, without their name."""
        now, bot = self._environment.clock(), self._limits.substitute_bot
        await self._change_tables(guest, lambda table: commands.forget(table, guest, bot, now))
        ended = await self._store.run(partial(guest_rows.drop_guest, guest=guest))
        self._cache.pop(guest, None)
        self.sessions.ended(ended)
        self._tables.peers.announce_guest(guest)

    def uncache(self, guest: str | None) -> None:
        """Remove the guest, or all guests for None, from memory.

        Another process may have changed them.
        """
        if guest is None:
            self._cache.clear()
        else:
            self._cache.pop(guest, None)

    async def pass_token(self, guest: str) -> str:
        """Return a token that signs another device in as this guest. It works once."""
        await self.require(guest)
        token = self._environment.keys()
        expires = self._environment.clock() + self._limits.personal_link_seconds
        await self._store.run(
            partial(guest_rows.add_pass, guest=guest, token=token, expires=expires)
        )
        return token

    async def redeem(self, token: str) -> Guest:
        """Return the guest of this token, and invalidate the token."""
        if NUL in token:
            raise Declined(TableReason.BAD_PASS)
        now = self._environment.clock()
        found = await self._store.run(partial(guest_rows.use_pass, token=token, now=now))
        if found is None:
            raise Declined(TableReason.BAD_PASS)
        return self._cached(found)

    async def _save(self, before: Guest, guest: Guest) -> Guest:
        """Store the changed guest, and show their name and portrait at unfinished tables."""
        now = self._environment.clock()
        await self._store.run(partial(guest_rows.save_guest, guest=guest))
        self._cached(guest)
        self._tables.peers.announce_guest(guest.id)
        if (guest.name, guest.avatar) != (before.name, before.avatar):
            await self._change_tables(
                guest.id,
                lambda table: commands.update_guest(table, guest, now),
                (Stage.OPEN, Stage.PLAYING),
            )
        return guest

    async def _change_tables(
        self,
        guest: str,
        command: Callable[[Table], Table],
        stages: tuple[Stage, ...] = tuple(Stage),
    ) -> None:
        """Execute the command on every table of these stages that mentions the guest."""
        mentioning = partial(table_rows.tables_mentioning, guest=guest, stages=stages)
        for table in await self._store.run(mentioning):
            await self._tables.change(table, lambda found: Change(command(found)))

    def _cached(self, guest: Guest) -> Guest:
        self._cache[guest.id] = guest
        if len(self._cache) > _CACHE_SIZE:
            del self._cache[next(iter(self._cache))]
        return guest

    def _name_of(self, guest: str) -> str | None:
        """Return the name of a guest who has just sent a request."""
        found = self._cache.get(guest)
        return None if found is None else found.name

    def _checked(self, name: str | None) -> str | None:
        return checked_name(name, self._limits.max_name_length)
