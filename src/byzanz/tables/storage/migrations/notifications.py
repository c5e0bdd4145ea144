"""Revision 14: where guests get notifications, and what they have been told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "notification_targets",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("guest", sa.String(64), nullable=False),
        sa.Column("channel", sa.String(8), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("push_keys", sa.Text),
        sa.Column("kinds", sa.String(64), nullable=False),
        sa.Column("confirmed", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["guests.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_notification_targets_guest", "notification_targets", ["guest"])
    op.create_table(
        "notices",
        sa.Column("target", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("occasion", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due", sa.Double),
        sa.PrimaryKeyConstraint("target", "table_id", "kind"),
        sa.ForeignKeyConstraint(["target"], ["notification_targets.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_notices_table_id", "notices", ["table_id"])
    op.create_index("ix_notices_due", "notices", ["due"])
