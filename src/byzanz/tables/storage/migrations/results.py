"""Revision 6: the results of finished games.

When the service starts, it adds the results of games that were finished before.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the table of results."""
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("guest", sa.String(64), nullable=False),
        sa.Column("finished", sa.Double, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("profit", sa.Integer, nullable=False),
        sa.Column("share", sa.Double, nullable=False),
        sa.Column("sold", sa.Text, nullable=False),
        sa.Column("opponents", sa.Text, nullable=False),
        sa.Column("undone", sa.Integer, nullable=False),
        sa.Column("hints", sa.Integer, nullable=False),
        sa.Column("accuracy", sa.Double),
        sa.PrimaryKeyConstraint("table_id", "seat"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_results_guest_finished", "results", ["guest", "finished"])
