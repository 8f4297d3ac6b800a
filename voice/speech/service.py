"""The speech of all tables of this server: packets in, lines out, the work done in two kinds of child process.

Nothing here waits for either: packets go to the tap by a bounded buffer, utterances to the recogniser by bounded
queues, and whatever is dropped is counted. A process that dies is started again; the utterance it had is heard or
recognised once more. No audio and no text is logged or written down.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import deque
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import structlog

from voice.memory import nobody
from voice.processes.keeper import Child
from voice.processes.wire import frame
from voice.speech.scheduler import Scheduler
from voice.speech.settings import SpeechSettings
from voice.speech.stream import SpeechStream
from voice.speech.tap_counts import TapCounts
from voice.speech.wire import Close, Drafts, FromTap, Open, Ping, Pong, SeatCounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from voice.speech.captions import State
    from voice.speech.endpointer import EndpointRules
    from voice.speech.job import Job
    from voice.speech.lines import Line

log = structlog.get_logger(__name__)

HEARTBEAT_S = 2.0
LOOK_S = 0.5
"""How often the load, and whether captions keep up, are looked at while there is a table to hear."""
TAP_PATIENCE_S = 10.0
REPLAY_TRUST_S = 5.0
KEPT_LATENCIES = 1_000


class SpeechService:
    """Speech recognition for the tables of one server."""

    def __init__(self, data_dir: Path, settings: SpeechSettings | None = None) -> None:
        self._settings = settings or SpeechSettings()
        self.latencies_s: deque[float] = deque(maxlen=KEPT_LATENCIES)
        self.scheduler = Scheduler(
            data_dir, self._settings, on_done=self._done, on_lost=self._lost, on_cadence=self._cadence
        )
        self._streams: dict[int, SpeechStream] = {}
        self._numbers = 0
        self._pings = 0
        self._pongs: dict[int, asyncio.Future[None]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._replayed_s = -REPLAY_TRUST_S
        self._tap_counts = TapCounts()
        self._tap = Child(
            "voice.speech.tap",
            (json.dumps(asdict(self._settings.ear)),),
            FromTap,
            on_up=self._tap_up,
            on_message=self._tap_said,
            on_down=self._tap_down,
        )

    async def start(self) -> None:
        """Start both. A model loads when a table of its language opens, and nothing waits for it."""
        await asyncio.gather(self._tap.start(), self.scheduler.start())
        self._tasks = [
            asyncio.create_task(self._beat(), name="speech heartbeat"),
            asyncio.create_task(self._watch(), name="speech watch"),
        ]

    async def stop(self) -> None:
        """End both; what is pending is lost."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for stream in list(self._streams.values()):
            stream.close()
        await asyncio.gather(self._tap.stop(), self.scheduler.stop())

    def open(
        self,
        table_id: str,
        lang: str,
        on_line: Callable[[Line], None],
        on_interim: Callable[[int, str, float], None],
        on_captions: Callable[[State, int], None] = nobody,
    ) -> SpeechStream:
        """Begin a table's speech, every microphone closed, and make its language ready meanwhile.

        `on_line` is called with each line; `on_interim` with a seat, a caption that may still change ("" takes it back)
        and when its utterance began (as `Line.start_s`; 0 with ""); `on_captions` with whether captions keep up
        (`voice.speech.captions`) and how many of the table's lines were lost, where that changes; all from the event
        loop, and none may block.
        """
        if any(stream.table_id == table_id for stream in self._streams.values()):
            raise ValueError(f"table {table_id} has its speech open already")
        self._numbers += 1
        stream = SpeechStream(self, self._numbers, table_id, lang, on_line, on_interim, on_captions)
        self._streams[stream.number] = stream
        self.send_control(frame(Open(stream.number)))
        self.scheduler.want(lang)
        stream.look(time.monotonic())
        return stream

    @property
    def speculates(self) -> bool:
        """Whether an utterance is recognised before its end is certain: for streams."""
        return self._settings.speculate

    @property
    def endpoint(self) -> EndpointRules:
        """When an utterance ends: for streams."""
        return self._settings.endpoint

    def ready(self, lang: str) -> bool:
        """Whether a language's model is loaded."""
        return self.scheduler.ready(lang)

    def problem(self, lang: str) -> str | None:
        """Why a language can't be recognised, for the host; None where nothing is known against it."""
        return self.scheduler.problems.get(lang)

    async def settled(self) -> None:
        """Wait until all that was fed has been heard and recognised: for benches and tests."""
        await self._pong()
        await self.scheduler.until_idle()

    def stats(self) -> dict[str, Any]:
        """Counters of the tap (as of its last heartbeat, or of `settled`), the recogniser, and each open table's seats.

        `samples_at_endpointer` and `samples_at_recogniser` count all 16 kHz PCM of a seat that got there, drafts and
        repeats included; a microphone that never opened has none.
        """
        counts = self.scheduler.counts
        ordered = sorted(self.latencies_s)
        return {
            "tap": {"pid": self._tap.pid, "deaths": self._tap.deaths, "waiting_bytes": self._tap.waiting_bytes},
            "recogniser": {
                "pids": self.scheduler.pids,
                "deaths": self.scheduler.pool.deaths,
                "hung": self.scheduler.pool.hung,
                "recycled": self.scheduler.pool.recycled,
                "load": round(self.scheduler.pool.load, 3),
                "draft_every_s": self.scheduler.draft_every_s,
                "behind_s": round(self.scheduler.behind_s(), 3),
                "problems": dict(self.scheduler.problems),
                **asdict(counts),
            },
            "end_to_text_ms": {
                name: round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) if ordered else None
                for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
            },
            "streams": {
                stream.table_id: {
                    **stream.counts,
                    "seats": self._tap_counts.with_those(stream.seat_counts, stream.number),
                }
                for stream in self._streams.values()
            },
        }

    def send_packet(self, data: bytes) -> bool:
        """Send a packet on to the tap; False where too much waits for it already: for streams."""
        if self._tap.waiting_bytes > self._settings.max_packets_bytes:
            return False
        self._tap.send_frame(data)  # while the tap is down the packet waits in its stream's memory
        return True

    def send_control(self, data: bytes) -> None:
        """Send what must not be dropped: for streams. A tap that is down is told when it is up."""
        self._tap.send_frame(data)

    def forget(self, stream: SpeechStream) -> None:
        """A stream is closed: for streams."""
        self._streams.pop(stream.number, None)
        self.send_control(frame(Close(stream.number)))
        self.scheduler.forget(stream.number)
        self.scheduler.unwant(stream.lang)
        self._tap_counts.forget(stream.number)

    def _tap_up(self) -> None:
        """Tell a new tap of every stream, and let it hear again what had not become an utterance yet."""
        self._tap.send(Drafts(self.scheduler.draft_every_s))
        for stream in self._streams.values():
            self._tap.send_frame(frame(Open(stream.number)))
            for data in stream.memory.messages():
                self._tap.send_frame(data)

    def _tap_down(self) -> None:
        now_s = time.monotonic()
        self._tap_counts.began_anew()
        for stream in self._streams.values():
            stream.tap_began_anew()
            if now_s - self._replayed_s < REPLAY_TRUST_S:
                stream.memory.clear()  # it died of hearing that again: once is enough
        self._replayed_s = now_s
        for waiting in self._pongs.values():
            if not waiting.done():
                waiting.set_result(None)
        self._pongs.clear()

    def _tap_said(self, message: FromTap) -> None:
        if isinstance(message, Pong):
            waiting = self._pongs.pop(message.number, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(None)
        elif message.stream not in self._streams:
            return
        elif isinstance(message, SeatCounts):
            self._tap_counts.told(message)
        else:
            self._streams[message.stream].heard(message)

    def _cadence(self, every_s: float) -> None:
        """There are to be more drafts, or fewer. A tap that is down is told when it is up."""
        self._tap.send(Drafts(every_s))

    def _done(self, job: Job) -> None:
        stream = self._streams.get(job.utterance.stream)
        if stream is not None:
            stream.done(job)

    def _lost(self, job: Job) -> None:
        stream = self._streams.get(job.utterance.stream)
        if stream is not None:
            stream.lost(job)

    async def _pong(self) -> None:
        """Wait until the tap has done all that it was sent so far, or has died."""
        self._pings += 1
        waiting = self._pongs[self._pings] = asyncio.get_running_loop().create_future()
        if self._tap.send(Ping(self._pings)):
            await waiting
        else:
            self._pongs.pop(self._pings, None)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            with _told("tap"):
                await self._look_after_tap()

    async def _look_after_tap(self) -> None:
        """Find a tap that hangs, fetch its counters, and forget old packets, while there is a table to hear."""
        for stream in self._streams.values():
            stream.memory.forget(time.monotonic())
        if not self._streams:
            return
        try:
            async with asyncio.timeout(TAP_PATIENCE_S):
                await self._pong()
        except TimeoutError:
            log.error("tap hangs: ended", waited_s=TAP_PATIENCE_S)
            self._tap.kill()

    async def _watch(self) -> None:
        """Look after the recognisers, and tell each table whether its captions keep up."""
        while True:
            await asyncio.sleep(LOOK_S if self._streams else HEARTBEAT_S)
            with _told("recognisers"):
                self.scheduler.beat()
            for stream in list(self._streams.values()):
                with _told("captions"):
                    stream.look(time.monotonic())


@contextlib.contextmanager
def _told(what: str) -> Iterator[None]:
    """A fault in looking after something is told in the log, and does not end the looking."""
    try:
        yield
    except Exception as error:  # the kind alone: somebody's words may be in what it says
        log.error("speech is not looked after", what=what, error=type(error).__name__)
