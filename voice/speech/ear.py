"""One open microphone as the tap hears it: packets put in order, decoded, and cut into utterances."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from models.vad import FRAME_SAMPLES, SAMPLE_RATE_HZ, Samples, VoiceActivity
from voice.speech.endpointer import Cut, Endpointer, EndpointRules
from voice.speech.jitter import Arrived, JitterBuffer, Released, timestamp_ahead
from voice.speech.opus import OpusError, open_decoder

RTP_RATE_HZ = 48_000
PACKET_SAMPLES = SAMPLE_RATE_HZ // 50  # what a packet holds until the first one says otherwise
MAX_CONCEALED_S = 0.1
MAX_SILENCE_S = 0.5
SPARE_SILENCE_S = 0.2
STARVED_AFTER_S = 0.1
STARVED_MARGIN_S = 0.06
MAX_AHEAD_S = 5.0
"""A voice is no longer than the time it has had, but for what a stalled network holds back and then brings at once.

Without a bound one client could keep the tap and the recogniser from all others: a packet holds up to 120 ms (RFC 6716,
3.2.5), and with it comes the silence that its timestamp tells of.
"""


@dataclass(frozen=True, slots=True)
class Heard:
    """A cut with its times: monotonic seconds at the arrival of its first sound and last speech; its speech in s.

    The first sound is up to 0.3 s before the first speech: the pre-roll.
    """

    cut: Cut
    start_s: float
    end_s: float
    speech_s: float


@dataclass(slots=True)
class EarCounts:
    """What one microphone gave: packets, and samples of 16 kHz PCM."""

    packets: int = 0
    ahead: int = 0
    """Packets that were not played: there was more of this voice than time for it."""
    undecodable: int = 0
    recovered: int = 0
    samples_decoded: int = 0
    samples_concealed: int = 0
    samples_silence: int = 0
    samples_at_endpointer: int = 0


class Ear:
    """One seat's microphone from its opening to its closing. Blank at first: nothing of an earlier speaker is in it.

    A pause in the packets is silence (discontinuous transmission); while somebody is in mid-utterance it becomes
    samples by the clock, so that the utterance ends even where no further packet comes.
    """

    def __init__(self, rules: EndpointRules) -> None:
        self.counts = EarCounts()
        self.jitter = JitterBuffer()
        self._decoder = open_decoder()
        self._voice = VoiceActivity()
        self._endpointer = Endpointer(rules)
        self._rest: Samples = np.zeros(0, np.float32)
        self._position = 0
        self._arrivals: deque[tuple[int, float]] = deque(maxlen=1024)
        self._next_timestamp = 0
        self._packet_samples = PACKET_SAMPLES
        self._first_arrival: float | None = None
        self._last_arrival = 0.0
        self._inserted = 0
        # Where packets stay away, the longest wait for more speech must still come to its end.
        self._max_silence = round(
            max(MAX_SILENCE_S, self._endpointer.longest_silence_s + SPARE_SILENCE_S) * SAMPLE_RATE_HZ
        )

    @property
    def restless(self) -> bool:
        """Whether time alone can change something here: `poll` is wanted."""
        return self.jitter.waiting or self._endpointer.speaking

    def push(self, packet: Arrived) -> list[Heard]:
        """Take a packet that the gate let through."""
        self.counts.packets += 1
        if self._first_arrival is None:
            self._first_arrival = packet.arrival
        if self._position > (packet.arrival - self._first_arrival + MAX_AHEAD_S) * SAMPLE_RATE_HZ:
            self.counts.ahead += 1
            return []
        return self._play_all(self.jitter.push(packet))

    def poll(self, now: float) -> list[Heard]:
        """Let time pass: give up on what is late, and hear silence where packets stay away."""
        heard = self._play_all(self.jitter.poll(now))
        starved_s = now - self._last_arrival
        if self._endpointer.speaking and starved_s > STARVED_AFTER_S:
            wanted = min(round((starved_s - STARVED_MARGIN_S) * SAMPLE_RATE_HZ), self._max_silence)
            missing = wanted - self._inserted
            if missing > 0:
                self._inserted += missing
                heard += self._silence(missing, now)
        return heard

    def wait(self, utterance: int, version: int, silence_s: float) -> list[Heard]:
        """See `Endpointer.wait`."""
        return self._timed(self._endpointer.wait(utterance, version, silence_s))

    def close(self) -> list[Heard]:
        """The microphone closed: what was said until now is an utterance."""
        heard = self._play_all(self.jitter.flush())
        if len(self._rest):
            short = FRAME_SAMPLES - len(self._rest)
            heard += self._listen(np.zeros(short, np.float32), self._last_arrival)
        return heard + self._timed(self._endpointer.flush())

    def _play_all(self, released: list[Released]) -> list[Heard]:
        heard: list[Heard] = []
        for item in released:
            heard += self._play(item)
        return heard

    def _play(self, item: Released) -> list[Heard]:
        packet = item.packet
        heard: list[Heard] = []
        if not item.restart:
            heard += self._fill(item)
        elif self._position:
            # A new stream of the same speaker: its timestamps say nothing of the pause before it, its arrival does.
            self._decoder = open_decoder()
            pause_s = min(max(0.0, packet.arrival - self._last_arrival), MAX_SILENCE_S)
            heard += self._silence(max(0, round(pause_s * SAMPLE_RATE_HZ) - self._inserted), packet.arrival)
        self._last_arrival = packet.arrival
        self._inserted = 0
        try:
            pcm = self._decoder.decode(packet.payload)
            self.counts.samples_decoded += len(pcm)
            self._packet_samples = len(pcm) or self._packet_samples
        except OpusError:
            self.counts.undecodable += 1
            pcm = self._decoder.conceal(self._packet_samples)
            self.counts.samples_concealed += len(pcm)
        self._next_timestamp = packet.timestamp + len(pcm) * (RTP_RATE_HZ // SAMPLE_RATE_HZ)
        return heard + self._listen(pcm, packet.arrival)

    def _fill(self, item: Released) -> list[Heard]:
        """Stand in for what is missing before a packet: lost packets are concealed, a pause is silence."""
        packet = item.packet
        ticks = timestamp_ahead(self._next_timestamp, packet.timestamp)
        missing = max(0, min(ticks // (RTP_RATE_HZ // SAMPLE_RATE_HZ), round(MAX_SILENCE_S * SAMPLE_RATE_HZ)))
        heard: list[Heard] = []
        if item.lost and missing:
            lost = min(item.lost * self._packet_samples, missing, round(MAX_CONCEALED_S * SAMPLE_RATE_HZ))
            last = min(lost, self._packet_samples)
            try:
                parts = [
                    self._decoder.conceal(min(self._packet_samples, lost - last - done))
                    for done in range(0, lost - last, self._packet_samples)
                ]
                parts.append(self._decoder.recover(packet.payload, last))
                self.counts.recovered += 1
            except OpusError:
                parts = [np.zeros(lost, np.float32)]
            pcm = np.concatenate(parts)
            self.counts.samples_concealed += len(pcm)
            missing -= len(pcm)
            heard += self._listen(pcm, packet.arrival)
        missing -= self._inserted
        return heard + (self._silence(missing, packet.arrival) if missing > 0 else [])

    def _silence(self, samples: int, arrival: float) -> list[Heard]:
        self.counts.samples_silence += samples
        return self._listen(np.zeros(samples, np.float32), arrival)

    def _listen(self, pcm: Samples, arrival: float) -> list[Heard]:
        self._position += len(pcm)
        self._arrivals.append((self._position, arrival))
        samples = np.concatenate((self._rest, pcm)) if len(self._rest) else pcm
        whole = len(samples) - len(samples) % FRAME_SAMPLES
        heard: list[Heard] = []
        for start in range(0, whole, FRAME_SAMPLES):
            frame = samples[start : start + FRAME_SAMPLES]
            self.counts.samples_at_endpointer += FRAME_SAMPLES
            heard += self._timed(self._endpointer.push(frame, self._voice(frame)))
        self._rest = samples[whole:]
        return heard

    def _timed(self, cuts: list[Cut]) -> list[Heard]:
        timed = []
        for cut in cuts:
            end_s = self._time_of(cut.speech_end_sample)
            # Its first samples may have come long before, where the sender's clock stood still in a pause.
            earliest_s = end_s - len(cut.audio) / SAMPLE_RATE_HZ - MAX_AHEAD_S
            start_s = max(self._time_of(cut.start_sample), earliest_s)
            timed.append(Heard(cut, start_s, end_s, cut.speech_samples / SAMPLE_RATE_HZ))
        return timed

    def _time_of(self, sample: int) -> float:
        """When a sample arrived, counted back from the packet that had it."""
        position, arrival = self._arrivals[-1]
        for later_position, later_arrival in reversed(self._arrivals):
            if later_position < sample:
                break
            position, arrival = later_position, later_arrival
        return arrival - (position - sample) / SAMPLE_RATE_HZ
