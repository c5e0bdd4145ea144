"""The limits of the table service: retention times, sizes and intervals.

Every field describes itself for the operator: see :func:`setting`.
"""

from __future__ import annotations

import re
from math import inf
from typing import Annotated, Any

from msgspec import Meta, Struct

from byzanz.bots import BOTS
from byzanz.tables.model.plan import LONGEST_THINKING

_DAY = 24 * 3600.0
_CENTURY = 100 * 365 * _DAY


def setting(  # noqa: PLR0913
    table: str,
    meaning: str,
    *,
    least: float | None = None,
    most: float | None = None,
    choices: tuple[str, ...] | None = None,
    pattern: str | None = None,
    expected: str | None = None,
) -> Meta:
    """Describe a field that the operator can set in a settings file or the environment.

    ``table`` is the TOML table that holds the field and ``meaning`` its one-line description.
    Values must be at least ``least``, at most ``most`` and one of ``choices``, if these are given.
    A text must match ``pattern``, which ``expected`` describes.
    """
    constraints: dict[str, Any] = {"ge": least, "le": most, "pattern": pattern}
    if choices is not None:
        constraints["pattern"] = rf"\A(?:{'|'.join(map(re.escape, choices))})\Z"
    extra = {"table": table, "choices": choices, "expected": expected}
    meta: Meta = Meta(description=meaning, extra=extra, **constraints)
    return meta


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Limits of a table service. The defaults suit a public server."""

    open_table_seconds: Annotated[
        float,
        setting(
            "tables",
            "Seconds without a change after which a table that has not started expires.",
            least=60,
            most=_CENTURY,
        ),
    ] = 1 * _DAY
    idle_table_seconds: Annotated[
        float,
        setting(
            "tables",
            "Seconds without an action after which a table in play expires.",
            least=LONGEST_THINKING,  # a table must not expire while a player still has time
            most=_CENTURY,
        ),
    ] = 30 * _DAY
    expired_table_seconds: Annotated[
        float,
        setting(
            "tables",
            "Seconds after which an expired table is deleted.",
            least=0,
            most=_CENTURY,
        ),
    ] = 30 * _DAY
    finished_table_seconds: Annotated[
        float,
        setting(
            "tables",
            "Seconds after which a finished table is deleted; inf keeps finished tables forever.",
            least=60,
        ),
    ] = inf
    finished_tables_per_guest: Annotated[
        int,
        setting(
            "tables",
            "Number of finished tables kept for one guest; older ones that no other player keeps "
            "are deleted.",
            least=1,
        ),
    ] = 1000
    games_per_hour_per_guest: Annotated[
        int,
        setting("tables", "Maximum number of games that one guest can start per hour.", least=1),
    ] = 200
    games_per_hour_per_address: Annotated[
        int,
        setting(
            "tables",
            "Maximum number of games that the guests of one network address can start per hour.",
            least=1,
        ),
    ] = 1000
    hints_per_hour_per_guest: Annotated[
        int,
        setting("tables", "Maximum number of hints that one guest can get per hour.", least=1),
    ] = 120
    hints_per_hour_per_address: Annotated[
        int,
        setting(
            "tables",
            "Maximum number of hints that the guests of one network address can get per hour.",
            least=1,
        ),
    ] = 600
    hint_worlds: Annotated[
        int,
        setting(
            "tables",
            "Number of sampled worlds in which a hint tries an action; fewer take less time.",
            least=2,
            most=10_000,
        ),
    ] = 96
    password_tries_per_hour_per_guest: Annotated[
        int,
        setting("tables", "Maximum number of password attempts of one guest per hour.", least=1),
    ] = 20
    password_tries_per_hour_per_address: Annotated[
        int,
        setting(
            "tables",
            "Maximum number of password attempts from one network address per hour.",
            least=1,
        ),
    ] = 100
    password_tries_per_hour_per_table: Annotated[
        int,
        setting(
            "tables",
            "Maximum number of password attempts at one table per hour.",
            least=1,
        ),
    ] = 300
    abandoned_game_seconds: Annotated[
        float,
        setting(
            "tables",
            "Seconds that a player must be away, at a table without a time limit, before the "
            "others can vote to end the game.",
            least=0,
            most=_CENTURY,
        ),
    ] = 600.0
    tables_per_guest: Annotated[
        int,
        setting("tables", "Maximum number of unfinished tables that one guest can host.", least=1),
    ] = 30
    seats_per_guest: Annotated[
        int,
        setting(
            "tables", "Maximum number of unfinished tables at which one guest has a seat.", least=1
        ),
    ] = 50
    listed_tables_per_guest: Annotated[
        int,
        setting("tables", "Maximum number of open tables of one host in the lobby.", least=1),
    ] = 3
    table_cache_size: Annotated[
        int,
        setting(
            "tables",
            "Number of tables above which unused tables are removed from memory at once.",
            least=0,
        ),
    ] = 2000
    table_cache_seconds: Annotated[
        float,
        setting(
            "tables",
            "Seconds after which a table that nobody uses is removed from memory.",
            least=0,
            most=_CENTURY,
        ),
    ] = 60.0
    clock_interval_seconds: Annotated[
        float,
        setting(
            "tables",
            "Seconds between two checks of the players' time limits.",
            least=0.01,
            most=3600,
        ),
    ] = 1.0
    cleanup_interval_seconds: Annotated[
        float,
        setting(
            "tables",
            "Seconds between two searches for expired tables and old data.",
            least=1,
            most=30 * _DAY,
        ),
    ] = 600.0

    inactive_guest_seconds: Annotated[
        float,
        setting(
            "guests",
            "Seconds after the last visit until a guest is deleted.",
            least=2 * _DAY,  # visits are stored once a day
            most=_CENTURY,
        ),
    ] = 400 * _DAY
    personal_link_seconds: Annotated[
        float,
        setting(
            "guests",
            "Seconds for which an unused personal link is valid; a link works once.",
            least=60,
            most=_CENTURY,
        ),
    ] = 1 * _DAY
    sessions_per_guest: Annotated[
        int,
        setting(
            "guests",
            "Maximum number of devices on which one guest is signed in, and of API tokens.",
            least=1,
        ),
    ] = 50
    disconnect_grace_seconds: Annotated[
        float,
        setting(
            "guests",
            "Seconds for which a player counts as present after the last connection closed.",
            least=0,
            most=_DAY,
        ),
    ] = 10.0
    polling_presence_seconds: Annotated[
        float,
        setting(
            "guests",
            "Seconds after a player's last request or connection until the host can replace them.",
            least=0,
            most=_DAY,
        ),
    ] = 60.0
    ban_check_seconds: Annotated[
        float,
        setting(
            "guests",
            "Seconds within which a new or lifted ban takes effect.",
            least=0.05,
            most=3600,
        ),
    ] = 2.0
    address_salt_seconds: Annotated[
        float,
        setting(
            "guests",
            "Seconds after which network addresses get new pseudonyms in the log.",
            least=60,
            most=_CENTURY,
        ),
    ] = 30 * _DAY
    max_name_length: Annotated[
        int,
        setting("guests", "Maximum length of a guest's name in characters.", least=1, most=64),
    ] = 24

    substitute_bot: Annotated[
        str,
        setting(
            "bots",
            "Bot that plays for absent players, and for seats still open when a game starts.",
            choices=tuple(BOTS),
        ),
    ] = "trader"
    bot_threads: Annotated[
        int,
        setting(
            "bots",
            "Maximum number of slow bots that compute at the same time, apart from one quick bot.",
            least=1,
            most=1024,
        ),
    ] = 2
    hide_thinking_times: Annotated[
        bool,
        setting(
            "bots",
            "Whether bots take about the same time for all answers, so that the time tells nothing "
            "about their cards.",
        ),
    ] = True
    thinking_burst_seconds: Annotated[
        float,
        setting(
            "bots",
            "Seconds that the bots of one host can compute before all other bots take precedence.",
            least=0,
            most=_DAY,
        ),
    ] = 120.0
    thinking_seconds_per_second: Annotated[
        float,
        setting(
            "bots",
            "Seconds added to that budget per second, until it is full again.",
            least=0,
            most=1024,
        ),
    ] = 0.5
    bot_timeout_seconds: Annotated[
        float,
        setting(
            "bots",
            "Seconds after which a safe action is played for a bot that has not answered.",
            least=0.1,
            most=_DAY,
        ),
    ] = 10.0

    review_processes: Annotated[
        int,
        setting(
            "reviews",
            "Maximum number of games reviewed at the same time, each in a process of low "
            "priority; 0 switches reviews off.",
            least=0,
            most=64,
        ),
    ] = 1
    review_worlds: Annotated[
        int,
        setting(
            "reviews",
            "Maximum number of sampled worlds in which a review tries each action.",
            least=2,
            most=100_000,
        ),
    ] = 64
    review_queue: Annotated[
        int,
        setting("reviews", "Maximum number of games that wait for their review.", least=1),
    ] = 100
    reviews_per_guest: Annotated[
        int,
        setting("reviews", "Maximum number of reviews that one guest can get per day.", least=1),
    ] = 30

    notification_grace_seconds: Annotated[
        float,
        setting(
            "notifications",
            "Seconds that an absent player has before a notification is sent.",
            least=0,
            most=_DAY,
        ),
    ] = 60.0
    notification_least_seconds: Annotated[
        float,
        setting(
            "notifications",
            "Minimum time limit in seconds; tables with less time per decision send no "
            "notifications of turns.",
            least=0,
            most=LONGEST_THINKING,
        ),
    ] = 300.0
    notification_targets_per_guest: Annotated[
        int,
        setting(
            "notifications",
            "Maximum number of browsers and e-mail addresses that get a guest's notifications.",
            least=1,
            most=1000,
        ),
    ] = 10

    max_key_length: Annotated[
        int,
        setting(
            "requests",
            "Maximum length of the key that identifies a repeated request, in characters.",
            least=40,  # the server's own pages send keys of up to 37 characters
            most=64,  # as the database column holds
        ),
    ] = 64
    stored_answer_seconds: Annotated[
        float,
        setting(
            "requests",
            "Seconds for which a repeated request gets the answer to the first one.",
            least=60,
            most=_CENTURY,
        ),
    ] = 1 * _DAY

    max_queued_views: Annotated[
        int,
        setting(
            "sockets",
            "Number of updates queued for a slow client before it skips to the newest.",
            least=1,
        ),
    ] = 32
