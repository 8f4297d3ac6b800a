"""Bring a database to the schema of this version, with alembic, on a connection that is open already."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

if TYPE_CHECKING:
    from sqlalchemy import Connection

SCRIPTS = Path(__file__).parent / "migrations"


class SchemaTooNewError(Exception):
    """The database was written by a later version of voicetable."""


def upgrade(connection: Connection) -> None:
    """Run what is missing; nothing where the schema is this version's.

    Raises SchemaTooNewError where the database is of a revision this version has never heard of.
    """
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    at = MigrationContext.configure(connection).get_current_revision()
    if at is not None and at not in {script.revision for script in scripts.walk_revisions()}:
        raise SchemaTooNewError(at)
    if at != scripts.get_current_head():
        command.upgrade(config, "head")
