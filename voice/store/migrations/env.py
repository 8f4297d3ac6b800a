"""Alembic's entry: runs the scripts on the connection that the server hands over (`voice.store.upgrade`)."""

from __future__ import annotations

from alembic import context

from voice.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite can't alter a column in place; alembic then copies the table.
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
