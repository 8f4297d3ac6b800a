"""The tables of the database, as SQLAlchemy Core metadata. `migrations/` builds them; a test compares the two."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

# One row a table. `code` is that of its ruleset with its options, "" for a table of before there were codes. `now_s` is
# the table's clock, written each second: after a crash the table goes on from it. `ended_at`: when the game was over or
# the table closed for good, null before (and for one that ended before this was kept). `words_gone_at`: when the words
# of its lines were deleted. Both of the wall clock, s.
tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("lang", String(8), nullable=False),
    Column("ruleset", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("code", Text, nullable=False, server_default=""),
    Column("seats", Integer, nullable=False),
    Column("state", String(16), nullable=False, index=True),
    Column("reason", Text, nullable=False),
    Column("owner", String(32), nullable=False),
    Column("now_s", Float, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("ended_at", Float, nullable=True),
    Column("words_gone_at", Float, nullable=True),
)

# `token_hash` is the SHA-256 of the seat token; the token itself is nowhere. It is null for who gave the seat up, and
# `left_hash` has it then: it opens no seat, and the transcript alone.
people = Table(
    "people",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("table", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(64), nullable=False),
    Column("name_key", String(128), nullable=False),
    Column("token_hash", String(64), nullable=True, unique=True),
    Column("left_hash", String(64), nullable=True, index=True),
    Column("place", Integer, nullable=False),
    Column("seat", Integer, nullable=True),
    Column("ready", Boolean, nullable=False),
    UniqueConstraint("table", "name_key"),
)

# The truth about a game: its inputs and the events that came of them, numbered from 1 without a gap.
log = Table(
    "log",
    metadata,
    Column("table", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("t", Float, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("body", Text, nullable=False),
)

# Lines that wait for a person, or were ruled on. `number` is the line's entry in the log.
flagged = Table(
    "flagged",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("line", String(32), nullable=False),
    Column("number", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("lang", String(8), nullable=False),
    Column("text", Text, nullable=False),
    Column("category", String(16), nullable=True),
    Column("severity", String(16), nullable=True),
    Column("review", Boolean, nullable=False),
    Column("scores", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("source", String(16), nullable=False),
    Column("at", Float, nullable=False),
    Column("state", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    UniqueConstraint("table", "line"),
    Index("flagged_by_state", "state", "id"),
)
