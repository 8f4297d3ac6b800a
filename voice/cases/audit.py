"""The trace of what moderators, players and the server did with cases and data; nothing in it is ever changed.

An entry holds ids and outcomes, never words, names or reasons: so nobody's data have to be deleted from it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import insert

from voice.store import schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Executable

SERVER: Final = "server"


def entry(
    who: str, what: str, at: float, *, case: int | None = None, table: str | None = None, detail: Mapping[str, Any] = {}
) -> Executable:
    """The statement that adds one entry. `who`: an account's id, a person's, or SERVER; `at`: wall clock, s."""
    return insert(schema.audit).values(
        at=at, who=who, what=what, case=case, table=table, detail=json.dumps(detail, sort_keys=True)
    )
