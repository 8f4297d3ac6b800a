"""Where the table's voices go to: a loudspeaker, a file, or nowhere. A sink takes Opus packets as they come.

Several may speak at once, each in the stream of a slot; a sink puts each stream in order and adds them up.
"""

from __future__ import annotations

import heapq
import math
import threading
import wave
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from voice.media.client import OpusDecoder
from voice.media.rtp import OPUS_HZ, difference

from .devices import choose
from .sound import SILENT_DB, level_db, opened

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from voice.media.client import ReceivedPacket

AHEAD_FRAMES: Final = 3
"""What the loudspeaker waits for after a pause, against the network's unevenness."""
MOST_FRAMES: Final = 25
LONGEST_GAP_S: Final = 10.0
HELD_SAMPLES: Final = OPUS_HZ // 2
"""So much of a file is kept back, for the voices of other streams."""
STRAYS_SAMPLES: Final = OPUS_HZ
"""A stream whose own time is so far from that of its arrival began anew."""


class Sink(Protocol):
    """Ears."""

    @property
    def level_db(self) -> float:
        """How loud the loudest voice was of late."""

    def begin(self) -> None:
        """A new voice link: each of its streams begins anew."""

    def hear(self, packet: ReceivedPacket) -> None:
        """A packet from the table."""

    def close(self) -> None:
        """No more comes."""


class NullSink:
    """Hears nothing but the level."""

    def __init__(self) -> None:
        self._levels: dict[int, float] = {}
        self._decoders: dict[int, OpusDecoder] = {}

    @property
    def level_db(self) -> float:
        """How loud the loudest voice was of late."""
        return max(list(self._levels.values()), default=SILENT_DB)

    def begin(self) -> None:
        """A new voice link: each of its streams begins anew."""
        self._levels, self._decoders = {}, {}

    def decode(self, slot: int, payload: bytes) -> bytes:
        """A packet's PCM, 48 kHz; empty for one that can't be decoded."""
        decoder = self._decoders.get(slot)
        if decoder is None:
            decoder = self._decoders[slot] = OpusDecoder()
        try:
            pcm = decoder.decode(payload)
        except (ValueError, OSError):  # FFmpeg's errors are of both kinds
            return b""
        self._levels[slot] = level_db(pcm)
        return pcm

    def hear(self, packet: ReceivedPacket) -> None:
        """A packet from the table."""
        self.decode(packet.slot, packet.payload)

    def close(self) -> None:
        """Nothing is open."""


class FileSink(NullSink):
    """A WAV file of what was heard, 48 kHz mono, with the pauses as they were, though none longer than 10 s."""

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        super().__init__()
        path.touch()  # where this fails, `wave` would leave half an object, whose end is a traceback
        self._file = wave.open(str(path), "wb")  # noqa: SIM115 - open for as long as the sink is
        self._file.setnchannels(1)
        self._file.setsampwidth(2)
        self._file.setframerate(OPUS_HZ)
        self._begun: float | None = None
        self._anchors: dict[int, tuple[int, int]] = {}
        """By slot: a timestamp of its stream, and the sample since the beginning that it belongs to."""
        self._left_out = 0
        """Samples of pauses that are not in the file."""
        self._written = 0
        self._held: NDArray[np.int32] = np.zeros(0, np.int32)

    def begin(self) -> None:
        """A new voice link: each of its streams begins anew."""
        super().begin()
        self._anchors = {}

    def hear(self, packet: ReceivedPacket) -> None:
        """A packet from the table, at its place in time; one that came too late is left out."""
        before = self._anchors.get(packet.slot)
        if before is not None and -STRAYS_SAMPLES < difference(packet.timestamp, before[0], 32) <= 0:
            return
        at = self._place(packet)
        pcm = np.frombuffer(self.decode(packet.slot, packet.payload), "<i2")
        gap = at - self._written - len(self._held) - round(LONGEST_GAP_S * OPUS_HZ)
        if gap > 0:
            self._left_out += gap
            at -= gap
        if at < self._written:
            return
        end = at + len(pcm) - self._written
        if end > len(self._held):
            self._held = np.concatenate((self._held, np.zeros(end - len(self._held), np.int32)))
        self._held[end - len(pcm) : end] += pcm
        self._write(len(self._held) - HELD_SAMPLES)

    def _place(self, packet: ReceivedPacket) -> int:
        """The sample of the file at which a packet begins."""
        if self._begun is None:
            self._begun = packet.arrival
        came = round((packet.arrival - self._begun) * OPUS_HZ)
        timestamp, sample = self._anchors.get(packet.slot, (packet.timestamp, came))
        at = sample + difference(packet.timestamp, timestamp, 32)
        if abs(at - came) > STRAYS_SAMPLES:
            at = came
        self._anchors[packet.slot] = (packet.timestamp, at)
        return at - self._left_out

    def _write(self, count: int) -> None:
        if count > 0:
            self._file.writeframes(np.clip(self._held[:count], -32768, 32767).astype("<i2").tobytes())
            self._held = self._held[count:]
            self._written += count

    def close(self) -> None:
        """Finish the file."""
        self._write(len(self._held))
        self._file.close()


class Queue:
    """The packets of one stream on their way to the loudspeaker, in order."""

    def __init__(self) -> None:
        self._frames: list[tuple[int, bytes]] = []
        self._played: float = -math.inf
        self._highest: int | None = None
        self._waits = True

    def put(self, packet: ReceivedPacket) -> None:
        """A packet that came; what is older than what was played is left out."""
        # The 16 bit number on a line without an end.
        if self._highest is None:
            self._highest = packet.sequence
        number = self._highest + difference(packet.sequence, self._highest, 16)
        self._highest = max(self._highest, number)
        if number > self._played:
            heapq.heappush(self._frames, (number, packet.payload))
        while len(self._frames) > MOST_FRAMES:
            self._played = heapq.heappop(self._frames)[0]

    def take(self) -> bytes | None:
        """The next one; None while there is nothing, or too little after a pause."""
        if self._waits and len(self._frames) < AHEAD_FRAMES:
            return None
        self._waits = not self._frames
        if not self._frames:
            return None
        self._played, payload = heapq.heappop(self._frames)
        return payload


class DeviceSink(NullSink):
    """A loudspeaker. The device's own thread takes a frame each 20 ms, or silence."""

    def __init__(self, wanted: str | None) -> None:
        """Raises DeviceError."""
        super().__init__()
        self.device = choose(wanted, output=True)
        self._lock = threading.Lock()
        self._queues: dict[int, Queue] = {}
        self._stream = opened("RawOutputStream", self.device.number, self._play)

    def begin(self) -> None:
        """A new voice link: each of its streams begins anew."""
        with self._lock:
            super().begin()
            self._queues = {}

    def hear(self, packet: ReceivedPacket) -> None:
        """A packet from the table."""
        if len(packet.payload) <= 1:  # comfort silence, which the loudspeaker makes by itself
            return
        with self._lock:
            self._queues.setdefault(packet.slot, Queue()).put(packet)

    def _play(self, out: Any, count: int, _time: object, _status: object) -> None:
        out[:] = self.next_frame().ljust(count * 2, b"\0")[: count * 2]

    def next_frame(self) -> bytes:
        """The next 20 ms to play; empty while there is nothing, or too little after a pause."""
        with self._lock:
            taken = [(slot, queue.take()) for slot, queue in self._queues.items()]
        # Only now, in order: a decoder has a memory.
        voices = [pcm for slot, payload in taken if payload is not None and (pcm := self.decode(slot, payload))]
        for slot, payload in taken:
            if payload is None:
                self._levels.pop(slot, None)
        if len(voices) <= 1:
            return voices[0] if voices else b""
        longest = max(map(len, voices))
        added = sum(np.frombuffer(pcm.ljust(longest, b"\0"), "<i2").astype(np.int32) for pcm in voices)
        return bytes(np.clip(added, -32768, 32767).astype("<i2").tobytes())

    def close(self) -> None:
        """Let the device go."""
        self._stream.close()
