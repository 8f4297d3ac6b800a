"""One turn of recorded speech, in real time, into a table's speech: what a browser would send, when it would come."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from voice.media.packet import AcceptedPacket
from voice.speech.audio import PACKET_S
from voice.speech.ear import RTP_RATE_HZ
from voice.speech.jitter import SEQUENCE_MODULUS, TIMESTAMP_MODULUS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from voice.speech.stream import SpeechStream


async def speak(
    stream: SpeechStream, seat: int, epoch: int, packets: Iterable[bytes], on_packet: Callable[[], None] | None = None
) -> tuple[float, float]:
    """Say Opus packets of 20 ms with an open microphone, each at the end of its time; leave the microphone open.

    Returns when the first one began (monotonic seconds), and by how much the latest one was late: what comes late is
    sent at once, so that nothing of it is lost. `on_packet` is called after each.
    """
    begun_s = time.monotonic()
    latest_s = 0.0
    step = round(PACKET_S * RTP_RATE_HZ)
    for number, payload in enumerate(packets):
        due_s = begun_s + (number + 1) * PACKET_S
        await asyncio.sleep(max(0.0, due_s - time.monotonic()))
        now_s = time.monotonic()
        latest_s = max(latest_s, now_s - due_s)
        sequence, timestamp = number % SEQUENCE_MODULUS, number * step % TIMESTAMP_MODULUS
        stream.feed(AcceptedPacket(seat, epoch, sequence, timestamp, payload, now_s))
        if on_packet is not None:
            on_packet()
    return begun_s, latest_s
