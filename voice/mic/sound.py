"""Where the player's voice comes from and where the table's goes to: a device, a file, or nowhere.

A source gives 20 ms of PCM (mono, signed 16 bit) at a time, in real time; a sink takes Opus packets as they come.
"""

from __future__ import annotations

import asyncio
import heapq
import math
import threading
import time
import wave
from array import array
from collections import deque
from typing import TYPE_CHECKING, Any, Final, Protocol

from voice.media.client import OpusDecoder
from voice.media.rtp import FRAME_S, FRAME_SAMPLES, OPUS_HZ
from voice.player.audio import RATE_HZ, read_pcm

from .devices import DeviceError, choose, load

if TYPE_CHECKING:
    from pathlib import Path

    from voice.media.client import ReceivedPacket

SILENT_DB: Final = -96.0
KEPT_FRAMES: Final = 10
"""Of the microphone, while nobody takes them: late speech is worse than lost speech."""
AHEAD_FRAMES: Final = 3
"""What the loudspeaker waits for after a pause, against the network's unevenness."""
MOST_FRAMES: Final = 25
LONGEST_GAP_S: Final = 10.0


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
        self._stream = _opened("RawInputStream", self.device.number, self._heard)

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


class Sink(Protocol):
    """Ears. `level_db`: how loud it was of late."""

    level_db: float

    def hear(self, packet: ReceivedPacket) -> None:
        """A packet from the table."""

    def close(self) -> None:
        """No more comes."""


class NullSink:
    """Hears nothing but the level."""

    def __init__(self) -> None:
        self.level_db = SILENT_DB
        self._decoder = OpusDecoder()

    def decode(self, payload: bytes) -> bytes:
        """A packet's PCM, 48 kHz; empty for one that can't be decoded."""
        try:
            pcm = self._decoder.decode(payload)
        except (ValueError, OSError):  # FFmpeg's errors are of both kinds
            return b""
        self.level_db = level_db(pcm)
        return pcm

    def hear(self, packet: ReceivedPacket) -> None:
        """A packet from the table."""
        self.decode(packet.payload)

    def close(self) -> None:
        """Nothing is open."""


class FileSink(NullSink):
    """A WAV file of what was heard, 48 kHz mono, with the pauses as they were, though none longer than 10 s."""

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        super().__init__()
        self._file = wave.open(str(path), "wb")  # noqa: SIM115 - open for as long as the sink is
        self._file.setnchannels(1)
        self._file.setsampwidth(2)
        self._file.setframerate(OPUS_HZ)
        self._next: int | None = None

    def hear(self, packet: ReceivedPacket) -> None:
        """A packet from the table, at its place in time; one that came too late is left out."""
        pcm = self.decode(packet.payload)
        if self._next is not None:
            gap = ((packet.timestamp - self._next + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)
            if -OPUS_HZ <= gap < 0:
                return
            if gap > 0:
                self._file.writeframes(bytes(2 * min(gap, round(LONGEST_GAP_S * OPUS_HZ))))
        self._file.writeframes(pcm)
        self._next = (packet.timestamp + len(pcm) // 2) & 0xFFFFFFFF

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


class DeviceSink(NullSink):
    """A loudspeaker. Packets are put in order; the device's own thread takes a frame each 20 ms, or silence."""

    def __init__(self, wanted: str | None) -> None:
        """Raises DeviceError."""
        super().__init__()
        self.device = choose(wanted, output=True)
        self._lock = threading.Lock()
        self._frames: list[tuple[int, bytes]] = []
        self._played: float = -math.inf
        self._highest: int | None = None
        self._waits = True
        self._stream = _opened("RawOutputStream", self.device.number, self._play)

    def hear(self, packet: ReceivedPacket) -> None:
        """A packet from the table."""
        if len(packet.payload) <= 1:  # comfort silence, which the loudspeaker makes by itself
            return
        # The 16 bit number on a line without an end.
        if self._highest is None:
            self._highest = packet.sequence
        ahead = ((packet.sequence - self._highest + 0x8000) & 0xFFFF) - 0x8000
        number = self._highest + ahead
        self._highest = max(self._highest, number)
        with self._lock:
            if number > self._played:
                heapq.heappush(self._frames, (number, packet.payload))
            while len(self._frames) > MOST_FRAMES:
                self._played = heapq.heappop(self._frames)[0]

    def _play(self, out: Any, count: int, _time: object, _status: object) -> None:
        out[:] = self.next_frame().ljust(count * 2, b"\0")[: count * 2]

    def next_frame(self) -> bytes:
        """The next 20 ms to play; empty while there is nothing, or too little after a pause."""
        with self._lock:
            if self._waits and len(self._frames) < AHEAD_FRAMES:
                return b""
            self._waits = not self._frames
            if not self._frames:
                self.level_db = SILENT_DB
                return b""
            self._played, payload = heapq.heappop(self._frames)
        return self.decode(payload)  # only now, in order: a decoder has a memory

    def close(self) -> None:
        """Let the device go."""
        self._stream.close()


def _opened(kind: str, device: int, callback: Any) -> Any:
    sounddevice = load()
    try:
        stream = getattr(sounddevice, kind)(
            samplerate=OPUS_HZ, blocksize=FRAME_SAMPLES, device=device, channels=1, dtype="int16", callback=callback
        )
        stream.start()
    except sounddevice.PortAudioError as error:
        raise DeviceError(f"device {device} can't be opened ({error})", "choose another: --list-devices") from error
    return stream
