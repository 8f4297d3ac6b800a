"""What was done with one case, and by whom, in order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from voice.store import schema

if TYPE_CHECKING:
    from voice.store import Store


async def history(store: Store, case: int) -> list[dict[str, Any]]:
    """The audit's entries on a case: `at` (wall clock, s), `who` (a name), `what`, `detail`, with a ruling's reason."""
    entries = await store.read(select(schema.audit).where(schema.audit.c.case == case).order_by(schema.audit.c.number))
    ruled = await store.read(select(schema.rulings).where(schema.rulings.c.case == case).order_by(schema.rulings.c.id))
    reasons = [row["reason"] for row in ruled]
    names = {row["id"]: row["name"] for row in await store.read(select(schema.accounts.c.id, schema.accounts.c.name))}
    shown = []
    for entry in entries:
        detail = json.loads(entry["detail"])
        if entry["what"] == "ruled" and reasons:
            detail["reason"] = reasons.pop(0)
        shown.append(
            {
                "at": entry["at"],
                "who": names.get(entry["who"], _unnamed(entry["who"])),
                "what": entry["what"],
                "detail": detail,
            }
        )
    return shown


def _unnamed(who: str) -> str:
    """Players are not named in a case's history: their seats stand in the case."""
    return who if who in ("host", "server") else "player"
