"""Tables know when they ended, and when the words spoken at them were deleted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both; of a table of before nobody knows when it ended."""
    op.add_column("tables", sa.Column("ended_at", sa.Float, nullable=True))
    op.add_column("tables", sa.Column("words_gone_at", sa.Float, nullable=True))


def downgrade() -> None:
    """Take them away."""
    op.drop_column("tables", "words_gone_at")
    op.drop_column("tables", "ended_at")
