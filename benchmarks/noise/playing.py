"""Sounds through the real path, faster than they last: Opus, the tap's process, the recogniser's, moderation.

Every packet is heard, and all that comes of it recognised, before the next one goes: so every draft that a table could
ever have is decoded, and on any machine the same ones.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from voice.media.packet import AcceptedPacket
from voice.speech.audio import PACKET_S, packets
from voice.speech.cadence import CadenceRules
from voice.speech.ear import RTP_RATE_HZ
from voice.speech.jitter import SEQUENCE_MODULUS, TIMESTAMP_MODULUS
from voice.speech.service import SpeechService
from voice.speech.settings import SpeechSettings
from voice.wiring import judge_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from benchmarks.noise.sources import Sound
    from moderation import Language
    from voice.speech.lines import Line
    from voice.speech.stream import SpeechStream

SEAT = 1
SETTINGS = SpeechSettings(interim_every_s=CadenceRules().often_s, drafts_below_load=math.inf)
"""A server's, with drafts as often as there ever are, whatever the load."""
AHEAD_S = 3_600.0
"""Sounds come as if so much later than they do: that a decode takes longer than its sound is no silence in it."""
POLL_S = 0.05


class NoModelError(Exception):
    """A language can't be recognised; the message says why."""


@dataclass(slots=True)
class Found:
    """What became of one source's sounds. `utterances`: what the detector took for speech; `drafts`: of its captions,
    shown or not, how many were decoded; `flags`: of each line that was flagged the severity, or `review` where it would
    only have come to a person. A table judges no captions."""

    seconds: float = 0.0
    utterances: int = 0
    drafts: int = 0
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
    service = SpeechService(data_dir, SETTINGS)
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
        found.flags += _flags(heard)

    def caption(_: int, text: str, *__: object) -> None:
        if text:
            found.captions.append(text)

    table = f"noise {number}"
    stream = service.open(table, lang, line, caption)
    while not service.ready(lang):
        if (problem := service.problem(lang)) is not None:
            raise NoModelError(problem)
        await asyncio.sleep(POLL_S)
    before = service.stats()["recogniser"]["drafts"]
    stream.mic({SEAT}, 1)
    await _feed(service, stream, sound)
    stream.mic((), 2)
    await service.settled()
    stats = service.stats()
    counts = Counter(stats["streams"][table]["seats"].get(SEAT, {}))
    skipped = stats["recogniser"]["drafts_skipped"]
    assert skipped == 0, f"{skipped} drafts of {sound.source} were not decoded"
    dropped = stream.counts["packets_dropped"] + stream.counts["packets_refused"]
    assert dropped == 0, f"{dropped} packets of {sound.source} were not heard"
    found.utterances += counts["utterances"]
    found.drafts += stats["recogniser"]["drafts"] - before
    found.seconds += len(sound.pcm) / 16_000
    stream.close()


async def _feed(service: SpeechService, stream: SpeechStream, sound: Sound) -> None:
    pcm = (sound.pcm * 32_767).astype("<i2").tobytes()
    begun_s = time.monotonic() + AHEAD_S
    step = round(PACKET_S * RTP_RATE_HZ)
    for number, payload in enumerate(packets([pcm])):
        sequence, timestamp = number % SEQUENCE_MODULUS, number * step % TIMESTAMP_MODULUS
        arrival_s = begun_s + (number + 1) * PACKET_S
        stream.feed(AcceptedPacket(SEAT, 1, sequence, timestamp, payload, arrival_s))
        await service.settled()


def _flags(heard: Line) -> list[str]:
    """As a table judges a line: with the words' confidences and the other readings."""
    words = [(word.text, word.start_s, word.end_s, word.confidence) for word in heard.words]
    others = None if heard.others is None else [(other.text, other.share) for other in heard.others]
    verdict = judge_line(heard.text, heard.lang, words, others)
    return [str(verdict.severity)] if verdict.severity is not None else ["review"] if verdict.review else []
