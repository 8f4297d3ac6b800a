"""Bring a database to the schema of this version, with alembic, on a connection that is open already."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect

from voice.store import schema

if TYPE_CHECKING:
    from sqlalchemy import Connection

SCRIPTS = Path(__file__).parent / "migrations"


class NotOurSchemaError(Exception):
    """The database is not one that this version can use; the message says what it is, after "the database FILE"."""


def upgrade(connection: Connection) -> None:
    """Run what is missing, all or nothing; nothing where the schema is this version's.

    Raises NotOurSchemaError, the database left as it is, where it is of a revision that this version has never heard
    of, or lacks some of our tables.
    """
    # The driver begins no transaction for what alters tables: without one of our own a crash in the middle leaves half
    # a schema. It also finds now, and not at the first game, that the file can't be written.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    at = MigrationContext.configure(connection).get_current_revision()
    if at is not None and at not in {script.revision for script in scripts.walk_revisions()}:
        raise NotOurSchemaError(f"is of a later version of voicetable, or another program's (schema {at}): start that")
    if at != scripts.get_current_head():
        command.upgrade(config, "head")
    _check(connection)


def _check(connection: Connection) -> None:
    """What a hand or another program took away is found at the start, not in the middle of a game."""
    there = inspect(connection)
    names = set(there.get_table_names())
    for table in schema.metadata.sorted_tables:
        if table.name not in names:
            raise NotOurSchemaError(f"lacks the table {table.name!r}: put a backup in its place")
        lacking = {column.name for column in table.columns} - {found["name"] for found in there.get_columns(table.name)}
        if lacking:
            raise NotOurSchemaError(f"lacks {sorted(lacking)} in the table {table.name!r}: put a backup in its place")
