"""Rules in the shadow at one server: which they are, and what they would have said. They act on nothing.

An admin puts a rule into the shadow, and takes it out again, which promotes it: from then on it counts.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert

from moderation import OtherReading, WordEvidence
from moderation.shadow import base, judge_without
from voice.cases import audit
from voice.store import schema
from voice.table.flagging import opinion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Executable

    from moderation import Verdict
    from voice.accounts import Account
    from voice.store import Store
    from voice.table.flagging import Opinion
    from voice.table.records import Spoken

State: TypeAlias = Literal["shadow", "live"]
STATES: Final[tuple[State, ...]] = ("shadow", "live")


async def in_shadow(store: Store) -> frozenset[str]:
    """The rules that are in the shadow."""
    rows = await store.read(select(schema.rule_states.c.rule).where(schema.rule_states.c.state == "shadow"))
    return frozenset(row["rule"] for row in rows)


async def put(store: Store, rule: str, state: State, who: Account, now: float) -> None:
    """Put a rule into the shadow, or promote it."""
    row = insert(schema.rule_states).values(rule=rule, state=state, by=who.id, at=now)
    row = row.on_conflict_do_update(index_elements=["rule"], set_={"state": state, "by": who.id, "at": now})
    await store.write([row, audit.entry(who.id, f"rule {state}", now, detail={"rule": rule})])


def deciding(found: Opinion, shadow: frozenset[str]) -> list[str]:
    """The rules in the shadow that an opinion rests on."""
    return sorted({base(hit["rule"]) for hit in found.why} & shadow)


def without(shadow: frozenset[str], line: Spoken, others: Sequence[tuple[str, float]] | None) -> Opinion:
    """What the other rules say of a line."""
    return opinion(partial(_judge, shadow), line, others)


def kept(table: str, line: Spoken, rules: Sequence[str], found: Opinion, live: Opinion) -> list[Executable]:
    """The statements that keep what rules in the shadow would have said; `live`: what counts."""
    now = time.time()
    flagged = live.severity is not None or live.review
    return [
        insert(schema.shadows)
        .values(
            table=table,
            line=line.line,
            rule=rule,
            seat=line.seat,
            lang=line.lang,
            text=line.text,
            category=found.category,
            severity=found.severity,
            flagged=flagged,
            at=now,
        )
        .on_conflict_do_nothing()
        for rule in rules
    ]


def _judge(
    shadow: frozenset[str],
    text: str,
    lang: str,
    words: Sequence[tuple[str, float, float, float]],
    others: Sequence[tuple[str, float]] | None,
) -> Verdict:
    evidence = [WordEvidence(word, confidence) for word, _, _, confidence in words]
    readings = None if others is None else [OtherReading(other, share) for other, share in others]
    return judge_without(shadow, text, "ru" if lang == "ru" else "en", evidence or None, readings)
