"""The tables of the database, as SQLAlchemy Core metadata. `migrations/` builds them; a test compares the two."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
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
# `account`: whose seat it is known to be (`accounts.id`, or "host"). `erase_at`: since when (wall clock, s) their data
# are to be deleted.
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
    Column("account", String(32), nullable=True, index=True),
    Column("erase_at", Float, nullable=True),
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

# Lines that wait for a person, or were ruled on: the moderators' cases. `number` is the line's entry in the log.
# `state`: open, upheld, dismissed, or expired (nobody ruled while its words were kept). `queued_at`: since when it
# waits, by which the queue is ordered; an appeal against a ruling queues it anew. `ruled_by`, `reason`: of the latest
# ruling. `appeal_state`: null, open, upheld (the flag stands), overturned, expired. Times of the wall clock, s.
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
    Column("queued_at", Float, nullable=False, server_default="0"),
    Column("claimed_by", String(32), nullable=True, index=True),
    Column("claimed_until", Float, nullable=True),
    Column("ruled_by", String(32), nullable=True),
    Column("ruled_at", Float, nullable=True),
    Column("appeal_state", String(16), nullable=True),
    Column("appeal_text", Text, nullable=False, server_default=""),
    Column("appealed_at", Float, nullable=True),
    Column("words_gone_at", Float, nullable=True),
    UniqueConstraint("table", "line"),
    Index("flagged_by_state", "state", "id"),
    Index("flagged_by_queue", "queued_at", "id"),
)

# Every ruling on a case, in order; the latest stands. `reason` goes with the words of the case.
rulings = Table(
    "rulings",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("case", Integer, ForeignKey("flagged.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("moderator", String(32), nullable=False),
    Column("uphold", Boolean, nullable=False),
    Column("on_appeal", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Float, nullable=False),
)

# Which people reported which line.
reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("line", String(32), nullable=False),
    Column("person", String(32), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("at", Float, nullable=False),
    UniqueConstraint("table", "line", "person"),
)

# The sound of a flagged or reported line, encrypted (`voice.clips.box`): `key` names the key, `body` is what it gave.
clips = Table(
    "clips",
    metadata,
    Column("table", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("line", String(32), primary_key=True),
    Column("key", String(16), nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("at", Float, nullable=False),
)

# Who moderates, or plays, under a name of their own. `token_hash` as of a seat token. `role`: player, moderator, admin.
accounts = Table(
    "accounts",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("name_key", String(128), nullable=False, unique=True),
    Column("role", String(16), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("created_at", Float, nullable=False),
    Column("disabled_at", Float, nullable=True),
)

# Who did what, in order. Nothing in it is ever changed or deleted (triggers see to it), so it holds ids and outcomes,
# never what somebody said, is called or wrote.
audit = Table(
    "audit",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("who", String(32), nullable=False),
    Column("what", String(32), nullable=False),
    Column("case", Integer, nullable=True, index=True),
    Column("table", String(32), nullable=True),
    Column("detail", Text, nullable=False),
)

# Rules that an admin has put into the shadow ("shadow"), or out of it ("live").
rule_states = Table(
    "rule_states",
    metadata,
    Column("rule", String(128), primary_key=True),
    Column("state", String(16), nullable=False),
    Column("by", String(32), nullable=False),
    Column("at", Float, nullable=False),
)

# What rules in the shadow would have said of a line; it acts on nothing.
shadows = Table(
    "shadows",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("line", String(32), nullable=False),
    Column("rule", String(128), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("lang", String(8), nullable=False),
    Column("text", Text, nullable=False),
    Column("category", String(16), nullable=True),
    Column("severity", String(16), nullable=True),
    Column("flagged", Boolean, nullable=False),
    Column("at", Float, nullable=False),
    UniqueConstraint("table", "line", "rule"),
)
