"""Revision 12: passwords of tables, votes to end a game, bans, pseudonyms of addresses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the tables and columns. Tables had no password before."""
    op.add_column("guests", sa.Column("client", sa.String(16)))
    op.create_index("ix_guests_client", "guests", ["client"])
    op.add_column("tables", sa.Column("password", sa.Text))
    op.add_column(
        "seats", sa.Column("votes_end", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_table(
        "admissions",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("guest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "guest"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_admissions_guest", "admissions", ["guest"])
    op.create_table(
        "bans",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guest", sa.String(64)),
        sa.Column("network", sa.String(64)),
        sa.Column("client", sa.String(16)),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("expires", sa.Double),
    )
    op.create_index("ix_bans_guest", "bans", ["guest"])
