"""Revision 15: ratings, talk at tables, and the luck of reviewed games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the tables, and the column for the luck of a result."""
    op.add_column("results", sa.Column("luck", sa.Double))
    op.create_table(
        "ratings",
        sa.Column("guest", sa.String(64), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("guest", "players"),
        sa.ForeignKeyConstraint(["guest"], ["guests.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_ratings_players_mu", "ratings", ["players", "mu"])
    op.create_table(
        "rated_seats",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("finished", sa.Double, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("guest", sa.String(64)),
        sa.Column("bot", sa.Text),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("abandoned", sa.Boolean, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("new_mu", sa.Double, nullable=False),
        sa.Column("new_sigma", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat"),
    )
    op.create_index("ix_rated_seats_guest_finished", "rated_seats", ["guest", "finished"])
    op.create_table(
        "rated_networks",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("guest", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "guest", "digest"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_rated_networks_guest", "rated_networks", ["guest"])
    op.create_table(
        "sayings",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("phrase", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], ondelete="CASCADE"),
    )
