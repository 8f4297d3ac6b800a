"""The moderators' docket: cases are put on it in a table's turn, and whoever looks at it is told that it changed."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Final

from sqlalchemy import update
from sqlalchemy.dialects.sqlite import insert

from voice.clips.box import Box
from voice.clips.ogg import wrap
from voice.store import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Executable

    from voice.media.packet import AcceptedPacket
    from voice.table.flagging import Opinion
    from voice.table.records import Spoken


KEEP_S: Final = 30 * 86400.0


class Docket:
    """What a server's tables file their cases with. `box` encrypts clips; `memory_s`: how far back they may reach;
    `keep_s`: for how long the words and the clip of a case are kept."""

    def __init__(self, box: Box | None = None, memory_s: float = 60.0, keep_s: float = KEEP_S) -> None:
        self.box = Box.new() if box is None else box
        self.memory_s = memory_s
        self.keep_s = keep_s
        self.shadow: frozenset[str] = frozenset()
        """The rules whose verdicts are kept and act on nothing."""
        self._bells: set[Callable[[], None]] = set()

    def subscribe(self, bell: Callable[[], None]) -> None:
        """Call `bell`, which must not block, whenever cases were added, claimed, let go or ruled on."""
        self._bells.add(bell)

    def unsubscribe(self, bell: Callable[[], None]) -> None:
        """No more of that."""
        self._bells.discard(bell)

    def ring(self) -> None:
        """The docket has changed, on the disk."""
        for bell in list(self._bells):
            bell()

    def file(
        self,
        table: str,
        line: Spoken,
        number: int,
        found: Opinion,
        source: str,
        packets: Sequence[AcceptedPacket],
    ) -> list[Executable]:
        """The statements that make a line a case, with its clip where its sound is known. `number`: its log entry.

        A line that is a case already stays as it is.
        """
        now = time.time()
        case = insert(schema.flagged).values(
            table=table,
            line=line.line,
            number=number,
            seat=line.seat,
            lang=line.lang,
            text=line.text,
            category=found.category,
            severity=found.severity,
            review=found.review,
            scores=json.dumps(found.scores),
            why=json.dumps(found.why),
            source=source,
            at=now,
            queued_at=now,
            state="open",
            reason="",
        )
        return [case.on_conflict_do_nothing(), *self._clip(table, line.line, packets, now)]

    def _clip(self, table: str, line: str, packets: Sequence[AcceptedPacket], now: float) -> list[Executable]:
        sound, seconds = wrap(packets)
        if not sound:
            return []
        key, body = self.box.seal(sound, clip_of(table, line))
        clip = insert(schema.clips).values(table=table, line=line, key=key, body=body, seconds=seconds, at=now)
        return [clip.on_conflict_do_nothing()]


def learnt(table: str, line: str, found: Opinion) -> Executable:
    """The statement that adds what was thought of a line later to its case, if it is one."""
    case = update(schema.flagged).where(schema.flagged.c.table == table, schema.flagged.c.line == line)
    return case.where(schema.flagged.c.words_gone_at.is_(None)).values(
        scores=json.dumps(found.scores), why=json.dumps(found.why)
    )


def report(table: str, line: str, person: str, seat: int) -> Executable:
    """The statement that keeps who reported a line, once."""
    kept = insert(schema.reports).values(table=table, line=line, person=person, seat=seat, at=time.time())
    return kept.on_conflict_do_nothing()


def clip_of(table: str, line: str) -> str:
    """What a clip is bound to: it opens for this line alone."""
    return f"{table}/{line}"
