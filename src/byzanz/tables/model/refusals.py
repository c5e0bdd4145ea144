"""The reasons why a table declines a command, as an enumeration."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class TableReason(StrEnum):
    """The reason why a table declines a command. The value is the code for programs."""

    # something named in the command does not exist
    NO_SUCH_TABLE = "no-such-table"
    NO_SUCH_GUEST = "no-such-guest"
    NOT_A_SEAT = "not-a-seat"
    UNKNOWN_BOT = "unknown-bot"
    NO_SUCH_DEAL = "no-such-deal"
    BAD_PASS = "bad-pass"  # noqa: S105
    NO_PROOF = "no-proof"
    NO_SUCH_SESSION = "no-such-session"

    NO_SUCH_TARGET = "no-such-target"
    BAD_LINK = "bad-link"

    # a value is malformed or out of range
    BAD_NAME = "bad-name"
    BAD_AVATAR = "bad-avatar"
    BAD_PLAN = "bad-plan"
    BAD_TIME = "bad-time"
    BAD_KEY = "bad-key"
    BAD_STEP = "bad-step"
    BAD_NONCE = "bad-nonce"
    BAD_TOKEN_DAYS = "bad-token-days"  # noqa: S105
    BAD_PASSWORD = "bad-password"  # noqa: S105
    RATED_NEEDS_TIME = "rated-needs-time"
    UNRATED_BOT = "unrated-bot"
    BAD_ENDPOINT = "bad-endpoint"
    BAD_EMAIL = "bad-email"

    # the table is at another stage, or has moved on
    NOT_STARTED = "not-started"
    ALREADY_STARTED = "already-started"
    NOT_FINISHED = "not-finished"
    FINISHED = "finished"
    EXPIRED = "expired"
    ENDED = "ended"
    STALE_DECISION = "stale-decision"
    KEY_REUSED = "key-reused"
    CANNOT_PREPARE = "cannot-prepare"
    BAD_PREPARED_BID = "bad-prepared-bid"
    NOTHING_TO_UNDO = "nothing-to-undo"
    ANSWERED_SINCE = "answered-since"
    SHOWN_SINCE = "shown-since"
    NOT_AGREED = "not-agreed"
    SAME_DEAL_IN_PLAY = "same-deal-in-play"
    NO_UNDO = "no-undo"
    RATED = "rated"

    NOTHING_TO_DECIDE = "nothing-to-decide"
    NO_ANSWER = "no-answer"

    # the guest or the seat does not allow it
    NOT_YOUR_SEAT = "not-your-seat"
    NOT_PLAYED = "not-played"
    NOT_HOST = "not-host"
    ALREADY_SEATED = "already-seated"
    SEAT_TAKEN = "seat-taken"
    TABLE_FULL = "table-full"
    NOT_A_PERSON = "not-a-person"
    NOT_ABSENT = "not-absent"
    NOBODY_HERE = "nobody-here"
    OWN_SEAT = "own-seat"
    HAS_TIME_LIMIT = "has-time-limit"
    NOT_ABANDONED = "not-abandoned"
    PASSWORD_NEEDED = "password-needed"  # noqa: S105
    WRONG_PASSWORD = "wrong-password"  # noqa: S105
    TOO_MANY_TRIES = "too-many-tries"
    TALK_IS_OFF = "talk-is-off"
    TALKING_TOO_MUCH = "talking-too-much"
    NO_HINTS = "no-hints"
    NO_ODDS = "no-odds"
    TOO_MANY_HINTS = "too-many-hints"
    TOO_MANY_TABLES = "too-many-tables"
    TOO_MANY_GAMES = "too-many-games"
    TOO_MANY_SEATS = "too-many-seats"
    TOO_MANY_LISTED = "too-many-listed"
    TOO_MANY_TOKENS = "too-many-tokens"

    # reviews
    NO_REVIEWS = "no-reviews"
    TOO_MANY_REVIEWS = "too-many-reviews"
    REVIEWS_BUSY = "reviews-busy"

    # notifications
    NO_PUSH = "no-push"
    NO_EMAIL = "no-email"
    TOO_MANY_TARGETS = "too-many-targets"


class Declined(Exception):
    """Raised when a table declines a command. Nothing has changed."""

    def __init__(self, reason: TableReason, **parameters: int | str) -> None:
        super().__init__(reason, parameters)
        self.reason = reason
        self.parameters: Mapping[str, int | str] = parameters

    def __str__(self) -> str:
        named = " ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.reason} {named}".rstrip()
