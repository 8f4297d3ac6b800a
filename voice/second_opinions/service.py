"""Second opinions for all tables of a server: lines in, late verdicts out, the work done in one child process.

Nothing here waits for it: lines go into a bounded queue, and what is dropped is counted. A process that dies or hangs
is started again, and a line that it had is asked once more. No text is logged or written down.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import structlog

from moderation import CATEGORIES, Hit, Verdict
from voice.processes.keeper import Child
from voice.processes.usage import resident_bytes
from voice.second_opinions.wire import Ask, Failed, FromModel, Ready, Thought, Unable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

log = structlog.get_logger(__name__)

MODULE: Final = "voice.second_opinions.process"
MOST_WAITING: Final = 500
"""Lines that wait: minutes of talk at many tables. A line beyond them has no second opinion."""
AT_ONCE: Final = {"cpu": 1, "cuda": 16}
"""Lines that the process has in hand: on a GPU they go through the model together."""
HANG_S: Final = 60.0
"""How long the lines in hand may take; the longest line takes a second or two of a busy core."""
TRIES: Final = 2
KEPT: Final = 1_000
THREADS: Final = 1


@dataclass(slots=True)
class Waiting:
    """A line and who wants to know."""

    text: str
    lang: str
    tell: Callable[[Verdict], None]
    tries: int = 0


class SecondOpinions:
    """Opinions of the model `name` on `device`: SENTENCES, or a toxicity model, a published one's name or a folder."""

    def __init__(self, data_dir: Path, name: str, device: str = "cpu") -> None:
        self.name = name
        self.precision: str | None = None
        """What the model computes in; None until it is loaded."""
        self.why_not: str | None = None
        """Why there are no opinions, where the model can't be used."""
        self.took_s: deque[float] = deque(maxlen=KEPT)
        self.counts = dict.fromkeys(("asked", "answered", "for_a_person", "dropped", "lost"), 0)
        self._at_once = AT_ONCE[device]
        self._waiting: deque[Waiting] = deque()
        self._in_hand: dict[int, Waiting] = {}
        self._number = 0
        self._timer: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None
        self._child = Child(
            MODULE,
            (str(data_dir.absolute()), name, device, str(THREADS)),
            FromModel,
            on_up=lambda: None,
            on_message=self._heard,
            on_down=self._down,
        )

    @property
    def pid(self) -> int | None:
        """The process's number."""
        return self._child.pid

    async def start(self) -> None:
        """Start the process. The model is loaded, or fetched, meanwhile; lines wait for it."""
        await self._child.start()

    async def stop(self) -> None:
        """End it; nobody is told anything more."""
        self._rest()
        self._waiting.clear()
        self._in_hand.clear()
        if self._ending is not None:
            await self._ending
        await self._child.stop()

    def ask(self, text: str, lang: str, tell: Callable[[Verdict], None]) -> None:
        """What is thought of a line: `tell` is called with it some time, from the event loop, or never."""
        self.counts["asked"] += 1
        if self.why_not is not None or len(self._waiting) >= MOST_WAITING:
            self._drop()
            return
        self._waiting.append(Waiting(text, lang, tell))
        self._give()

    def stats(self) -> dict[str, Any]:
        """What was counted, how long a line takes, ms, and the process's memory."""
        took = sorted(self.took_s)
        memory = resident_bytes(self._child.pid)
        return {
            "model": self.name,
            "precision": self.precision,
            "why_not": self.why_not,
            **self.counts,
            "waiting": len(self._waiting) + len(self._in_hand),
            "line_ms": {
                part: round(1000 * took[min(len(took) - 1, int(len(took) * share))], 1) if took else None
                for part, share in (("p50", 0.5), ("p95", 0.95))
            },
            "deaths": self._child.deaths,
            "rss_mb": None if memory is None else memory >> 20,
        }

    def _give(self) -> None:
        if self.precision is None or not self._child.up:
            return
        given = False
        while self._waiting and len(self._in_hand) < self._at_once:
            line = self._waiting.popleft()
            line.tries += 1
            self._number += 1
            self._in_hand[self._number] = line
            self._child.send(Ask(self._number, line.text, line.lang))
            given = True
        if given and self._timer is None:
            self._watch()

    def _watch(self) -> None:
        self._rest()
        self._timer = asyncio.get_running_loop().call_later(HANG_S, self._hangs)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _hangs(self) -> None:
        self._timer = None
        self._child.look()  # what it has said while nobody looked
        if self._in_hand and self._timer is None:
            log.error("process of second opinions hangs, or is too slow: ended", model=self.name, waited_s=HANG_S)
            self._child.kill()

    def _heard(self, message: FromModel) -> None:
        match message:
            case Ready():
                self.precision = message.precision
                self._child.well()
                log.info(
                    "second opinions ready",
                    model=self.name,
                    precision=message.precision,
                    took_s=round(message.load_s, 1),
                )
            case Unable():
                self._give_up(message.reason)
                return
            case Thought():
                self._thought(message)
            case Failed():
                line = self._in_hand.pop(message.number, None)
                self.counts["lost"] += line is not None
                log.error("a line has no second opinion", error=message.reason)
        self._rest()
        if self._in_hand:
            self._watch()
        self._give()

    def _thought(self, message: Thought) -> None:
        line = self._in_hand.pop(message.number, None)
        if line is None:
            return
        self._child.well()
        self.took_s.append(message.took_s)
        verdict = _verdict(message)
        self.counts["answered"] += 1
        self.counts["for_a_person"] += verdict.review
        line.tell(verdict)

    def _down(self) -> None:
        self._rest()
        self.precision = None
        again = [line for line in self._in_hand.values() if line.tries < TRIES]
        self.counts["lost"] += len(self._in_hand) - len(again)
        self._in_hand.clear()
        self._waiting.extendleft(reversed(again))

    def _give_up(self, reason: str) -> None:
        log.error("no second opinions: their model can't be used", model=self.name, reason=reason)
        self.why_not = reason
        self.counts["dropped"] += len(self._waiting)
        self._waiting.clear()
        self._ending = asyncio.create_task(self._child.stop())

    def _drop(self) -> None:
        self.counts["dropped"] += 1
        if self.why_not is None and self.counts["dropped"] % KEPT == 1:
            log.warning("second opinions do not keep up: lines go without", dropped=self.counts["dropped"])


def _verdict(message: Thought) -> Verdict:
    """For a person, or nothing: there is no field in which the process could say more."""
    scores = {category: message.scores.get(category, 0.0) for category in CATEGORIES}
    why = tuple(
        Hit(start, end, rule, category)
        for start, end, rule, name in message.spans
        for category in CATEGORIES
        if category == name
    )
    return Verdict(scores=scores, why=why, review=bool(why))
