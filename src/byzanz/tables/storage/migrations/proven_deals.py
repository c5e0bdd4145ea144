"""Revision 6: deals that anyone can check."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns. The deals of existing tables cannot be checked."""
    op.add_column("tables", sa.Column("deal_secret", sa.String(64)))
    op.add_column("seats", sa.Column("nonce", sa.String(64)))
