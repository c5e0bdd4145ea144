"""Why a table declines something: an enumerated list, as the rules' reasons are one."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class TableReason(StrEnum):
    """Why a table declines something. The value is the code that machines read."""

    # what is named does not exist
    NO_SUCH_TABLE = "no-such-table"
    NO_SUCH_GUEST = "no-such-guest"
    NOT_A_SEAT = "not-a-seat"
    UNKNOWN_BOT = "unknown-bot"
    BAD_PASS = "bad-pass"  # noqa: S105

    # what is asked for is not in the form
    BAD_NAME = "bad-name"
    BAD_PLAN = "bad-plan"
    BAD_TIME = "bad-time"
    BAD_KEY = "bad-key"

    # the moment is wrong
    NOT_STARTED = "not-started"
    ALREADY_STARTED = "already-started"
    NOT_FINISHED = "not-finished"
    FINISHED = "finished"
    EXPIRED = "expired"
    STALE_DECISION = "stale-decision"
    KEY_REUSED = "key-reused"

    # the asker is not the one who may
    NOT_YOUR_SEAT = "not-your-seat"
    NOT_HOST = "not-host"
    ALREADY_SEATED = "already-seated"
    SEAT_TAKEN = "seat-taken"
    TABLE_FULL = "table-full"
    NOT_A_PERSON = "not-a-person"
    NOT_ABSENT = "not-absent"
    HAS_TIME_LIMIT = "has-time-limit"
    TOO_MANY_TABLES = "too-many-tables"


class Declined(Exception):
    """The table does not do this; nothing has changed."""

    def __init__(self, reason: TableReason, **parameters: int | str) -> None:
        super().__init__(reason, parameters)
        self.reason = reason
        self.parameters: Mapping[str, int | str] = parameters

    def __str__(self) -> str:
        named = " ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.reason} {named}".rstrip()
