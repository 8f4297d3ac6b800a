"""Speech for the tests: recorded clips as PCM, and as the Opus packets a browser would send."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import av
import numpy as np
import numpy.typing as npt

from voice.media.packet import AcceptedPacket
from voice.speech.audio import read_audio

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from voice.speech.lines import Line

FIXTURES = Path(__file__).parents[1] / "fixtures" / "speech"
Samples = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Clip:
    """One recorded line: what is said, in which language, and 16 kHz PCM."""

    name: str
    lang: str
    text: str
    pcm: Samples

    @property
    def seconds(self) -> float:
        return len(self.pcm) / 16_000


def read_clips(folder: Path = FIXTURES) -> dict[str, Clip]:
    """The clips of a folder with a manifest, by name."""
    rows: list[dict[str, Any]] = [
        json.loads(line) for line in (folder / "manifest.jsonl").read_text("utf-8").splitlines()
    ]
    return {
        Path(row["file"]).stem: Clip(Path(row["file"]).stem, row["lang"], row["text"], read_audio(folder / row["file"]))
        for row in rows
    }


def encode_opus(pcm: Samples, *, dtx: bool = False, fec: bool = False) -> list[bytes]:
    """16 kHz mono PCM as Opus packets of 20 ms."""
    codec: Any = av.CodecContext.create("libopus", "w")
    codec.sample_rate = 16_000
    codec.layout = "mono"
    codec.format = "flt"
    codec.bit_rate = 32_000
    codec.options = {
        "application": "voip",
        "frame_duration": "20",
        **({"dtx": "1"} if dtx else {}),
        **({"fec": "1", "packet_loss": "20"} if fec else {}),
    }
    codec.open()
    whole = np.pad(pcm, (0, -len(pcm) % 320))
    packets: list[bytes] = []
    for start in range(0, len(whole), 320):
        frame = av.AudioFrame.from_ndarray(whole[None, start : start + 320], format="flt", layout="mono")
        frame.sample_rate = 16_000
        frame.pts = start
        packets += [bytes(packet) for packet in codec.encode(frame)]
    packets += [bytes(packet) for packet in codec.encode(None)]
    return packets


def accepted(
    payloads: Sequence[bytes], seat: int, epoch: int, *, begin_s: float, sequence: int = 1_000, timestamp: int = 5_000
) -> Iterator[AcceptedPacket]:
    """Payloads as packets that the gate let through, one each 20 ms from `begin_s` on."""
    for index, payload in enumerate(payloads):
        yield AcceptedPacket(
            seat=seat,
            epoch=epoch,
            sequence=(sequence + index) % 65_536,
            timestamp=(timestamp + 960 * index) % 2**32,
            payload=payload,
            arrival=begin_s + 0.02 * (index + 1),
        )


def text_by_seat(lines: Iterable[Line]) -> dict[int, str]:
    """What each seat said, in however many lines."""
    said: dict[int, list[str]] = {}
    for line in lines:
        said.setdefault(line.seat, []).append(line.text)
    return {seat: " ".join(texts) for seat, texts in said.items()}


NUMBERS = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight"}


def words_counted(reference: str, heard: str) -> tuple[int, int]:
    """How many words are wrong (the fewest edits), and how many were said."""

    def plain(text: str) -> list[str]:
        bare = "".join(letter if letter.isalnum() or letter == "'" else " " for letter in text.lower())
        return [NUMBERS.get(word, word) for word in bare.replace("ё", "е").split()]

    said, got = plain(reference), plain(heard)
    row = list(range(len(got) + 1))
    for i, word in enumerate(said, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(got, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1], len(said)


def words_wrong(reference: str, heard: str) -> float:
    """Word error rate: edits over words said."""
    wrong, said = words_counted(reference, heard)
    return wrong / max(1, said)
