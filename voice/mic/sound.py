"""Where the player's voice comes from: a device, a file, or nowhere. 20 ms of PCM (mono, signed 16 bit) at a time."""

from __future__ import annotations

import asyncio
import math
import time
from array import array
from collections import deque
from typing import TYPE_CHECKING, Any, Final, Protocol

from voice.media.rtp import FRAME_S, FRAME_SAMPLES, OPUS_HZ
from voice.player.audio import RATE_HZ, read_pcm

from .devices import DeviceError, choose, load

if TYPE_CHECKING:
    from pathlib import Path

SILENT_DB: Final = -96.0
KEPT_FRAMES: Final = 10
"""Of the microphone, while nobody takes them: late speech is worse than lost speech."""


def level_db(pcm: bytes) -> float:
    """The loudness of signed 16 bit samples: root mean square below full scale."""
    samples = array("h", pcm[: len(pcm) // 2 * 2])
    if not samples:
        return SILENT_DB
    mean = sum(sample * sample for sample in samples) / len(samples)
    return max(SILENT_DB, 10 * math.log10(mean / 32768**2)) if mean else SILENT_DB


class Source(Protocol):
    """A voice; `rate_hz` of its PCM."""

    rate_hz: int

    def begin(self) -> None:
        """The seat's microphone was opened."""

    async def frame(self) -> bytes:
        """The next 20 ms, when they are due."""

    def close(self) -> None:
        """No more is wanted."""


class FileSource:
    """A recording that begins anew each time the microphone opens; silence after its end. Empty: always silent."""

    rate_hz = RATE_HZ

    def __init__(self, path: Path | None) -> None:
        """Raises AudioFileError."""
        self._pcm = b"" if path is None else read_pcm(path)
        self._at = len(self._pcm)
        self._due = 0.0

    def begin(self) -> None:
        """From the beginning."""
        self._at = 0

    async def frame(self) -> bytes:
        """The next 20 ms."""
        now = time.monotonic()
        self._due = max(self._due + FRAME_S, now - FRAME_S * KEPT_FRAMES)
        await asyncio.sleep(max(0.0, self._due - now))
        step = round(self.rate_hz * FRAME_S) * 2
        piece = self._pcm[self._at : self._at + step]
        self._at += step
        return piece.ljust(step, b"\0")

    def close(self) -> None:
        """Nothing is open."""


class DeviceSource:
    """A microphone. Its own thread fills a short queue; what nobody takes in time is dropped."""

    rate_hz = OPUS_HZ

    def __init__(self, wanted: str | None) -> None:
        """Raises DeviceError."""
        self.device = choose(wanted, output=False)
        self._loop = asyncio.get_running_loop()
        self._frames: deque[bytes] = deque(maxlen=KEPT_FRAMES)
        self._news = asyncio.Event()
        self._stream = opened("RawInputStream", self.device.number, self._heard)

    def _heard(self, data: Any, _count: int, _time: object, _status: object) -> None:
        self._frames.append(bytes(data))
        self._loop.call_soon_threadsafe(self._news.set)

    def begin(self) -> None:
        """What was said before the microphone opened is not said now."""
        self._frames.clear()

    async def frame(self) -> bytes:
        """The next 20 ms. Raises DeviceError where the device has gone."""
        while not self._frames:
            self._news.clear()
            try:
                async with asyncio.timeout(2.0):
                    await self._news.wait()
            except TimeoutError:
                raise DeviceError(f"{self.device.name} gives no sound any more", "connect it again") from None
        return self._frames.popleft()

    def close(self) -> None:
        """Let the device go."""
        self._stream.close()


def opened(kind: str, device: int, callback: Any) -> Any:
    """A started stream of sounddevice (`RawInputStream`, `RawOutputStream`), 20 ms a call. Raises DeviceError."""
    sounddevice = load()
    try:
        stream = getattr(sounddevice, kind)(
            samplerate=OPUS_HZ, blocksize=FRAME_SAMPLES, device=device, channels=1, dtype="int16", callback=callback
        )
        stream.start()
    except sounddevice.PortAudioError as error:
        raise DeviceError(f"device {device} can't be opened ({error})", "choose another: --list-devices") from error
    return stream
