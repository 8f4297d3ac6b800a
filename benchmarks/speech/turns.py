"""Tables whose seats say recorded clips, one turn after the other, as fast as they are heard."""

from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from voice.bench.asr.clips import default_folder, read_clips
from voice.bench.asr.errors import ClipsError
from voice.media.packet import AcceptedPacket
from voice.speech.audio import PACKET_S, AudioFileError, packets, read_pcm

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from voice.speech.lines import Line
    from voice.speech.service import SpeechService

SEATS = 10
WITHIN_S = 60.0
"""A turn's line is there by then, whatever was killed meanwhile; a bound for a broken run."""
_AT_ONCE = 25
_TICKS = 960


class TrialError(Exception):
    """The trial can't be run; one line says why."""


@dataclass(frozen=True, slots=True)
class Clip:
    """A recording as Opus packets of 20 ms, and what becomes of it undisturbed ("" before that is known)."""

    lang: str
    packets: tuple[bytes, ...]
    text: str = ""


class TalkingTable:
    """One table: its turns, and all lines that it was ever given."""

    def __init__(self, service: SpeechService, name: str, lang: str) -> None:
        self.lines: list[Line] = []
        self._news = asyncio.Event()
        self._epoch = 0
        self._begin_s = time.monotonic()
        self._stream = service.open(name, lang, self._line, lambda *_: None)

    def close(self) -> None:
        """No more turns."""
        self._stream.close()

    @property
    def kept(self) -> int:
        """How many messages the server keeps for a tap that has to begin anew: packets, and moves of the gate."""
        return len(self._stream.memory.messages())

    async def turn(
        self, seat: int, clip: Clip, at_half: Callable[[TalkingTable], Awaitable[None]] | None = None
    ) -> list[Line]:
        """A seat opens, says the clip and closes; the lines that came, at least one. Raises TimeoutError.

        `at_half` is awaited when half of it is said and nothing of it has become a line.
        """
        before = len(self.lines)
        self._epoch += 1
        self._stream.mic({seat}, self._epoch)
        # Faster than in real time; a table's clock goes on all the same, never back.
        self._begin_s = begin_s = max(self._begin_s, time.monotonic())
        for number, payload in enumerate(clip.packets):
            arrival_s = begin_s + (number + 1) * PACKET_S
            self._stream.feed(
                AcceptedPacket(seat, self._epoch, number % 65_536, number * _TICKS % 2**32, payload, arrival_s)
            )
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)
            if at_half is not None and number == len(clip.packets) // 2 and len(self.lines) == before:
                await at_half(self)
        self._begin_s = begin_s + len(clip.packets) * PACKET_S
        self._epoch += 1
        self._stream.mic((), self._epoch)
        async with asyncio.timeout(WITHIN_S):
            while len(self.lines) == before:
                self._news.clear()
                await self._news.wait()
        return self.lines[before:]

    def _line(self, line: Line) -> None:
        self.lines.append(line)
        self._news.set()


def short_clips(lang: str, longest_s: float, folder: Path | None = None) -> list[Clip]:
    """The recordings of a language that are no longer than that, as packets. Raises TrialError."""
    found = []
    try:
        for clip in read_clips(folder or default_folder()):
            if clip.lang == lang and not clip.single:
                payloads = tuple(packets(read_pcm(clip.path)))
                if len(payloads) * PACKET_S <= longest_s:
                    found.append(Clip(lang, payloads))
    except (ClipsError, AudioFileError) as why:
        raise TrialError(str(why)) from why
    if not found:
        raise TrialError(f"no recording in {lang} of at most {longest_s:g} s: expected some in {default_folder()}")
    return found


async def undisturbed(service: SpeechService, clips: list[Clip], longest: int) -> list[Clip]:
    """Those, at most `longest` of them, that become exactly one line, with its text. Raises TrialError."""
    table = TalkingTable(service, "undisturbed", clips[0].lang)
    known = []
    try:
        for clip, seat in zip(clips, itertools.cycle(range(1, SEATS + 1)), strict=False):
            try:
                lines = await table.turn(seat, clip)
            except TimeoutError:
                continue
            await service.settled()
            if len(lines) == 1:
                known.append(Clip(clip.lang, clip.packets, lines[0].text))
            if len(known) == longest:
                break
    finally:
        table.close()
    if not known:
        raise TrialError("none of the recordings becomes one line")
    return known
