"""Revision 7: shared deals, and the guests' tries at them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables, and add the column for the shared deal of a table."""
    op.add_column("tables", sa.Column("shared_deal", sa.String(64)))
    op.create_table(
        "shared_deals",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("bots", sa.Text, nullable=False),
        sa.Column("host", sa.String(64)),
    )
    op.create_index("ix_shared_deals_host", "shared_deals", ["host"])
    op.create_table(
        "tries",
        sa.Column("deal", sa.String(64), nullable=False),
        sa.Column("guest", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("ranked", sa.Boolean, nullable=False),
        sa.Column("started", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("deal", "guest"),
        sa.ForeignKeyConstraint(["deal"], ["shared_deals.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_tries_guest", "tries", ["guest"])
    op.create_index("ix_tries_table_id", "tries", ["table_id"])
