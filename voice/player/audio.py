"""Audio files to what a voice client speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import av

if TYPE_CHECKING:
    from pathlib import Path

RATE_HZ = 16_000
LONGEST_S = 600.0


class AudioFileError(Exception):
    """A file that is not there, or holds no audio that can be read."""


def read_pcm(path: Path) -> bytes:
    """A file of any format FFmpeg reads as PCM: mono, signed 16 bit little endian, 16 kHz.

    Raises AudioFileError: not there, no audio in it, or longer than ten minutes.
    """
    if not path.is_file():
        raise AudioFileError(f"no such audio file: {path}")
    pcm = bytearray()
    resampler = av.AudioResampler("s16", "mono", RATE_HZ)
    try:
        with av.open(str(path)) as container:
            if not container.streams.audio:
                raise AudioFileError(f"no audio in {path}")
            for frame in container.decode(audio=0):
                for piece in resampler.resample(frame):
                    pcm += bytes(piece.planes[0])[: piece.samples * 2]
                if len(pcm) > LONGEST_S * RATE_HZ * 2:
                    raise AudioFileError(f"{path} is longer than {LONGEST_S / 60:.0f} minutes")
            for piece in resampler.resample(None):
                pcm += bytes(piece.planes[0])[: piece.samples * 2]
    except (av.FFmpegError, OSError) as why:
        raise AudioFileError(f"cannot read {path} as audio: {why}") from why
    if not pcm:
        raise AudioFileError(f"no audio in {path}")
    return bytes(pcm)
