"""Speech for the tests: recorded clips as PCM, and as the Opus packets a browser would send."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest

from voice.media.packet import AcceptedPacket
from voice.speech.lines import Line
from voice.speech.service import SpeechService
from voice.speech.stream import SpeechStream

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


def read_clip(row: dict[str, Any]) -> Clip:
    with av.open(str(FIXTURES / row["file"])) as container:
        resampler = av.AudioResampler(format="flt", layout="mono", rate=16_000)
        parts = [
            out.to_ndarray().reshape(-1)
            for frame in [*container.decode(audio=0), None]
            for out in resampler.resample(frame)
        ]
    return Clip(Path(row["file"]).stem, row["lang"], row["text"], np.concatenate(parts).astype(np.float32))


@pytest.fixture(scope="session")
def clips() -> dict[str, Clip]:
    """The fixture clips by name."""
    rows = [json.loads(line) for line in (FIXTURES / "manifest.jsonl").read_text("utf-8").splitlines()]
    return {clip.name: clip for clip in map(read_clip, rows)}


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


def words_wrong(reference: str, heard: str) -> float:
    """Word error rate: edits over words said."""
    numbers = dict(zip("1 2 3 4 5 6 7 8 9 10".split(), "one two three four five six seven eight nine ten".split()))

    def plain(text: str) -> list[str]:
        bare = "".join(letter if letter.isalnum() or letter == "'" else " " for letter in text.lower())
        return [numbers.get(word, word) for word in bare.replace("ё", "е").split()]

    said, got = plain(reference), plain(heard)
    row = list(range(len(got) + 1))
    for i, word in enumerate(said, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(got, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1] / max(1, len(said))


@dataclass
class Table:
    """A table's speech in a test, and what it was told."""

    stream: SpeechStream
    lines: list[Line]
    interims: list[tuple[int, str]]


@pytest.fixture
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[SpeechService]:
    """A running speech service. Its data folder is shared in a session, so that a model is joined once."""
    service = SpeechService(tmp_path_factory.getbasetemp() / "speech-data")
    await service.start()
    yield service
    await service.stop()


@pytest.fixture
def table(service: SpeechService) -> Callable[[str], Table]:
    """Opens a table of a language."""

    def open_table(lang: str) -> Table:
        lines: list[Line] = []
        interims: list[tuple[int, str]] = []
        stream = service.open(
            f"table {lang}", lang, lines.append, lambda seat, text: interims.append((seat, text))
        )
        return Table(stream, lines, interims)

    return open_table
