"""One table's life: guests, seats, commands in, sights out, and the store that holds them.

A :class:`House` serves the tables of one database. Commands are judged on values, stored in an
append-only log, and only then shown; what a viewer gets is a :class:`Sight`, made from a View.
This room imports :mod:`byzanz.rules`, :mod:`byzanz.notation`, :mod:`byzanz.bots`, SQLAlchemy and
Alembic. It knows no web and makes no sentences: what it declines is a code.
"""

from .answers import Accepted, Answer, Refused
from .backup import backup, forget, restore
from .guests import Guest
from .house import House
from .limits import Limits
from .listing import Listing
from .live import Watch
from .lock import AlreadyServed
from .migrations import UnknownSchema
from .plan import BotSeat, Host, NewTable, Open, Pace, SeatPlan, TableOptions
from .reasons import Declined, TableReason
from .sight import Sight, Sitter, redacted
from .sources import SYSTEM, Sources
from .store import Store, StoreFailed
from .table import Stage

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
