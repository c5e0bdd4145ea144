"""The tables of the database, as SQLAlchemy metadata."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    false,
    true,
)

METADATA = MetaData()

guests = Table(
    "guests",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("name", Text),
    Column("language", String(16), nullable=False),
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False, index=True),
    Column("avatar", Integer),
    Column("old_sign_ins", Boolean, nullable=False, server_default=true()),
    Column("client", String(16), index=True),
)
"""``old_sign_ins``: whether cookies and tokens of versions without sessions are accepted.
``client`` is the pseudonym of the network address of the guest's last visit."""

tables = Table(
    "tables",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("created", Double, nullable=False),
    Column("active", Double, nullable=False),
    Column("version", Integer, nullable=False),
    Column("stage", String(16), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("options", Text, nullable=False),
    Column("host", String(64), index=True),
    Column("seed", String(20), nullable=False),
    Column("deal", Text),
    Column("follows", String(64)),
    Column("followed_by", String(64)),
    Column("waiting", String(16), nullable=False),
    Column("deadline", Double),
    Column("rotated", Boolean, nullable=False, server_default=false()),
    Column("archive", Text),
    Column("shared_deal", String(64)),
    Column("origin", String(64), index=True),
    Column("origin_step", Integer),
    Column("deal_secret", String(64)),
    Column("password", Text),
    Column("revision", Integer, nullable=False, server_default="0"),
    Index("ix_tables_stage_active", "stage", "active"),
)

seats = Table(
    "seats",
    METADATA,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("guest", String(64), index=True),
    Column("name", Text),
    Column("bot", Text),
    Column("standing_in", Boolean, nullable=False),
    Column("gone", Boolean, nullable=False),
    Column("avatar", Integer),
    Column("invited", Boolean, nullable=False, server_default=false()),
    Column("prepared", Text),
    Column("dropped", String(16)),
    Column("take_last", Boolean, nullable=False, server_default=false()),
    Column("pass_beaten", Boolean, nullable=False, server_default=false()),
    Column("replaced", String(16)),
    Column("nonce", String(64)),
    Column("hints", Integer, nullable=False, server_default="0"),
    Column("votes_end", Boolean, nullable=False, server_default=false()),
    PrimaryKeyConstraint("table_id", "seat"),
)

admissions = Table(
    "admissions",
    METADATA,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("guest", String(64), nullable=False, index=True),
    PrimaryKeyConstraint("table_id", "guest"),
)
"""The guests who have given the password of a table."""

bans = Table(
    "bans",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("guest", String(64), index=True),
    Column("network", String(64)),
    Column("client", String(16)),
    Column("reason", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("expires", Double),
)
"""Bans: each is of a guest, of a range of network addresses, or of the pseudonym of an address."""

log = Table(
    "log",
    METADATA,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("action", Text, nullable=False),
    Column("by", String(16), nullable=False),
    PrimaryKeyConstraint("table_id", "number"),
)
"""The log is append-only; an undo adds an entry.

The primary key ensures that each number is used only once, even if two processes write.
"""

answers = Table(
    "answers",
    METADATA,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("guest", String(64), nullable=False),
    Column("key", String(64), nullable=False),
    Column("digest", String(32), nullable=False),
    Column("outcome", Text, nullable=False),
    Column("at", Double, nullable=False, index=True),
    PrimaryKeyConstraint("table_id", "guest", "key"),
)
"""The outcomes of requests, each stored in the same transaction as the action."""

results = Table(
    "results",
    METADATA,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("guest", String(64), nullable=False),
    Column("finished", Double, nullable=False),
    Column("players", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("profit", Integer, nullable=False),
    Column("share", Double, nullable=False),
    Column("sold", Text, nullable=False),
    Column("opponents", Text, nullable=False),
    Column("undone", Integer, nullable=False),
    Column("hints", Integer, nullable=False),
    Column("accuracy", Double),
    Column("luck", Double),
    PrimaryKeyConstraint("table_id", "seat"),
    Index("ix_results_guest_finished", "guest", "finished"),
)
"""The results of finished games, one for each person who finished them."""

shared_deals = Table(
    "shared_deals",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("created", Double, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("bots", Text, nullable=False),
    Column("host", String(64), index=True),
)

tries = Table(
    "tries",
    METADATA,
    Column("deal", ForeignKey("shared_deals.id", ondelete="CASCADE"), nullable=False),
    Column("guest", String(64), nullable=False, index=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("ranked", Boolean, nullable=False),
    Column("started", Double, nullable=False),
    PrimaryKeyConstraint("deal", "guest"),
)
"""The guests' tries at shared deals. A guest has one try at each."""

reviews = Table(
    "reviews",
    METADATA,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("state", String(16), nullable=False),
    Column("guest", String(64), index=True),
    Column("asked", Double, nullable=False),
    Column("network", String(64)),
    Column("content", Text),
    Column("judged", Integer),
    Column("decisions", Integer),
    Index("ix_reviews_state_asked", "state", "asked"),
)
"""The reviews of finished games that were asked for, and the queue of those to be made.

``decisions`` is the number of decisions to judge, and ``judged`` is how many have been judged. Both
are null if no process is making the review.
"""

ratings = Table(
    "ratings",
    METADATA,
    Column("guest", ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
    Column("players", Integer, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("updated", Double, nullable=False),
    PrimaryKeyConstraint("guest", "players"),
    Index("ix_ratings_players_mu", "players", "mu"),
)
"""The ratings of guests, one for each number of players."""

rated_seats = Table(
    "rated_seats",
    METADATA,
    Column("table_id", String(64), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("finished", Double, nullable=False),
    Column("players", Integer, nullable=False),
    Column("guest", String(64)),
    Column("bot", Text),
    Column("place", Integer, nullable=False),
    Column("abandoned", Boolean, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("new_mu", Double, nullable=False),
    Column("new_sigma", Double, nullable=False),
    PrimaryKeyConstraint("table_id", "seat"),
    Index("ix_rated_seats_guest_finished", "guest", "finished"),
)
"""The seats of rated games, with the ratings before and after.

They are kept when the table is deleted.
"""

rated_networks = Table(
    "rated_networks",
    METADATA,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("guest", String(64), nullable=False, index=True),
    Column("digest", String(32), nullable=False),
    PrimaryKeyConstraint("table_id", "guest", "digest"),
)
"""Digests of the addresses from which a rated game is played, until it ends."""

sayings = Table(
    "sayings",
    METADATA,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("phrase", String(32), nullable=False),
    PrimaryKeyConstraint("table_id", "number"),
)
"""The last things that people said at a table. They are not part of the record."""

passes = Table(
    "passes",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("guest", ForeignKey("guests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("expires", Double, nullable=False),
)

sessions = Table(
    "sessions",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("guest", ForeignKey("guests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("name", Text, nullable=False),
    Column("browser", String(32), nullable=False),
    Column("system", String(32), nullable=False),
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False),
    Column("expires", Double, nullable=False, index=True),
    Column("old", Boolean, nullable=False),
    Column("ended", Boolean, nullable=False),
)
"""The devices on which guests are signed in, and the tokens of their programs.

Only the digests of their secrets are stored. Rows with ``old`` belong to cookies and tokens of
versions without sessions; they are not deleted but marked as ``ended`` when the guest logs out.
"""

notification_targets = Table(
    "notification_targets",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("guest", ForeignKey("guests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("channel", String(8), nullable=False),
    Column("address", Text, nullable=False),
    Column("push_keys", Text),
    Column("kinds", String(64), nullable=False),
    Column("confirmed", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("session", String(64), index=True),
)
"""Where guests get notifications: the push endpoints of their browsers, and e-mail addresses.

``session`` is the digest of the device on which the browser was added, if it is known.
"""

notices = Table(
    "notices",
    METADATA,
    Column("target", ForeignKey("notification_targets.id", ondelete="CASCADE"), nullable=False),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("occasion", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due", Double, index=True),
    PrimaryKeyConstraint("target", "table_id", "kind"),
)
"""The last notice of each kind about a table for each target.

``due`` is null once the notice has been sent or need not be sent.
"""

secrets = Table(
    "secrets",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

processes = Table(
    "processes",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("started", Double, nullable=False),
    Column("seen", Double, nullable=False),
    Column("serves", Boolean, nullable=False, server_default=true()),
)
"""The processes that use this PostgreSQL database. Times are those of the database server.

Processes for which ``serves`` is false only do background jobs.
"""

leases = Table(
    "leases",
    METADATA,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("holder", ForeignKey("processes.id", ondelete="CASCADE"), nullable=False, index=True),
)
"""The process that plays the bots of each table in play and enforces its time limits."""

presence = Table(
    "presence",
    METADATA,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("guest", String(64), nullable=False, index=True),
    Column("process", String(64), nullable=False),
    Column("connected", Boolean, nullable=False),
    Column("at", Double, nullable=False),
    PrimaryKeyConstraint("table_id", "guest", "process"),
)
"""The players who have a table open in a process, or who last used it there."""

budgets = Table(
    "budgets",
    METADATA,
    Column("key", String(64), primary_key=True),
    Column("tokens", Double, nullable=False),
    Column("at", Double, nullable=False),
    Column("burst", Double, nullable=False),
    Column("per_second", Double, nullable=False),
)
"""The token buckets that processes share. A key is a digest."""

open_sockets = Table(
    "open_sockets",
    METADATA,
    Column("process", ForeignKey("processes.id", ondelete="CASCADE"), nullable=False),
    Column("key", String(64), nullable=False, index=True),
    Column("sockets", Integer, nullable=False),
    PrimaryKeyConstraint("process", "key"),
)
"""How many sockets of each guest and network address a process has open. A key is a digest."""

VOLATILE = frozenset({"processes", "leases", "presence", "budgets", "open_sockets"})
"""The tables that describe running processes. Backups do not contain them."""
