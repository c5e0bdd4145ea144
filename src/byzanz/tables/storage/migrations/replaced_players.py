"""Revision 4: why a bot stood in for the owner of a seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column."""
    op.add_column("seats", sa.Column("replaced", sa.String(16)))
