"""Revision 16: background jobs can be done by processes other than those that serve."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add columns for the progress of reviews, and for whether a process serves."""
    op.add_column("reviews", sa.Column("judged", sa.Integer))
    op.add_column("reviews", sa.Column("decisions", sa.Integer))
    op.add_column(
        "processes",
        sa.Column("serves", sa.Boolean, nullable=False, server_default=sa.true()),
    )
