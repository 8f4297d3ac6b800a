"""Clips as they are played: Opus packets with silence around, and when each word of the text ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from models.vad import SAMPLE_RATE_HZ
from voice.bench.asr.errors import ClipsError
from voice.bench.asr.words import normal
from voice.speech.audio import PACKET_S, AudioFileError, packets, read_pcm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from models.recognition import Word
    from models.vad import Samples
    from voice.bench.asr.clips import Clip

LEAD_S = 0.3
TAIL_S = 1.2
"""Longer than the endpointer ever waits: the last utterance is ended by it, not by the closing microphone."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A clip with its packets, its own length, and when its words ended (None: not known), from the first packet."""

    clip: Clip
    packets: tuple[bytes, ...]
    clip_s: float
    ends_s: tuple[float | None, ...]

    @property
    def turn_s(self) -> float:
        """How long it is played, silence included."""
        return len(self.packets) * PACKET_S


def make_sounds(clips: Sequence[Clip], data_dir: Path, progress: Callable[[str], None]) -> list[Sound]:
    """The clips' sounds, in order. Raises ClipsError where a file can't be read, ModelError without a model."""
    aligners: dict[str, Any] = {}
    sounds = []
    for number, clip in enumerate(clips, 1):
        progress(f"reading the clips: {number} of {len(clips)}")
        pcm = _pcm(clip)
        samples = np.frombuffer(pcm, "<i2").astype(np.float32) / np.float32(32768)
        whole = [_silence(LEAD_S), pcm, _silence(TAIL_S)]
        ends_s = tuple(None if at is None else at + LEAD_S for at in _ends(clip, samples, aligners, data_dir))
        sounds.append(Sound(clip, tuple(packets(whole)), len(pcm) / 2 / SAMPLE_RATE_HZ, ends_s))
    return sounds


def word_ends(words: Iterable[Word], said: Sequence[str], lang: str) -> list[float | None]:
    """When each word as it is compared ended, from the words as they are written; None where they don't fit."""
    ends = [word.end_s for word in words for _ in normal(word.text, lang)]
    return list(ends) if len(ends) == len(said) else [None] * len(said)


def _ends(clip: Clip, samples: Samples, aligners: dict[str, Any], data_dir: Path) -> list[float | None]:
    from models.whisper import MAX_AUDIO_S

    if len(samples) > MAX_AUDIO_S * SAMPLE_RATE_HZ:
        return [None] * len(clip.words)
    aligner = _aligner(clip.lang, aligners, data_dir)
    if clip.lang not in aligner.languages:
        return [None] * len(clip.words)
    return word_ends(aligner.spoken_at(samples, clip.text, clip.lang), clip.words, clip.lang)


def _aligner(lang: str, loaded: dict[str, Any], data_dir: Path) -> Any:
    """Always the language's embedded model, whichever are measured: the same moments for all of them."""
    from models.catalogue import BASE, DEFAULT_BY_LANGUAGE
    from models.store import locate
    from models.whisper import WindowedWhisper

    name = DEFAULT_BY_LANGUAGE.get(lang, BASE.name)
    if name not in loaded:
        loaded[name] = WindowedWhisper(locate(name, data_dir))
    return loaded[name]


def _pcm(clip: Clip) -> bytes:
    try:
        return b"".join(read_pcm(clip.path))
    except AudioFileError as error:
        raise ClipsError(str(error)) from error


def _silence(seconds: float) -> bytes:
    return b"\0\0" * round(seconds * SAMPLE_RATE_HZ)
