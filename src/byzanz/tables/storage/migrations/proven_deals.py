"""Revision 9: deals that anyone can check."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the columns. The deals of existing tables cannot be checked."""
    op.add_column("tables", sa.Column("deal_secret", sa.String(64)))
    op.add_column("seats", sa.Column("nonce", sa.String(64)))
