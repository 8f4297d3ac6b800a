"""What Whisper hears: the log-mel spectrogram of an utterance in a window of silence.

The same numbers as faster-whisper's FeatureExtractor gives of the utterance with zeros behind it, at a fraction of its
cost: silence is not transformed, since what comes of it is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from models.vad import Samples

FRAME_RATE_HZ = 100
HOP_SAMPLES = 160
FFT_SAMPLES = 400
BINS = FFT_SAMPLES // 2 + 1

_HALF = FFT_SAMPLES // 2
_FLOOR = np.float32(-10.0)  # log10 of the least energy that counts
_RANGE = np.float32(8.0)  # what is softer than the loudest by more than that (log10) counts as that soft
_WEIGHTS = np.hanning(FFT_SAMPLES + 1)[:-1].astype(np.float32)

Spectrogram = npt.NDArray[np.float32]
"""Mel bands by frames of 10 ms."""


def log_mel(audio: Samples, filters: Spectrogram, frames: int) -> Spectrogram:
    """The spectrogram of mono 16 kHz PCM in a window of so many frames.

    `filters`: mel bands by BINS, as the model has them. The window has at least 12.5 ms of silence behind the audio;
    where it would not, ValueError is raised.
    """
    if len(audio) + _HALF > frames * HOP_SAMPLES:
        raise ValueError(f"expected {_HALF} samples of silence in {frames} frames, got {len(audio)} samples of audio")
    heard = -(-(len(audio) + _HALF) // HOP_SAMPLES)  # the frames that reach into the audio
    padded = np.zeros(_HALF + heard * HOP_SAMPLES + FFT_SAMPLES, np.float32)
    padded[_HALF : _HALF + len(audio)] = audio
    padded[:_HALF] = padded[2 * _HALF : _HALF : -1]  # mirrored at the beginning, as in Whisper's training
    cuts = np.lib.stride_tricks.sliding_window_view(padded, FFT_SAMPLES)[::HOP_SAMPLES][:heard]
    spectrum = np.fft.rfft(cuts * _WEIGHTS, axis=1)
    energy = filters @ (spectrum.real**2 + spectrum.imag**2).T
    loudness = np.log10(np.maximum(energy, 10.0**_FLOOR))
    quietest = max(_FLOOR, loudness.max() - _RANGE)
    found = np.full((len(filters), frames), quietest, np.float32)
    np.maximum(loudness, quietest, out=found[:, :heard])
    found += 4.0
    found /= 4.0
    return found
