"""One table's life: guests, seats, commands in, sights out, and the store that holds them.

A :class:`House` serves the tables of one database. Commands are judged on values, stored in an
append-only log, and only then shown; what a viewer gets is a :class:`Sight`, made from a View.
This room imports :mod:`byzanz.rules`, :mod:`byzanz.notation`, :mod:`byzanz.bots`, SQLAlchemy and
Alembic. It knows no web and makes no sentences: what it declines is a code.
"""

from byzanz.tables.model.answers import Accepted, Answer, Refused
from byzanz.tables.model.guests import Guest
from byzanz.tables.model.plan import BotSeat, Host, NewTable, Open, Pace, SeatPlan, TableOptions
from byzanz.tables.model.reasons import Declined, TableReason
from byzanz.tables.model.table import Stage
from byzanz.tables.model.view import Sight, Sitter, redacted
from byzanz.tables.service.environment import SYSTEM, Sources
from byzanz.tables.service.limits import Limits
from byzanz.tables.service.service import House
from byzanz.tables.service.subscriptions import Watch
from byzanz.tables.storage.backup import backup, forget, restore
from byzanz.tables.storage.listing import Listing
from byzanz.tables.storage.lock import AlreadyServed
from byzanz.tables.storage.migrations import UnknownSchema
from byzanz.tables.storage.store import Store, StoreFailed

__all__ = [
    "SYSTEM",
    "Accepted",
    "AlreadyServed",
    "Answer",
    "BotSeat",
    "Declined",
    "Guest",
    "Host",
    "House",
    "Limits",
    "Listing",
    "NewTable",
    "Open",
    "Pace",
    "Refused",
    "SeatPlan",
    "Sight",
    "Sitter",
    "Sources",
    "Stage",
    "Store",
    "StoreFailed",
    "TableOptions",
    "TableReason",
    "UnknownSchema",
    "Watch",
    "backup",
    "forget",
    "redacted",
    "restore",
]
