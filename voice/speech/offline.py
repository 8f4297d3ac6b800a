"""The live speech path on audio that is there already: the same endpointer and recogniser, without processes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from models.guards import is_hallucination
from models.vad import FRAME_SAMPLES, SAMPLE_RATE_HZ, Samples, VoiceActivity
from voice.speech.endpointer import Cut, Endpointer, EndpointRules, Stage
from voice.speech.lines import Line, Timings, Word

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from models.recognition import Recogniser


class AudioFileError(Exception):
    """A file is not audio that FFmpeg reads; the message names it."""


def read_audio(path: Path) -> Samples:
    """A file's sound as mono PCM at 16 kHz. Raises AudioFileError."""
    import av

    try:
        with av.open(str(path)) as container:
            if not container.streams.audio:
                raise AudioFileError(f"{path} has no sound: expected an audio file")
            resampler = av.AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE_HZ)
            frames = [*container.decode(audio=0), None]
            parts = [out.to_ndarray().reshape(-1) for frame in frames for out in resampler.resample(frame)]
    except (OSError, av.FFmpegError, ValueError) as error:
        raise AudioFileError(f"{path} can't be read as audio: {error}") from error
    if not parts:
        raise AudioFileError(f"{path} has no sound: expected an audio file")
    return np.concatenate(parts).astype(np.float32)


def cut(pcm: Samples, rules: EndpointRules | None = None) -> Iterator[tuple[Cut, int]]:
    """Each final utterance of mono 16 kHz PCM, with the sample at which it was called over."""
    voice, endpointer = VoiceActivity(), Endpointer(rules or EndpointRules())
    padded = np.pad(pcm, (0, -len(pcm) % FRAME_SAMPLES))
    for start in range(0, len(padded), FRAME_SAMPLES):
        frame = padded[start : start + FRAME_SAMPLES]
        for found in endpointer.push(frame, voice(frame)):
            if found.stage is Stage.FINAL:
                yield found, start + FRAME_SAMPLES
    for found in endpointer.flush():
        yield found, len(padded)


def recognise(
    pcm: Samples, lang: str, recogniser: Recogniser, rules: EndpointRules | None = None, seat: int = 0
) -> Iterator[Line]:
    """The lines of mono 16 kHz PCM, times in seconds from its first sample.

    The time from an utterance's end to its text is the endpointer's wait plus the decode, one after the other;
    live, the decode begins within that wait. Raises ModelError where the recogniser can't do `lang`.
    """
    number = 0
    for found, called_sample in cut(pcm, rules):
        begun_s = time.perf_counter()
        hypothesis = recogniser.transcribe(found.audio, lang)
        decode_s = time.perf_counter() - begun_s
        speech_s = found.speech_samples / SAMPLE_RATE_HZ
        if is_hallucination(hypothesis.text, hypothesis.no_speech, hypothesis.score, speech_s):
            continue
        number += 1
        start_s, end_s = found.start_sample / SAMPLE_RATE_HZ, found.speech_end_sample / SAMPLE_RATE_HZ
        endpoint_s = called_sample / SAMPLE_RATE_HZ - end_s
        yield Line(
            id=str(number),
            seat=seat,
            text=hypothesis.text,
            words=tuple(
                Word(word.text, start_s + word.start_s, start_s + word.end_s, word.confidence)
                for word in hypothesis.words
            ),
            start_s=start_s,
            end_s=end_s,
            lang=lang,
            timings=Timings(endpoint_s + decode_s, endpoint_s, decode_s),
        )
