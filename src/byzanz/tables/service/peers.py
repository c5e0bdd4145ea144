"""What a process tells the other processes that serve the same database, and what it may do."""

from __future__ import annotations

from typing import Protocol

from .subscriptions import LiveTable


class Peers(Protocol):
    """The other processes that serve the same database."""

    leads: bool
    """Whether this process does the work that one process does for all."""
    process: str
    """The id of this process."""

    @property
    def shared(self) -> bool:
        """Whether other processes serve the same database."""

    def holds(self, table: str, /) -> bool:
        """Return whether this process plays the table's bots and enforces its time limits."""

    def announce(self, live: LiveTable) -> None:
        """Tell the others that this process has changed a table."""

    def announce_guest(self, guest: str) -> None:
        """Tell the others that this process has changed or deleted a guest."""

    def attend(self, live: LiveTable) -> None:
        """Tell the others who is present at a table in this process."""


class Alone:
    """No other process serves the database."""

    shared = False
    leads = True
    process = ""

    def holds(self, _: str) -> bool:
        """Return True."""
        return True

    def announce(self, live: LiveTable) -> None:
        """Do nothing."""

    def announce_guest(self, guest: str) -> None:
        """Do nothing."""

    def attend(self, live: LiveTable) -> None:
        """Do nothing."""
