"""Revision 3: prepared answers and automatic actions of a seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns. At existing tables, nothing is prepared or played automatically."""
    op.add_column("seats", sa.Column("prepared", sa.Text))
    op.add_column("seats", sa.Column("dropped", sa.String(16)))
    for name in ("take_last", "pass_beaten"):
        column = sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())
        op.add_column("seats", column)
