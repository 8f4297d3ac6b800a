"""Put one speaker's packets in order, waiting a little for those that are late."""

from __future__ import annotations

from dataclasses import dataclass, field

SEQUENCE_MODULUS = 1 << 16
TIMESTAMP_MODULUS = 1 << 32
RESTART_DISTANCE = 200
"""A sequence number further away than this is another stream of the same speaker: a reconnect."""
MAX_BEHIND_TICKS = 60 * 48_000
"""Nor is one of this stream that is late in number and not in time: 200 packets and their pauses take less."""
MAX_HELD = 32


@dataclass(frozen=True, slots=True)
class Arrived:
    """One packet as it came: RTP sequence and 48 kHz timestamp, Opus payload, arrival in monotonic seconds."""

    sequence: int
    timestamp: int
    payload: bytes
    arrival: float


@dataclass(frozen=True, slots=True)
class Released:
    """A packet in its turn. `lost` packets before it never came; `restart` where it begins a stream anew."""

    packet: Arrived
    lost: int
    restart: bool


@dataclass(slots=True)
class Counts:
    """What the buffer met."""

    late: int = 0
    duplicate: int = 0
    lost: int = 0
    reordered: int = 0


@dataclass(slots=True)
class JitterBuffer:
    """Reorders within `wait_s`; packets in order pass without delay (RFC 3550, A.1 for the arithmetic)."""

    wait_s: float = 0.06
    counts: Counts = field(default_factory=Counts)
    _expected: int | None = None
    _held: dict[int, Arrived] = field(default_factory=dict)
    _timestamp: int = 0

    @property
    def waiting(self) -> bool:
        """Whether packets are held for an earlier one."""
        return bool(self._held)

    def push(self, packet: Arrived) -> list[Released]:
        """Take a packet; return those whose turn it is."""
        if self._expected is None:
            return [self._release(packet, 0, restart=True)]
        ahead = _distance(self._expected, packet.sequence)
        if abs(ahead) > RESTART_DISTANCE or (ahead < 0 and not self._is_behind(packet)):
            rest = self.flush()
            return [*rest, self._release(packet, 0, restart=True)]
        if ahead < 0:
            self.counts.late += 1
            return []
        if packet.sequence in self._held:
            self.counts.duplicate += 1
            return []
        if self._held and ahead < min(_distance(self._expected, held) for held in self._held):
            self.counts.reordered += 1
        self._held[packet.sequence] = packet
        return self._in_turn() + self.poll(packet.arrival)

    def poll(self, now: float) -> list[Released]:
        """Give up on packets that did not come in time; return those behind them."""
        released: list[Released] = []
        while self._held and (
            len(self._held) > MAX_HELD or now - min(held.arrival for held in self._held.values()) >= self.wait_s
        ):
            released += self._skip()
        return released

    def flush(self) -> list[Released]:
        """Everything that is held, in order: the stream ends here."""
        released: list[Released] = []
        while self._held:
            released += self._skip()
        return released

    def _is_behind(self, packet: Arrived) -> bool:
        """Whether a packet's time is before that of the last one released, or the same."""
        return -MAX_BEHIND_TICKS <= timestamp_ahead(self._timestamp, packet.timestamp) <= 0

    def _skip(self) -> list[Released]:
        expected = self._expected or 0
        first = min(self._held, key=lambda sequence: _distance(expected, sequence))
        lost = _distance(expected, first)
        self.counts.lost += lost
        return [self._release(self._held.pop(first), lost, restart=False), *self._in_turn()]

    def _in_turn(self) -> list[Released]:
        released: list[Released] = []
        while self._expected in self._held:
            released.append(self._release(self._held.pop(self._expected), 0, restart=False))
        return released

    def _release(self, packet: Arrived, lost: int, *, restart: bool) -> Released:
        self._expected = (packet.sequence + 1) % SEQUENCE_MODULUS
        self._timestamp = packet.timestamp
        return Released(packet, lost, restart)


def _distance(origin: int, sequence: int) -> int:
    """How far `sequence` is ahead of `origin`, -32768 to 32767."""
    ahead = (sequence - origin) % SEQUENCE_MODULUS
    return ahead - SEQUENCE_MODULUS if ahead >= SEQUENCE_MODULUS // 2 else ahead


def timestamp_ahead(origin: int, timestamp: int) -> int:
    """How many ticks `timestamp` is ahead of `origin`, modulo 32 bits, negative where behind."""
    ahead = (timestamp - origin) % TIMESTAMP_MODULUS
    return ahead - TIMESTAMP_MODULUS if ahead >= TIMESTAMP_MODULUS // 2 else ahead
