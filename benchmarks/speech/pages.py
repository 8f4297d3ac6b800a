"""`python -m benchmarks.speech.pages`: what a decode takes with the model's memory in pages of 4 KiB and in huge ones.

Wall time of the same utterance, several in a row and after a rest, before `WindowedWhisper.settle` and after it, in one
process. Exit status 2 for a wrong command line, 1 where there are no clips or no model.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from models.errors import ModelError
from models.store import locate
from models.whisper import WindowedWhisper
from voice.bench.asr.clips import default_folder, read_clips
from voice.bench.asr.errors import ClipsError
from voice.speech.audio import read_audio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.vad import Samples

MODELS = {"en": "tiny.en", "ru": "base"}
REST_S = 2.0
ROUNDS = 5


def resident_mb() -> float:
    """This process's memory (proc_pid_statm(5))."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def decode_ms(model: WindowedWhisper, audio: Samples, lang: str) -> tuple[float, float]:
    """The median decode after a rest, and of the second and third behind it."""
    rested: list[float] = []
    in_a_row: list[float] = []
    for _ in range(ROUNDS):
        time.sleep(REST_S)
        for into in (rested, in_a_row, in_a_row):
            begun = time.perf_counter()
            model.transcribe(audio, lang)
            into.append((time.perf_counter() - begun) * 1000)
    return statistics.median(rested), statistics.median(in_a_row)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speech.pages", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("data"), help="data folder (./data)")
    args = parser.parse_args(argv)
    print("| model | pages | after a rest, ms | in a row, ms | memory, MB |\n| --- | --- | ---: | ---: | ---: |")
    try:
        clips = {clip.lang: clip for clip in read_clips(default_folder()) if len(clip.words) > 5}
        for lang, name in MODELS.items():
            audio = read_audio(clips[lang].path)
            model = WindowedWhisper(locate(name, args.data))
            model.transcribe(audio, lang)
            for pages in ("4 KiB", "huge"):
                if pages == "huge":
                    model.settle()
                rested_ms, row_ms = decode_ms(model, audio, lang)
                print(f"| {name} | {pages} | {rested_ms:.0f} | {row_ms:.0f} | {resident_mb():.0f} |", flush=True)
    except (ClipsError, ModelError) as error:
        print(f"benchmarks.speech.pages: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
