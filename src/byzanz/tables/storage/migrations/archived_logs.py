"""Revision 5: the logs of finished games as compressed text."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column. Maintenance archives the games that are already finished."""
    op.add_column("tables", sa.Column("archive", sa.Text))
