"""Who gave a seat up may still read what was said: the token's hash is kept apart from those that open a seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it; of who left before nobody knows it."""
    op.add_column("people", sa.Column("left_hash", sa.String(64), nullable=True))
    op.create_index("ix_people_left_hash", "people", ["left_hash"])


def downgrade() -> None:
    """Take it away."""
    op.drop_index("ix_people_left_hash", "people")
    op.drop_column("people", "left_hash")
