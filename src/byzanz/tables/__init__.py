"""Tables: guests, seats, commands, views, and the database that stores them.

A :class:`TableService` serves the tables of one database. A command changes a table in memory, is
stored in an append-only log, and is then published. Viewers get a :class:`TableView`, which holds
only what they may see.

This package does not depend on the web, and it does not make sentences: a refusal is a code.
"""

from byzanz.tables.model.answers import Accepted, Answer, Refused
from byzanz.tables.model.guests import AVATARS, Guest
from byzanz.tables.model.plan import (
    Aid,
    BotSeat,
    Host,
    NewTable,
    Open,
    Pace,
    SeatPlan,
    TableOptions,
)
from byzanz.tables.model.prepared import (
    BY_HAND,
    Automatic,
    Dropped,
    Prepared,
    PreparedBid,
    PreparedPass,
    PreparedTake,
)
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.table import Replaced, Stage
from byzanz.tables.model.view import Sitter, TableView, VisibleGame, redact
from byzanz.tables.service.environment import SYSTEM, Environment
from byzanz.tables.service.guests import GuestService
from byzanz.tables.service.limits import Limits
from byzanz.tables.service.service import NotForgotten, TableService, forget
from byzanz.tables.service.subscriptions import Subscription
from byzanz.tables.storage.backup import NotBackedUp, NotRestored, backup, restore
from byzanz.tables.storage.listing import Listing
from byzanz.tables.storage.lock import AlreadyServed
from byzanz.tables.storage.migrations import UnknownSchema
from byzanz.tables.storage.store import Store, StoreFailed

__all__ = [
    "AVATARS",
    "BY_HAND",
    "SYSTEM",
    "Accepted",
    "Aid",
    "AlreadyServed",
    "Answer",
    "Automatic",
    "BotSeat",
    "Declined",
    "Dropped",
    "Environment",
    "Guest",
    "GuestService",
    "Host",
    "Limits",
    "Listing",
    "NewTable",
    "NotBackedUp",
    "NotForgotten",
    "NotRestored",
    "Open",
    "Pace",
    "Prepared",
    "PreparedBid",
    "PreparedPass",
    "PreparedTake",
    "Refused",
    "Replaced",
    "SeatPlan",
    "Sitter",
    "Stage",
    "Store",
    "StoreFailed",
    "Subscription",
    "TableOptions",
    "TableReason",
    "TableService",
    "TableView",
    "UnknownSchema",
    "VisibleGame",
    "backup",
    "forget",
    "redact",
    "restore",
]
