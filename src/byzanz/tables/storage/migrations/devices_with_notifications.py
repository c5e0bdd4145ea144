"""Revision 17: a browser gets no notifications after its device is logged out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the column for a notification target's device, which is unknown for existing targets."""
    op.add_column("notification_targets", sa.Column("session", sa.String(64)))
    op.create_index("ix_notification_targets_session", "notification_targets", ["session"])
