"""Speech without the silence around it, noises that are none, and what is wrong with a text."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from models.vad import FRAME_SAMPLES, VoiceActivity
from tests.speech.sound import Clip, accepted, encode_opus
from voice.bench.asr.words import normal

if TYPE_CHECKING:
    from tests.speech.sound import Samples
    from voice.media.packet import AcceptedPacket

RATE_HZ = 16_000


def silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE_HZ), np.float32)


def only_speech(clip: Clip) -> Samples:
    """A clip from the first to the last frame that is speech, by the detector."""
    hears = VoiceActivity()
    whole = clip.pcm[: len(clip.pcm) - len(clip.pcm) % FRAME_SAMPLES].reshape(-1, FRAME_SAMPLES)
    speech = [number for number, frame in enumerate(whole) if hears(frame) > 0.35]
    return clip.pcm[speech[0] * FRAME_SAMPLES : (speech[-1] + 1) * FRAME_SAMPLES]


def packets(
    seat: int, epoch: int, *parts: Samples, sequence: int = 1_000, ahead_s: float = 0.0
) -> list[AcceptedPacket]:
    """Sounds one after the other, as packets that came up to this moment, or up to one so far ahead."""
    payloads = encode_opus(np.concatenate(parts))
    begin_s = time.monotonic() - 0.02 * len(payloads) + ahead_s
    return list(accepted(payloads, seat, epoch, begin_s=begin_s, sequence=sequence, timestamp=960 * sequence))


def text_of(caption: Any) -> str:
    """A caption's words, whether told as they are or with more about them."""
    return caption if isinstance(caption, str) else str(caption.text)


def words_of(text: str, lang: str = "en") -> list[str]:
    return normal(text, lang)


def repeats(text: str, lang: str = "en") -> list[str]:
    """Runs of two words or more that are said again at once, and words that are said three times in a row."""
    words = words_of(text, lang)
    found = []
    for length in range(1, len(words) // 2 + 1):
        for at in range(len(words) - 2 * length + 1):
            run = words[at : at + length]
            again = words[at + length : at + 2 * length] == run
            if again and (length > 1 or words[at + 2 : at + 3] == run):
                found.append(" ".join(run))
    return found


def noises(seconds: float = 4.0) -> dict[str, Samples]:
    """What microphones pick up where nobody speaks. All made here, from a fixed seed."""
    rng = np.random.default_rng(5)
    time_s = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    white = rng.normal(0, 1, len(time_s))
    pink = np.convolve(white, np.exp(-np.arange(200) / 40), "same")
    breaths = (np.sin(2 * np.pi * 0.3 * time_s) ** 8) * np.convolve(white, np.ones(6) / 6, "same")
    keys = np.zeros(len(time_s))
    for at in rng.integers(0, len(time_s) - 400, round(6 * seconds)):
        keys[at : at + 300] += rng.normal(0, 0.4, 300) * np.exp(-np.arange(300) / 60)
    chord = sum(np.sin(2 * np.pi * hz * time_s) for hz in (220.0, 277.2, 329.6))
    sounds = {
        "silence": np.zeros(len(time_s)),
        "white": 0.03 * white,
        "pink": 0.1 * pink / np.max(np.abs(pink)),
        "hum": 0.3 * np.sin(2 * np.pi * 50 * time_s),
        "clicks": (rng.random(len(time_s)) > 0.9995) * 0.9,
        "breath": 0.2 * breaths,
        "keyboard": keys,
        "chord": 0.1 * chord * (0.6 + 0.4 * np.sin(2 * np.pi * 2 * time_s)),
    }
    return {name: np.clip(sound, -1, 1).astype(np.float32) for name, sound in sounds.items()}
