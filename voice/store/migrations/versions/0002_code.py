"""Tables know the code of the rules they play by."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the code; a table of before has none."""
    op.add_column("tables", sa.Column("code", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("tables", "code")
