"""Opus to 16 kHz mono PCM, with what was lost concealed.

libopus decodes at 16 kHz by itself (RFC 6716, 4.2.9), at half the cost of decoding at 48 kHz and resampling, and alone
offers concealment and in-band error correction. It is taken from the PyAV wheel, else from the system; where neither
has it, PyAV decodes and silence stands in for what was lost.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import importlib.util
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from models.vad import SAMPLE_RATE_HZ, Samples

MAX_PACKET_SAMPLES = SAMPLE_RATE_HZ * 120 // 1000
"""The longest packet Opus allows: 120 ms."""
MAX_PACKET_BYTES = 1_500


class OpusError(Exception):
    """A payload is not Opus, or libopus can't go on."""


class OpusDecoder(Protocol):
    """One stream's decoder; keeps state from packet to packet."""

    def decode(self, payload: bytes) -> Samples:
        """The packet's PCM. Raises OpusError for a payload that is not Opus."""
        ...

    def recover(self, payload: bytes, samples: int) -> Samples:
        """PCM of the lost packet before `payload`, from its in-band error correction, `samples` long."""
        ...

    def conceal(self, samples: int) -> Samples:
        """PCM to stand in for `samples` lost samples."""
        ...


def open_decoder() -> OpusDecoder:
    """A decoder for one speaker's stream."""
    library = libopus()
    return LibOpusDecoder(library) if library is not None else PyAvDecoder()


@functools.cache
def libopus() -> ctypes.CDLL | None:
    """libopus 1.x as a loaded library, or None where this machine has none."""
    spec = importlib.util.find_spec("av")
    bundled: list[Path] = []
    if spec is not None and spec.origin is not None:
        package = Path(spec.origin).parent
        for folder in (package.parent / "av.libs", package / ".dylibs"):
            bundled += sorted(folder.glob("libopus*"))
    system = ctypes.util.find_library("opus")
    for candidate in [*map(str, bundled), *([system] if system else [])]:
        try:
            library = ctypes.CDLL(candidate)
            _declare(library)
        except (OSError, AttributeError):
            continue
        return library
    return None


def _declare(library: ctypes.CDLL) -> None:
    library.opus_decoder_create.restype = ctypes.c_void_p
    library.opus_decoder_create.argtypes = [ctypes.c_int32, ctypes.c_int, ctypes.POINTER(ctypes.c_int)]
    library.opus_decoder_destroy.restype = None
    library.opus_decoder_destroy.argtypes = [ctypes.c_void_p]
    library.opus_decode_float.restype = ctypes.c_int
    library.opus_decode_float.argtypes = [
        ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_int, ctypes.c_int,
    ]  # fmt: skip


class LibOpusDecoder:
    """libopus through ctypes."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        status = ctypes.c_int()
        self._decoder: int | None = library.opus_decoder_create(SAMPLE_RATE_HZ, 1, ctypes.byref(status))
        if status.value != 0 or not self._decoder:
            raise OpusError(f"libopus makes no decoder: status {status.value}")
        self._pcm = np.empty(MAX_PACKET_SAMPLES, np.float32)

    def __del__(self) -> None:
        decoder = getattr(self, "_decoder", None)
        if decoder:
            self._library.opus_decoder_destroy(decoder)
            self._decoder = None

    def decode(self, payload: bytes) -> Samples:
        """See OpusDecoder."""
        if not 0 < len(payload) <= MAX_PACKET_BYTES:
            raise OpusError(f"expected an Opus packet of 1 to {MAX_PACKET_BYTES} bytes, got {len(payload)}")
        return self._run(payload, MAX_PACKET_SAMPLES, 0)

    def recover(self, payload: bytes, samples: int) -> Samples:
        """See OpusDecoder."""
        return self._run(payload, samples, 1)

    def conceal(self, samples: int) -> Samples:
        """See OpusDecoder."""
        return self._run(None, samples, 0)

    def _run(self, payload: bytes | None, samples: int, correction: int) -> Samples:
        got = self._library.opus_decode_float(
            self._decoder,
            payload,
            len(payload or b""),
            self._pcm.ctypes.data,
            min(samples, MAX_PACKET_SAMPLES),
            correction,
        )
        if got < 0:
            raise OpusError(f"libopus refuses a packet of {len(payload or b'')} bytes: status {got}")
        return self._pcm[:got].copy()


class PyAvDecoder:
    """FFmpeg's Opus through PyAV, resampled; nothing is concealed."""

    def __init__(self) -> None:
        import av

        self._av: Any = av
        self._codec: Any = av.CodecContext.create("libopus", "r")
        self._codec.sample_rate = 48_000
        self._codec.layout = "mono"
        self._codec.thread_count = 1
        self._resampler: Any = av.AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE_HZ)

    def decode(self, payload: bytes) -> Samples:
        """See OpusDecoder."""
        if not 0 < len(payload) <= MAX_PACKET_BYTES:
            raise OpusError(f"expected an Opus packet of 1 to {MAX_PACKET_BYTES} bytes, got {len(payload)}")
        try:
            frames = self._codec.decode(self._av.Packet(payload))
            parts = [out.to_ndarray().reshape(-1) for frame in frames for out in self._resampler.resample(frame)]
        except (self._av.FFmpegError, ValueError) as error:
            raise OpusError(f"FFmpeg refuses a packet of {len(payload)} bytes: {type(error).__name__}") from error
        return np.concatenate(parts).astype(np.float32) if parts else np.zeros(0, np.float32)

    def recover(self, payload: bytes, samples: int) -> Samples:
        """See OpusDecoder."""
        return self.conceal(samples)

    def conceal(self, samples: int) -> Samples:
        """See OpusDecoder."""
        return np.zeros(samples, np.float32)
