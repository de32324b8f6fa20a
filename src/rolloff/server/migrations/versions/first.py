"""The first form: battles, the tokens of their seats, their tapes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "battles",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("plan", sa.LargeBinary, nullable=False),
        sa.Column("mixing", sa.Text, nullable=False),
        sa.Column("result", sa.Text, nullable=True),
        sa.Column("record", sa.LargeBinary, nullable=True),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("battle", sa.String(32), sa.ForeignKey("battles.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("seat", sa.String(16), nullable=False),
        sa.Column("owner", sa.Boolean, nullable=False),
    )
    op.create_table(
        "tape",
        sa.Column("battle", sa.String(32), sa.ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entry", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Take them away."""
    for name in ("tape", "tokens", "battles"):
        op.drop_table(name)
