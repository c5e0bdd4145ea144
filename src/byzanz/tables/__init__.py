"""Tables: guests, seats, commands, views, and the database that stores them.

A :class:`TableService` serves the tables of one database. A command changes a table in memory, is
stored in an append-only log, and is then published. Viewers get a :class:`TableView`, which holds
only what they may see.

This package does not depend on the web, and it produces no text for people: a refusal is a code.
"""

from byzanz.tables.model.answers import Accepted, Answer, Refused
from byzanz.tables.model.bans import Ban
from byzanz.tables.model.guests import AVATARS, Guest
from byzanz.tables.model.notices import NoticeKind
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
from byzanz.tables.model.proof import DealProof
from byzanz.tables.model.ratings import MOST_MEETINGS
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.results import MIXED, PEOPLE, GameFilter, GameResult, Outcome, place
from byzanz.tables.model.sayings import PHRASES, REACTIONS, Phrase, Saying
from byzanz.tables.model.sessions import (
    MAX_TOKEN_DAYS,
    TOKEN_DAYS,
    Label,
    Session,
    SessionKind,
    digest_of,
)
from byzanz.tables.model.shared_deals import SharedDeal, Standing, days_before, is_day
from byzanz.tables.model.statistics import (
    BestSet,
    Estimate,
    Favourite,
    LuckSoFar,
    Statistics,
    WinShare,
    statistics,
)
from byzanz.tables.model.table import Replaced, Stage
from byzanz.tables.model.targets import Channel, Target
from byzanz.tables.model.view import Sitter, TableView, VisibleGame, redact
from byzanz.tables.service.bans import Bans
from byzanz.tables.service.environment import SYSTEM, Environment
from byzanz.tables.service.forgetting import NotForgotten, forget
from byzanz.tables.service.guests import GuestService
from byzanz.tables.service.history import HistoryService
from byzanz.tables.service.jobs import JobKind
from byzanz.tables.service.limits import Limits
from byzanz.tables.service.notifications import Notification, NotificationService, Sent
from byzanz.tables.service.ratings import RatingService, recompute_ratings
from byzanz.tables.service.reviews import Reviews, ReviewStatus
from byzanz.tables.service.service import TableService
from byzanz.tables.service.sessions import DEVICE_SECONDS, SessionService
from byzanz.tables.service.shared_deals import SharedDealService
from byzanz.tables.service.subscriptions import Subscription
from byzanz.tables.service.talk import TalkService
from byzanz.tables.storage.backup import NotBackedUp, NotRestored, backup, restore
from byzanz.tables.storage.deal_rows import Try
from byzanz.tables.storage.listing import Listing
from byzanz.tables.storage.lock import AlreadyServed
from byzanz.tables.storage.migrations import UnknownSchema
from byzanz.tables.storage.operating import (
    GuestFilter,
    GuestRow,
    NotOperated,
    TableFilter,
    TableRow,
    ban,
    find_guests,
    find_tables,
    list_bans,
    unban,
)
from byzanz.tables.storage.rating_rows import RatedChange, StoredRating
from byzanz.tables.storage.store import Store, StoreFailed

__all__ = [
    "AVATARS",
    "BY_HAND",
    "DEVICE_SECONDS",
    "MAX_TOKEN_DAYS",
    "MIXED",
    "MOST_MEETINGS",
    "PEOPLE",
    "PHRASES",
    "REACTIONS",
    "SYSTEM",
    "TOKEN_DAYS",
    "Accepted",
    "Aid",
    "AlreadyServed",
    "Answer",
    "Automatic",
    "Ban",
    "Bans",
    "BestSet",
    "BotSeat",
    "Channel",
    "DealProof",
    "Declined",
    "Dropped",
    "Environment",
    "Estimate",
    "Favourite",
    "GameFilter",
    "GameResult",
    "Guest",
    "GuestFilter",
    "GuestRow",
    "GuestService",
    "HistoryService",
    "Host",
    "JobKind",
    "Label",
    "Limits",
    "Listing",
    "LuckSoFar",
    "NewTable",
    "NotBackedUp",
    "NotForgotten",
    "NotOperated",
    "NotRestored",
    "NoticeKind",
    "Notification",
    "NotificationService",
    "Open",
    "Outcome",
    "Pace",
    "Phrase",
    "Prepared",
    "PreparedBid",
    "PreparedPass",
    "PreparedTake",
    "RatedChange",
    "RatingService",
    "Refused",
    "Replaced",
    "ReviewStatus",
    "Reviews",
    "Saying",
    "SeatPlan",
    "Sent",
    "Session",
    "SessionKind",
    "SessionService",
    "SharedDeal",
    "SharedDealService",
    "Sitter",
    "Stage",
    "Standing",
    "Statistics",
    "Store",
    "StoreFailed",
    "StoredRating",
    "Subscription",
    "TableFilter",
    "TableOptions",
    "TableReason",
    "TableRow",
    "TableService",
    "TableView",
    "TalkService",
    "Target",
    "Try",
    "UnknownSchema",
    "VisibleGame",
    "WinShare",
    "backup",
    "ban",
    "days_before",
    "digest_of",
    "find_guests",
    "find_tables",
    "forget",
    "is_day",
    "list_bans",
    "place",
    "recompute_ratings",
    "redact",
    "restore",
    "statistics",
    "unban",
]
