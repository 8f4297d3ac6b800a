"""Audio files as the speech path hears them: PCM at 16 kHz, and the Opus packets a browser would send of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from models.vad import SAMPLE_RATE_HZ, Samples

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

PACKET_S = 0.02
PACKET_BYTES = SAMPLE_RATE_HZ // 50 * 2
"""20 ms of signed 16 bit PCM."""


class AudioFileError(Exception):
    """A file is not audio that FFmpeg reads; the message names it."""


def read_pcm(path: Path) -> Iterator[bytes]:
    """A file's sound piece by piece: mono, signed 16 bit little endian, 16 kHz. Raises AudioFileError.

    A file of any length takes no more memory than a piece; the error may come after the first ones.
    """
    import av

    try:
        path.stat()
    except FileNotFoundError as error:
        raise AudioFileError(f"{path} does not exist: expected an audio file") from error
    except OSError as error:
        raise AudioFileError(f"{path} can't be read as audio: {_reason(error)}") from error
    found = False
    try:
        # With the protocol named, a colon in the file's own name means nothing; and a playlist gets to no network.
        with av.open(f"file:{path}", options={"protocol_whitelist": "file,pipe"}) as container:
            if not container.streams.audio:
                raise AudioFileError(f"{path} has no sound: expected an audio file")
            resampler = av.AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE_HZ)
            for frame in _and_none(container.decode(audio=0)):
                for out in resampler.resample(frame):
                    found = found or out.samples > 0
                    yield bytes(out.planes[0])[: out.samples * 2]
    except (OSError, av.FFmpegError, ValueError) as error:
        raise AudioFileError(f"{path} can't be read as audio: {_reason(error)}") from error
    if not found:
        raise AudioFileError(f"{path} has no sound: expected an audio file")


def read_audio(path: Path) -> Samples:
    """A file's sound as mono PCM at 16 kHz, all at once. Raises AudioFileError."""
    return np.frombuffer(b"".join(read_pcm(path)), "<i2").astype(np.float32) / np.float32(32768)


def packets(pcm: Iterable[bytes]) -> Iterator[bytes]:
    """Opus packets of 20 ms each of mono, signed 16 bit PCM at 16 kHz; the last one is filled up with silence."""
    from voice.media.codec import OpusEncoder

    encoder = OpusEncoder(SAMPLE_RATE_HZ)
    rest = b""
    for piece in pcm:
        rest += piece
        whole = len(rest) - len(rest) % PACKET_BYTES
        for start in range(0, whole, PACKET_BYTES):
            if packet := encoder.encode(rest[start : start + PACKET_BYTES]):
                yield packet
        rest = rest[whole:]
    if rest and (packet := encoder.encode(rest)):
        yield packet


def _and_none(frames: Iterable[Any]) -> Iterator[Any]:
    """The frames, and None: what makes a resampler give its rest."""
    yield from frames
    yield None


def _reason(error: Exception) -> str:
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(said).split())
