"""What a bench's clients send: a recording while their microphone is open, a tone while it is closed.

Every client's packets differ from every other's (a faint noise and a pitch of its own), so that a listener's packet
tells whose it is.
"""

from __future__ import annotations

import math
import random
import struct
from array import array
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from typing import Final

from voice.media.client import OpusEncoder
from voice.player.audio import RATE_HZ, read_pcm

FRAME_S: Final = 0.02
LOUD: Final = 300.0
"""Root mean square of 20 ms (signed 16 bit) from which it counts as voiced."""
PAUSE_S: Final = 0.6
NOISE: Final = 16
LOWEST_TONE_HZ: Final = 300
TONE_STEP_HZ: Final = 37


@dataclass(frozen=True, slots=True)
class Sound:
    """One client's Opus packets of 20 ms. `ends_s`: where in the speech each utterance's voice ends."""

    speech: tuple[bytes, ...]
    tone: tuple[bytes, ...]
    ends_s: tuple[float, ...]

    @property
    def speech_s(self) -> float:
        """How long the speech is."""
        return len(self.speech) * FRAME_S


def make_sound(lang: str, client: int) -> Sound:
    """The sound of client number `client` (0 to 9) of a table, speaking `lang`."""
    noise = random.Random(client)
    frames = [_with_noise(frame, noise) for frame in _frames(_recording(lang))]
    tone_hz = LOWEST_TONE_HZ + TONE_STEP_HZ * client
    tone = struct.pack(
        f"<{RATE_HZ}h", *(round(8000 * math.sin(math.tau * tone_hz * n / RATE_HZ)) for n in range(RATE_HZ))
    )
    return Sound(_encoded(frames), _encoded(_frames(tone)), utterance_ends_s([loudness(frame) for frame in frames]))


def loudness(frame: bytes) -> float:
    """The root mean square of signed 16 bit samples."""
    samples = array("h", frame)
    return math.sqrt(sum(sample * sample for sample in samples) / len(samples))


def utterance_ends_s(loud: list[float]) -> tuple[float, ...]:
    """From the loudness of each 20 ms: the times where voice is followed by PAUSE_S without any, or by the end."""
    voiced = [number for number, value in enumerate(loud) if value > LOUD]
    pause = round(PAUSE_S / FRAME_S)
    after = [*voiced[1:], len(loud) + pause + 1]
    return tuple((at + 1) * FRAME_S for at, following in zip(voiced, after, strict=False) if following - at > pause)


@cache
def _recording(lang: str) -> bytes:
    with as_file(files("voice.cli") / "demo_speech" / f"{lang}.flac") as path:
        return read_pcm(path)


def _frames(pcm: bytes) -> list[bytes]:
    step = round(RATE_HZ * FRAME_S) * 2
    return [pcm[at : at + step].ljust(step, b"\0") for at in range(0, len(pcm), step)]


def _with_noise(frame: bytes, noise: random.Random) -> bytes:
    """About 70 dB below full scale: far under what counts as voice, and enough that no two packets are the same."""
    samples = (max(-32768, min(32767, sample + noise.randint(-NOISE, NOISE))) for sample in array("h", frame))
    return array("h", samples).tobytes()


def _encoded(frames: list[bytes]) -> tuple[bytes, ...]:
    encoder = OpusEncoder(RATE_HZ)
    return tuple(packet for packet in map(encoder.encode, frames) if packet)
