"""Revision 8: reviews of finished games, and tables that branch off from a finished game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the table of reviews, and add the columns that name a branch's origin."""
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("guest", sa.String(64)),
        sa.Column("asked", sa.Double, nullable=False),
        sa.Column("network", sa.String(64)),
        sa.Column("content", sa.Text),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_reviews_guest", "reviews", ["guest"])
    op.create_index("ix_reviews_state_asked", "reviews", ["state", "asked"])
    op.add_column("tables", sa.Column("origin", sa.String(64)))
    op.add_column("tables", sa.Column("origin_step", sa.Integer))
    op.create_index("ix_tables_origin", "tables", ["origin"])
