"""Opus by libopus through PyAV: what a browser would send, and its sound again."""

from __future__ import annotations

import fractions

import av

from .rtp import OPUS_HZ

BITRATE = 32_000


class OpusEncoder:
    """PCM (mono, signed 16 bit, little endian) to Opus packets of 20 ms, as a browser would be asked to send them.

    `loss_percent`: with the forward error correction for so much loss, a packet carries the one before it (RFC 6716,
    2.1.7), at the same bit rate.
    """

    def __init__(self, rate_hz: int, bitrate: int = BITRATE, *, loss_percent: int = 0) -> None:
        if rate_hz not in (8_000, 12_000, 16_000, 24_000, 48_000):
            raise ValueError(f"Opus takes 8, 12, 16, 24 or 48 kHz, not {rate_hz} Hz")
        codec = av.CodecContext.create("libopus", "w")
        codec.sample_rate = rate_hz
        codec.layout = "mono"
        codec.format = av.AudioFormat("s16")
        codec.bit_rate = bitrate
        codec.options = {"application": "voip", "frame_duration": "20"}
        if loss_percent:
            codec.options = {**codec.options, "fec": "1", "packet_loss": str(loss_percent)}
        codec.time_base = fractions.Fraction(1, rate_hz)
        self._codec = codec
        self._rate_hz = rate_hz
        self.frame_samples = rate_hz // 50
        self._pts = 0

    def encode(self, pcm: bytes) -> bytes:
        """One packet for one frame of `frame_samples` samples; b"" while the encoder still waits for more."""
        frame = av.AudioFrame(format="s16", layout="mono", samples=self.frame_samples)
        frame.planes[0].update(pcm.ljust(self.frame_samples * 2, b"\x00"))
        frame.sample_rate = self._rate_hz
        frame.pts = self._pts
        self._pts += self.frame_samples
        return b"".join(bytes(packet) for packet in self._codec.encode(frame))


class OpusDecoder:
    """Opus packets to PCM: mono, signed 16 bit, little endian, 48 kHz. For measuring what was heard."""

    def __init__(self) -> None:
        codec = av.CodecContext.create("libopus", "r")
        codec.sample_rate = OPUS_HZ
        codec.layout = "mono"
        codec.format = av.AudioFormat("s16")
        self._codec = codec

    def decode(self, payload: bytes) -> bytes:
        """The PCM of one packet."""
        return b"".join(bytes(frame.planes[0])[: frame.samples * 2] for frame in self._codec.decode(av.Packet(payload)))
