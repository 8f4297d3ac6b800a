"""Rows of `bench asr` for tests: made by its own code from what was shown of a clip of three words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from voice.bench.asr.clips import Clip
from voice.bench.asr.playing import Played
from voice.bench.asr.row import make_row
from voice.bench.asr.setup import OURS, Setup
from voice.bench.asr.shown import Shown
from voice.bench.asr.sound import Sound

OURS_ONCE = Setup(OURS, "tiny.en", "cpu", "int8", 1, None, 1, 1, 1.0)


def clip(text: str = "one two three", lang: str = "en") -> Clip:
    return Clip(Path("clip.flac"), lang, text, tuple(text.split()))


def sound(of: Clip, ends_s: tuple[float | None, ...] = (1.0, 2.0, 3.0)) -> Sound:
    return Sound(of, (b"",) * 100, 4.0, ends_s)


def played(*shown: tuple[Sound, Shown], cpu_s: float | None = 2.0) -> Played:
    return Played(shown=list(shown), cpu_s=cpu_s, rss_mb=100.0, load_1_min=0.5)


def row(setup: Setup = OURS_ONCE, *, heard: str = "one two three", late_s: float = 0.5, cpu_s: float = 2.0) -> Any:
    """One clip of three words in 4 s, its one line `late_s` after the end of its last word."""
    shown = Shown([(1.5, "one", False), (3.0 + late_s, heard, True)], [late_s], [0.1], [3.0], [late_s / 2])
    return make_row(setup, played((sound(clip()), shown), cpu_s=cpu_s))
