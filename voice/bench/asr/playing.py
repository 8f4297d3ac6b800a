"""One row is played: clips in real time at so many tables at once, into a speech service of the row's own."""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from voice.bench.asr import moonshine, plain
from voice.bench.asr.clips import languages
from voice.bench.asr.errors import BenchError
from voice.bench.asr.setup import FIXED, MOONSHINE, OURS, THEIRS, Setup
from voice.bench.asr.shown import Shown
from voice.bench.asr.usage import cpu_s, peak_rss_mb
from voice.bench.gpu import gpu_mb
from voice.speech.audio import PACKET_S
from voice.speech.service import SpeechService
from voice.speech.settings import SpeechSettings
from voice.speech.speak import speak

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from voice.bench.asr.sound import Sound
    from voice.speech.lines import Line

POLL_S = 0.05
STAGGER_S = 0.73
"""Between the beginnings of tables that talk at once: no two of them are in step."""
PACKETS_TOLD = 50
ENDS = ("ends_whole", "ends_hanging")
"""Likely ends whose text would shorten the wait, and those whose text would lengthen it; with FIXED it does neither."""
_MODULES = {THEIRS: plain.__name__, MOONSHINE: moonshine.__name__}


@dataclass(slots=True)
class Played:
    """What came of a row. `shown`: each clip at each table. `skipped`: languages that can't be done, and why."""

    shown: list[tuple[Sound, Shown]] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    late_s: float = 0.0
    load_1_min: float | None = None
    cpu_s: float | None = None
    rss_mb: float | None = None
    gpu_mb: float | None = None


def settings_of(setup: Setup, langs: Sequence[str]) -> SpeechSettings:
    """A table's settings for our way and a host's own recogniser; for the others those without what is ours alone.

    FIXED has of that the decode before the end is certain, and nothing else.
    """
    settings = SpeechSettings(
        models={lang: setup.model_of(lang) for lang in langs},
        device=setup.device,
        compute_type=setup.compute_type,
        threads=setup.threads,
        min_window_s=setup.window_s,
        workers=setup.workers,
        interim_every_s=setup.interim_s,
    )
    if setup.way == OURS:
        return settings
    if setup.way == FIXED:
        usual_s = settings.endpoint.end_silence_s
        rules = replace(
            settings.endpoint, sentence_silence_s=usual_s, hanging_silence_s=usual_s, unread_silence_s=usual_s
        )
        return replace(settings, endpoint=rules, drafts_below_load=math.inf)
    if setup.way not in _MODULES:
        return replace(settings, recogniser=setup.way)
    return replace(settings, recogniser=_MODULES[setup.way], speculate=False, drafts_below_load=math.inf)


async def play(setup: Setup, sounds: Sequence[Sound], data_dir: Path, progress: Callable[[float], None]) -> Played:
    """Play all clips, a language at a time; `progress` is told the seconds played since the last call.

    Raises BenchError where no language can be done or the recogniser's process dies.
    """
    langs = languages([sound.clip for sound in sounds])
    service = SpeechService(data_dir, settings_of(setup, langs))
    ends = Counter(dict.fromkeys(ENDS, 0))
    played = Played(load_1_min=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None)
    await service.start()
    try:
        for lang in langs:
            if (problem := await _made_ready(service, lang)) is not None:
                played.skipped[lang] = problem
        if len(played.skipped) == len(langs):
            raise BenchError(f"{setup.name}: {next(iter(played.skipped.values()))}")
        pids = [service.stats()["tap"]["pid"], *service.scheduler.pids]
        before_s = cpu_s(pids)
        for lang in langs:
            spoken = [sound for sound in sounds if sound.clip.lang == lang]
            if lang in played.skipped:
                progress(sum(sound.turn_s for sound in spoken))
                continue
            tables = [_Table(service, lang, number, setup.tables, spoken) for number in range(setup.tables)]
            shares = [progress if not table.number else None for table in tables]
            await asyncio.gather(*(table.play(share) for table, share in zip(tables, shares, strict=True)))
            await service.settled()
            for table in tables:
                ends.update(table.ends)
                played.shown += table.close()
                played.late_s = max(played.late_s, table.late_s)
        stats = service.stats()
        if stats["tap"]["deaths"] or stats["recogniser"]["deaths"]:
            raise BenchError(f"{setup.name}: a speech process died")
        after_s = cpu_s(pids)
        played.cpu_s = None if before_s is None or after_s is None else after_s - before_s
        played.rss_mb, played.gpu_mb = peak_rss_mb(pids), gpu_mb(pids)
        counted = ("finals", "likely", "drafts", "drafts_skipped", "dropped_overload")
        played.counts = {**{name: stats["recogniser"][name] for name in counted}, **ends}
    finally:
        await service.stop()
    return played


async def _made_ready(service: SpeechService, lang: str) -> str | None:
    """Wait until a language's model is loaded in every process; what is wrong with it, where it can't be."""
    stream = service.open(f"warm {lang}", lang, lambda _: None, lambda *_: None)
    try:
        while not service.ready(lang):
            if (problem := service.problem(lang)) is not None:
                return problem
            await asyncio.sleep(POLL_S)
        await service.settled()
    finally:
        stream.close()
    return service.problem(lang)


class _Table:
    """One table: the clips of its language, each a turn of a seat of its own."""

    def __init__(self, service: SpeechService, lang: str, number: int, of: int, sounds: Sequence[Sound]) -> None:
        self.number = number
        self.late_s = 0.0
        first = number * len(sounds) // of
        self._sounds = [*sounds[first:], *sounds[:first]]
        self._shown = [Shown() for _ in self._sounds]
        self._begun_s: dict[int, float] = {}
        self._stream = service.open(f"{lang} {number}", lang, self._line, self._caption)

    async def play(self, progress: Callable[[float], None] | None) -> None:
        """All turns, one after the other."""
        await asyncio.sleep(STAGGER_S * self.number)
        packets = 0

        def told() -> None:
            nonlocal packets
            packets += 1
            if progress is not None and packets % PACKETS_TOLD == 0:
                progress(PACKETS_TOLD * PACKET_S)

        for seat, sound in enumerate(self._sounds):
            self._stream.mic({seat}, 2 * seat + 1)
            begun_s, late_s = await speak(self._stream, seat, 2 * seat + 1, sound.packets, told)
            self._begun_s[seat] = begun_s
            self._stream.mic((), 2 * seat + 2)
            self.late_s = max(self.late_s, late_s)
        if progress is not None:
            progress(packets % PACKETS_TOLD * PACKET_S)

    @property
    def ends(self) -> dict[str, int]:
        """By how the text ended: how often it changed the wait."""
        return {name: self._stream.counts[name] for name in ENDS}

    def close(self) -> list[tuple[Sound, Shown]]:
        """No more lines: what was shown of each clip, its times from the clip's beginning."""
        self._stream.close()
        for seat, shown in enumerate(self._shown):
            begun_s = self._begun_s[seat]
            shown.captions = [(at_s - begun_s, text, final) for at_s, text, final in shown.captions]
        return list(zip(self._sounds, self._shown, strict=True))

    def _caption(self, seat: int, text: str, *_: object) -> None:
        self._shown[seat].captions.append((time.monotonic(), text, False))

    def _line(self, line: Line) -> None:
        shown = self._shown[line.seat]
        shown.captions.append((time.monotonic(), line.text, True))
        shown.latency_s.append(line.timings.end_to_text_s)
        shown.endpoint_s.append(line.timings.endpoint_s)
        shown.decode_s.append(line.timings.decode_s)
        shown.length_s.append(line.end_s - line.start_s)
