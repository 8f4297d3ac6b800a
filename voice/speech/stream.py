"""One table's speech: its packets on their way to the tap, its utterances on their way to being lines."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from typing import TYPE_CHECKING

import structlog

from models.silence import is_nothing
from voice.memory import nobody
from voice.processes.wire import frame
from voice.speech.captions import CaptionState
from voice.speech.job import Job
from voice.speech.lines import Line, Reading, Timings, Word
from voice.speech.order import Order
from voice.speech.phrase import Ending, ending, silence_s
from voice.speech.replay import Memory, Sent
from voice.speech.wire import Mic, Packet, Result, Utterance, Wait

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from voice.media.packet import AcceptedPacket
    from voice.speech.captions import State
    from voice.speech.service import SpeechService

log = structlog.get_logger(__name__)


class SpeechStream:
    """One table's speech; made by `SpeechService.open`."""

    def __init__(
        self,
        service: SpeechService,
        number: int,
        table_id: str,
        lang: str,
        on_line: Callable[[Line], None],
        on_interim: Callable[[int, str, float], None],
        on_captions: Callable[[State, int], None] = nobody,
    ) -> None:
        self.table_id = table_id
        self.lang = lang
        self.number = number
        self.memory = Memory(frame(Mic(number, [], 0)))
        self.counts: Counter[str] = Counter()
        self.seat_counts: dict[int, Counter[str]] = {}
        self._service = service
        self._on_line = on_line
        self._on_interim = on_interim
        self._on_captions = on_captions
        self._captions = CaptionState()
        self._lost_told = 0
        self._open: frozenset[int] = frozenset()
        self._epoch = 0
        self._likely: dict[int, Job] = {}
        self._order = Order()
        self._shown: set[int] = set()
        self._settled: dict[int, int] = {}
        self._captioned: dict[int, tuple[int, int]] = {}
        self._tap_life = 0
        self._line_prefix = secrets.token_hex(4)
        self._lines = 0
        self._closed = False

    def feed(self, packet: AcceptedPacket) -> None:
        """Hear a packet that the gate let through in its present epoch; any other is refused and counted.

        Never blocks. Where the tap is behind, the packet is dropped and counted.
        """
        if self._closed or packet.epoch != self._epoch or packet.seat not in self._open:
            self.counts["packets_refused"] += 1
            return
        data = frame(
            Packet(
                self.number,
                packet.seat,
                packet.epoch,
                packet.sequence,
                packet.timestamp,
                packet.payload,
                packet.arrival,
            )
        )
        # Also what the tap can't take: should it hang, the one after it hears this.
        self.memory.keep(Sent(packet.arrival, packet.seat, data))
        if not self._service.send_packet(data):
            self.counts["packets_dropped"] += 1

    def mic(self, seats: Collection[int], epoch: int) -> None:
        """The gate moved: exactly these seats are open. What a seat that closed has said is an utterance at once."""
        if self._closed:
            return
        self._open = frozenset(seats)
        self._epoch = epoch
        data = frame(Mic(self.number, sorted(self._open), epoch))
        self.memory.keep(Sent(time.monotonic(), None, data))
        self._service.send_control(data)

    def close(self) -> None:
        """No more lines: what is pending is forgotten. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._service.forget(self)
            # Whoever held this is freed with it, words and all, and not when cycles are looked for.
            self._on_line = self._on_interim = self._on_captions = nobody

    def heard(self, utterance: Utterance) -> None:
        """The tap cut an utterance: for the service."""
        seat_counts = self.seat_counts.setdefault(utterance.seat, Counter())
        seat_counts["samples_at_recogniser"] += len(utterance.pcm) // 2
        scheduler = self._service.scheduler
        if utterance.stage == "draft":
            scheduler.draft(Job(utterance, self.lang, final=False, words=False, tap_life=self._tap_life))
        elif utterance.stage == "likely":
            if not self._service.speculates:
                return
            job = Job(utterance, self.lang, final=False, words=True, tap_life=self._tap_life)
            self._likely[utterance.seat] = job
            scheduler.likely(job)
            if scheduler.at_work_on(job):
                self._wait(utterance, self._service.endpoint.unread_silence_s)
        else:
            seat_counts["utterances"] += 1
            self.memory.heard(utterance.seat, utterance.end_s)
            self._end(utterance)

    def _end(self, utterance: Utterance) -> None:
        """An utterance is whole: take the text of its likely end where that had the same audio, else recognise it."""
        scheduler = self._service.scheduler
        now_s = time.monotonic()
        job = self._likely.pop(utterance.seat, None)
        before = job.utterance if job is not None else None
        if (
            job is not None
            and not job.lost
            and before is not None
            and (before.utterance, before.version) == (utterance.utterance, utterance.same_as)
        ):
            job.utterance = utterance
            job.called_s = now_s
            self._order.add(job)
            scheduler.promote(job)
            if job.result is not None:
                self.done(job)
        else:
            job = Job(utterance, self.lang, final=True, words=True, called_s=now_s, tap_life=self._tap_life)
            self._order.add(job)
            scheduler.final(job)

    def done(self, job: Job) -> None:
        """A job has its text: for the service."""
        if self._closed or job.result is None:
            return
        utterance, result = job.utterance, job.result
        if job.final:
            self._settle(utterance.seat)
        elif job.tap_life == self._tap_life:
            empty = _empty(utterance, result)
            if not empty:
                self._caption(utterance, result.text)
            if self._likely.get(utterance.seat) is job:
                self._judge_end(utterance, None if empty else result)

    def _caption(self, utterance: Utterance, text: str) -> None:
        """Show what a seat says so far, but for what is older than what stands there: processes overtake each other."""
        seat, at = utterance.seat, (utterance.utterance, utterance.version)
        if at[0] > self._settled.get(seat, 0) and at > self._captioned.get(seat, (0, 0)):
            self._captioned[seat] = at
            self._shown.add(seat)
            self._tell(self._on_interim, seat, text, utterance.start_s)

    def _judge_end(self, utterance: Utterance, result: Result | None) -> None:
        """The newest likely end has its text: let the tap wait for more speech as long as that text tells."""
        rules = self._service.endpoint
        how = Ending.UNKNOWN
        if result is not None:
            how = ending(result.text, self.lang, [word[3] for word in result.words], result.score, rules)
        if how is not Ending.UNKNOWN:
            self.counts[f"ends_{how.value}"] += 1
        self._wait(utterance, silence_s(how, rules))

    def _wait(self, utterance: Utterance, silence_s: float) -> None:
        self._service.send_control(
            frame(Wait(self.number, utterance.seat, utterance.utterance, utterance.version, silence_s))
        )

    def lost(self, job: Job) -> None:
        """A final job has no text and never will: for the service."""
        self.counts["lines_dropped"] += 1
        if not self._closed:
            self._settle(job.utterance.seat)

    def look(self, now_s: float) -> None:
        """Tell the table whether its captions keep up, where that has changed: for the service, some times a second."""
        service, lost = self._service, self.counts["lines_dropped"]
        changed = self._captions.look(
            now_s,
            ready=service.ready(self.lang),
            able=service.problem(self.lang) is None,
            behind_s=service.scheduler.behind_s(self.number),
            drafts=service.scheduler.draft_every_s > 0,
        )
        state = self._captions.state
        if state is not None and state != "off" and lost != self._lost_told:
            changed, self._lost_told = True, lost
        if changed and state is not None:
            self._tell(self._on_captions, state, self._lost_told)

    def _settle(self, seat: int) -> None:
        """Tell the lines of a seat that are next."""
        for job in self._order.ready(seat):
            utterance, result = job.utterance, job.result
            newer = False
            if job.tap_life == self._tap_life:
                self._settled[seat] = utterance.utterance
                newer = self._captioned.get(seat, (0, 0))[0] > utterance.utterance  # a caption of later words stays
            if result is None or _empty(utterance, result):
                self.counts["utterances_empty"] += result is not None
                if not newer:
                    self._withdraw(seat)
            else:
                if not newer:
                    self._shown.discard(seat)
                self._tell(self._on_line, self._line(job, utterance, result.text))

    def tap_began_anew(self) -> None:
        """The tap counts its utterances from 1 again, and may hear what is going on again or not: for the service."""
        self._tap_life += 1
        self._likely.clear()
        self._settled.clear()
        self._captioned.clear()
        for seat in list(self._shown):
            self._withdraw(seat)

    def _withdraw(self, seat: int) -> None:
        if seat in self._shown:
            self._shown.discard(seat)
            self._tell(self._on_interim, seat, "", 0.0)

    def _tell(self, listener: Callable[..., None], *what: object) -> None:
        try:
            listener(*what)
        except Exception as error:  # a table's fault is its own: the others' speech goes on
            self.counts["listener_failures"] += 1
            log.error("speech listener failed", table=self.table_id, error=type(error).__name__)

    def _line(self, job: Job, utterance: Utterance, text: str) -> Line:
        result = job.result
        assert result is not None
        now_s = time.monotonic()
        self._lines += 1
        self.counts["lines"] += 1
        start_s = utterance.start_s
        timings = Timings(
            end_to_text_s=max(0.0, now_s - utterance.end_s),
            endpoint_s=max(0.0, job.called_s - utterance.end_s),
            decode_s=result.decode_s,
        )
        self._service.latencies_s.append(timings.end_to_text_s)
        return Line(
            id=f"{self._line_prefix}-{self._lines}",
            seat=utterance.seat,
            text=text,
            words=tuple(Word(w, start_s + begun, start_s + ended, sure) for w, begun, ended, sure in result.words),
            start_s=start_s,
            end_s=max(start_s, utterance.end_s),
            lang=self.lang,
            timings=timings,
            others=None if result.others is None else tuple(Reading(text, share) for text, share in result.others),
        )


def _empty(utterance: Utterance, result: Result) -> bool:
    confidences = [word[3] for word in result.words]
    return is_nothing(result.text, result.no_speech, result.score, utterance.speech_s, confidences)
