"""Revision 10: the number of hints that the owner of a seat has got."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column. There were no hints before."""
    op.add_column("seats", sa.Column("hints", sa.Integer, nullable=False, server_default="0"))
