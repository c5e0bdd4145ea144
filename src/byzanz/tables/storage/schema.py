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
)

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
    Column("hints", Integer, nullable=False, server_default="0"),
    PrimaryKeyConstraint("table_id", "seat"),
)

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

The primary key makes sure that each number is used once, even by two processes.
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

passes = Table(
    "passes",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("guest", ForeignKey("guests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("expires", Double, nullable=False),
)

secrets = Table(
    "secrets",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
