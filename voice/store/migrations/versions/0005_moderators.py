"""Moderators with names, claims and an audit; clips, reports and appeals of lines; rules in the shadow."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

INDEXES = (
    ("ix_people_account", "people", ["account"]),
    ("ix_flagged_claimed_by", "flagged", ["claimed_by"]),
    ("flagged_by_queue", "flagged", ["queued_at", "id"]),
)
MADE = ("shadows", "rule_states", "audit", "accounts", "clips", "reports", "rulings")


def _added() -> dict[str, list[sa.Column[Any]]]:
    """What known tables get. Made anew each time: a column belongs to one table."""
    return {
        "people": [
            sa.Column("account", sa.String(32), nullable=True),
            sa.Column("erase_at", sa.Float, nullable=True),
        ],
        "flagged": [
            sa.Column("queued_at", sa.Float, nullable=False, server_default="0"),
            sa.Column("claimed_by", sa.String(32), nullable=True),
            sa.Column("claimed_until", sa.Float, nullable=True),
            sa.Column("ruled_by", sa.String(32), nullable=True),
            sa.Column("ruled_at", sa.Float, nullable=True),
            sa.Column("appeal_state", sa.String(16), nullable=True),
            sa.Column("appeal_text", sa.Text, nullable=False, server_default=""),
            sa.Column("appealed_at", sa.Float, nullable=True),
            sa.Column("words_gone_at", sa.Float, nullable=True),
        ],
    }


def upgrade() -> None:
    """Add them. A case of before waits since it came."""
    for table, columns in _added().items():
        for column in columns:
            op.add_column(table, column)
    op.execute("UPDATE flagged SET queued_at = at")
    for name, table, on in INDEXES:
        op.create_index(name, table, on)
    op.create_table(
        "rulings",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("case", sa.Integer, sa.ForeignKey("flagged.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("moderator", sa.String(32), nullable=False),
        sa.Column("uphold", sa.Boolean, nullable=False),
        sa.Column("on_appeal", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        sa.Column("line", sa.String(32), nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.UniqueConstraint("table", "line", "person"),
    )
    op.create_table(
        "clips",
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("line", sa.String(32), primary_key=True),
        sa.Column("key", sa.String(16), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("name_key", sa.String(128), nullable=False, unique=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("disabled_at", sa.Float, nullable=True),
    )
    op.create_table(
        "audit",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("who", sa.String(32), nullable=False),
        sa.Column("what", sa.String(32), nullable=False),
        sa.Column("case", sa.Integer, nullable=True, index=True),
        sa.Column("table", sa.String(32), nullable=True),
        sa.Column("detail", sa.Text, nullable=False),
    )
    for what in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER audit_no_{what.lower()} BEFORE {what} ON audit "
            "BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END"
        )
    op.create_table(
        "rule_states",
        sa.Column("rule", sa.String(128), primary_key=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("by", sa.String(32), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "shadows",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("table", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        sa.Column("line", sa.String(32), nullable=False),
        sa.Column("rule", sa.String(128), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("lang", sa.String(8), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("category", sa.String(16), nullable=True),
        sa.Column("severity", sa.String(16), nullable=True),
        sa.Column("flagged", sa.Boolean, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.UniqueConstraint("table", "line", "rule"),
    )


def downgrade() -> None:
    """Take them away."""
    for table in MADE:
        op.drop_table(table)
    for name, table, _ in INDEXES:
        op.drop_index(name, table)
    for table, columns in _added().items():
        for column in columns:
            op.drop_column(table, column.name)
