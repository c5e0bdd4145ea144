"""Revision 2: guests' portraits, and invitations to a rematch."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("guests", sa.Column("avatar", sa.Integer))
    op.add_column("seats", sa.Column("avatar", sa.Integer))
    for table, column in (("seats", "invited"), ("tables", "rotated")):
        op.add_column(
            table, sa.Column(column, sa.Boolean, nullable=False, server_default=sa.false())
        )
