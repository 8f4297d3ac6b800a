"""`python -m benchmarks.speech.choices`: what a model, its compute type, threads and window cost, and how they hear.

Every clip goes through the path of a table without its clock: Opus, endpointer, recogniser, whole utterances alone. CPU
time is the process's own, so that other work on the machine changes it little; latency is what `voicetable bench asr`
measures. Each row has a process of its own, for its memory. A run that was interrupted goes on from its JSON file.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.errors import ModelError
from voice.bench import report
from voice.bench.asr.clips import Clip, default_folder, fingerprint, read_clips
from voice.bench.asr.code import fingerprint as code_fingerprint
from voice.bench.asr.errors import ClipsError
from voice.bench.asr.words import errors, normal
from voice.cli.json_file import seems_writable, write_json
from voice.cli.speech_options import OptionError, check_device
from voice.speech.audio import AudioFileError, packets, read_pcm
from voice.speech.loading import OURS, Options, loader
from voice.speech.offline import recognise

if TYPE_CHECKING:
    from collections.abc import Sequence

SILENCE = b"\0\0" * 16_000
DECIDES = (
    *(f"models/{name}.py" for name in (
        "catalogue", "compute", "decoded", "guards", "inside", "mel", "pages", "readings", "recognition", "silence",
        "spelling", "vad", "whisper",
    )),
    "benchmarks/speech/choices.py", "voice/bench/asr/words.py", "voice/media/codec.py",
    *(f"voice/speech/{name}.py" for name in (
        "audio", "ear", "endpointer", "jitter", "loading", "offline", "opus", "phrase", "windowed",
    )), "voice/speech/words",
)  # fmt: skip
"""The code that a row's figures hang on."""
SHOWN = {"cpu_ms", "cpu_s_per_audio_s", "wer", "rss_mb"}
OLDER = "These rows are of older code"
"""What the document says of rows whose code has changed since."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A row: model, and how it is run. `window_s` None: as the model needs."""

    model: str
    lang: str
    compute_type: str = "int8"
    threads: int = 1
    window_s: float | None = None


CHOICES = (
    Choice("tiny.en", "en"),
    Choice("tiny.en", "en", compute_type="float32"),
    Choice("tiny.en", "en", threads=2),
    Choice("tiny.en", "en", window_s=5.0),
    Choice("tiny.en", "en", window_s=12.0),
    Choice("base", "en"),
    Choice("base", "ru"),
    Choice("base", "ru", compute_type="float32"),
    Choice("base", "ru", threads=2),
    Choice("base", "ru", window_s=3.0),
    Choice("base", "ru", window_s=8.0),
)


def measure(choice: Choice, clips: list[Clip], data_dir: Path, device: str) -> dict[str, Any]:
    """One row, in this process. CPU is of the decodes, and of nothing before them."""
    options = Options(data_dir, device, choice.compute_type, choice.threads, choice.window_s)
    model = _Timed(loader(OURS)(choice.model, options))
    wrong = words = 0
    audio_s = 0.0
    for clip in clips:
        pcm = b"".join(read_pcm(clip.path))
        audio_s += len(pcm) / 32_000
        lines = recognise(packets([pcm, SILENCE]), clip.lang, model)
        heard = normal(" ".join(line.text for line in lines), clip.lang)
        if not clip.single:
            wrong += errors(clip.words, heard)
            words += len(clip.words)
    return {
        **asdict(choice),
        "device": device,
        "clips": len(clips),
        "audio_s": round(audio_s, 1),
        "utterances": len(model.cpu_s),
        "cpu_ms": report.distribution([1000 * each for each in model.cpu_s]),
        "cpu_s_per_audio_s": round(sum(model.cpu_s) / audio_s, 4),
        "wall_s_per_audio_s": round(sum(model.wall_s) / audio_s, 4),
        "wer": round(wrong / max(1, words), 4),
        "words": words,
        "rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6, 1),
    }


class _Timed:
    """A recogniser whose calls are timed: CPU of all threads, and the wall's clock."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.cpu_s: list[float] = []
        self.wall_s: list[float] = []

    def transcribe(self, *arguments: Any, **named: Any) -> Any:
        cpu_s, wall_s = time.process_time(), time.perf_counter()
        found = self._model.transcribe(*arguments, **named)
        self.cpu_s.append(time.process_time() - cpu_s)
        self.wall_s.append(time.perf_counter() - wall_s)
        return found


def table(rows: list[dict[str, Any]]) -> str:
    """The rows in Markdown, as docs/speech.md has them."""
    lines = [
        "| model | language | compute type | threads | window, s | CPU ms, p50 / p95 | CPU s/s | WER | MB |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in rows:
        window = "as needed" if row["window_s"] is None else f"{row['window_s']:g}"
        cpu = f"{row['cpu_ms']['p50']:.0f} / {row['cpu_ms']['p95']:.0f}"
        lines.append(
            f"| {row['model']} | {row['lang']} | {row['compute_type']} | {row['threads']} | {window} | {cpu} "
            f"| {row['cpu_s_per_audio_s']:.2f} | {100 * row['wer']:.1f} % | {row['rss_mb']:.0f} |"
        )
    return "\n".join(lines)


def code() -> str:
    """The present code's name."""
    return code_fingerprint((), DECIDES)


def kept(file: Path | None, about: dict[str, str]) -> list[dict[str, Any]]:
    """The rows of an earlier run with the same clips and code. Raises ClipsError for a file that is no such result."""
    if file is None or not file.is_file():
        return []
    try:
        found = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise ClipsError(f"{file} can't be read: {error.strerror}") from error
    except (ValueError, RecursionError):
        raise ClipsError(f"{file}: expected a result of this bench, got no JSON") from None
    rows = found.get("rows") if isinstance(found, dict) and found.get("bench") == "asr choices" else None
    names = {field.name for field in fields(Choice)} | SHOWN
    if not isinstance(rows, list) or not all(isinstance(row, dict) and names <= row.keys() for row in rows):
        raise ClipsError(f"{file}: expected a result of this bench, got another document")
    return rows if {name: found.get(name) for name in about} == about else []


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is not there yet, print the table; exit status 2 with one line for bad input."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speech.choices", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows, and go on from those that are there")
    parser.add_argument("--clips", type=Path, metavar="DIR", default=default_folder())
    parser.add_argument("--limit", type=int, metavar="N", help="the first N clips of each language")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--data", type=Path, default=Path("data"))
    given = parser.parse_args(arguments)
    if given.limit is not None and given.limit < 1:
        parser.error(f"--limit: expected 1 or more, got {given.limit}")
    if not seems_writable("choices", None if given.json is None else str(given.json)):
        return 2
    try:
        check_device(given.device, ())
        clips = read_clips(given.clips, given.limit)
        about = {"clips": fingerprint(clips), "code": code()}
        rows = kept(given.json, about)
    except (ClipsError, OptionError) as why:
        print(f"choices: {why}", file=sys.stderr)
        return 2
    for choice in CHOICES:
        if any({name: row[name] for name in asdict(choice)} == asdict(choice) for row in rows):
            continue
        print(f"{choice.model} {choice.lang} {choice.compute_type}, {choice.threads} threads", file=sys.stderr)
        own = [clip for clip in clips if clip.lang == choice.lang]
        try:
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                rows.append(pool.submit(measure, choice, own, given.data, given.device).result())
        except (AudioFileError, ModelError) as why:
            print(f"choices: {why}", file=sys.stderr)
            return 2 if isinstance(why, AudioFileError) else 1
        document = {**report.document("asr choices", rows, {}), **about}
        if not write_json("choices", None if given.json is None else str(given.json), document):
            return 1
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
