"""Revision 13: several processes serve one database on PostgreSQL."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column for a table's revision, and create the tables that describe processes.

    PostgreSQL does not write the new tables to its log, so they are empty after a crash.
    """
    op.add_column("tables", sa.Column("revision", sa.Integer, nullable=False, server_default="0"))
    unlogged = ["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else []

    def create(name: str, *columns: Any) -> None:
        op.create_table(name, *columns, prefixes=unlogged)

    create(
        "processes",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("started", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
    )
    create(
        "leases",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["holder"], ["processes.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_leases_holder", "leases", ["holder"])
    create(
        "presence",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("guest", sa.String(64), nullable=False),
        sa.Column("process", sa.String(64), nullable=False),
        sa.Column("connected", sa.Boolean, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "guest", "process"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_presence_guest", "presence", ["guest"])
    create(
        "budgets",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("tokens", sa.Double, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("burst", sa.Double, nullable=False),
        sa.Column("per_second", sa.Double, nullable=False),
    )
    create(
        "open_sockets",
        sa.Column("process", sa.String(64), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("sockets", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("process", "key"),
        sa.ForeignKeyConstraint(["process"], ["processes.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_open_sockets_key", "open_sockets", ["key"])
