"""Revision 11: sessions, one for each device and each program token of a guest."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create the table. Existing guests keep their cookies and tokens."""
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("guest", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("browser", sa.String(32), nullable=False),
        sa.Column("system", sa.String(32), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.Column("old", sa.Boolean, nullable=False),
        sa.Column("ended", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["guests.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_sessions_guest", "sessions", ["guest"])
    op.create_index("ix_sessions_expires", "sessions", ["expires"])
    op.add_column(
        "guests", sa.Column("old_sign_ins", sa.Boolean, nullable=False, server_default=sa.true())
    )
