"""Sounds through the real path, faster than they last: Opus, the tap's process, the recogniser's, moderation."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from moderation import judge
from voice.media.packet import AcceptedPacket
from voice.speech.audio import PACKET_S, packets
from voice.speech.ear import RTP_RATE_HZ
from voice.speech.jitter import SEQUENCE_MODULUS, TIMESTAMP_MODULUS
from voice.speech.service import SpeechService

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from benchmarks.noise.sources import Sound
    from moderation import Language
    from voice.speech.lines import Line
    from voice.speech.stream import SpeechStream

SEAT = 1
BATCH_PACKETS = 100
"""Two seconds go to the tap at once, then they are waited for: nothing is dropped, and no draft is skipped."""
POLL_S = 0.05


class NoModelError(Exception):
    """A language can't be recognised; the message says why."""


@dataclass(slots=True)
class Found:
    """What became of one source's sounds. `utterances`: what the detector took for speech."""

    seconds: float = 0.0
    utterances: int = 0
    lines: list[str] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)


async def play(
    sounds: Iterable[Sound], lang: Language, data_dir: Path, told: Callable[[str], None]
) -> dict[str, Found]:
    """Play each sound as a turn of its own at a table of this language; what was found, by source.

    Raises NoModelError.
    """
    found: dict[str, Found] = {}
    service = SpeechService(data_dir)
    await service.start()
    try:
        for number, sound in enumerate(sounds):
            told(f"{lang}: {sound.source}, {sum(each.seconds for each in found.values()):.0f} s so far")
            await _turn(service, number, sound, lang, found.setdefault(sound.source, Found()))
    finally:
        await service.stop()
    return found


async def _turn(service: SpeechService, number: int, sound: Sound, lang: Language, found: Found) -> None:
    """One table with one speaker, from the opening of the microphone to its closing."""

    def line(heard: Line) -> None:
        found.lines.append(heard.text)
        found.flags += _flags(heard.text, lang)

    def caption(_: int, text: str) -> None:
        if text:
            found.captions.append(text)
            found.flags += _flags(text, lang)

    table = f"noise {number}"
    stream = service.open(table, lang, line, caption)
    while not service.ready(lang):
        if (problem := service.problem(lang)) is not None:
            raise NoModelError(problem)
        await asyncio.sleep(POLL_S)
    stream.mic({SEAT}, 1)
    await _feed(service, stream, sound)
    stream.mic((), 2)
    await service.settled()
    seats = service.stats()["streams"][table]["seats"]
    counts = Counter(seats.get(SEAT, {}))
    dropped = stream.counts["packets_dropped"] + stream.counts["packets_refused"]
    assert dropped == 0, f"{dropped} packets of {sound.source} were not heard"
    found.utterances += counts["utterances"]
    found.seconds += len(sound.pcm) / 16_000
    stream.close()


async def _feed(service: SpeechService, stream: SpeechStream, sound: Sound) -> None:
    pcm = (sound.pcm * 32_767).astype("<i2").tobytes()
    begun_s = time.monotonic()
    step = round(PACKET_S * RTP_RATE_HZ)
    for number, payload in enumerate(packets([pcm])):
        sequence, timestamp = number % SEQUENCE_MODULUS, number * step % TIMESTAMP_MODULUS
        # As if it came when it was spoken; that the clock is behind is nothing to the path.
        arrival_s = begun_s + (number + 1) * PACKET_S
        stream.feed(AcceptedPacket(SEAT, 1, sequence, timestamp, payload, arrival_s))
        if number % BATCH_PACKETS == BATCH_PACKETS - 1:
            await service.settled()


def _flags(text: str, lang: Language) -> list[str]:
    verdict = judge(text, lang)
    return [str(verdict.severity)] if verdict.severity is not None else []
