"""`voicetable bench asr`."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voice.cli.json_file import seems_writable, write_with
from voice.cli.progress import Progress
from voice.cli.speech_options import DATA_DIR, OptionError, check_device, check_model, check_recogniser, no_logs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from voice.bench.asr.clips import Clip
    from voice.bench.asr.setup import Setup

COMMAND = "bench asr"
DONE, FAILED, BAD_INPUT = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Given:
    """The options, as the command line has them."""

    models: list[str]
    device: str
    compute_types: list[str]
    threads: list[int]
    windows_s: list[float]
    clips: str | None
    limit: int | None
    tables: list[int]
    workers: list[int]
    interims_s: list[float]
    one_by_one: bool
    recognisers: list[str]
    only: str | None
    json_file: str | None
    plot_file: str | None
    data: str | None


def run(given: Given) -> int:
    """Measure, print the tables, write the JSON document and the plot; the exit status."""
    from voice.bench.asr.clips import default_folder, read_clips
    from voice.bench.asr.errors import ClipsError
    from voice.bench.asr.setup import DEFAULT_MODEL, FIXED, OURS, THEIRS, WAYS
    from voice.bench.plot import refusal as plot_refusal

    try:
        if not seems_writable(COMMAND, given.json_file) or not seems_writable(COMMAND, given.plot_file, "--plot"):
            return BAD_INPUT
        if (refusal := plot_refusal(given.plot_file)) is not None:
            raise OptionError(f"--plot: {refusal}")
        check_device(given.device, tuple(given.compute_types))
        for module in given.recognisers:
            if module in WAYS:
                raise OptionError(f"--recogniser: {module} is the name of a row that is there already")
            check_recogniser(module)
        clips = read_clips(Path(given.clips) if given.clips is not None else default_folder(), given.limit)
        setups = _setups(given, clips)
        if any(setup.way in (OURS, FIXED, THEIRS) for setup in setups):
            for model in given.models:
                if model != DEFAULT_MODEL:
                    check_model(model)
    except (OptionError, ClipsError) as why:
        return _complain(str(why), BAD_INPUT)
    with no_logs():
        return _measure(given, setups, clips)


def run_compare(before: str, after: str) -> int:
    """Print what changed from one document to the other; the exit status."""
    from voice.bench.asr import document
    from voice.bench.asr.errors import ClipsError
    from voice.cli.bench_asr_show import show_comparison

    try:
        found = document.read(before), document.read(after)
    except ClipsError as why:
        return _complain(f"--compare: {why}", BAD_INPUT)
    show_comparison(before, after, *found)
    return DONE


def _setups(given: Given, clips: Sequence[Clip]) -> list[Setup]:
    """The rows to measure. Raises OptionError."""
    from voice.bench.asr import moonshine
    from voice.bench.asr.setup import MOONSHINE, WAYS, grid

    lacks = moonshine.missing()
    able = lacks is None and any(clip.lang == "en" for clip in clips)
    known = [*WAYS, *given.recognisers]
    ways: Sequence[str] = [way for way in known if way != MOONSHINE or able]
    if given.only is not None:
        ways = list(dict.fromkeys(part.strip() for part in given.only.split(",") if part.strip()))
        if not ways or (unknown := [way for way in ways if way not in known]):
            raise OptionError(f"--only takes {', '.join(known)}, not {', '.join(unknown) if ways else 'nothing'}")
        if MOONSHINE in ways and not able:
            raise OptionError(f"--only {MOONSHINE}: {lacks or 'it does English alone, and no clip is English'}")
    return grid(
        ways=ways, models=given.models, device=given.device, compute_types=given.compute_types,
        threads=given.threads, windows_s=given.windows_s, tables=given.tables, workers=given.workers,
        interims_s=given.interims_s, one_by_one=given.one_by_one,
    )  # fmt: skip


def _measure(given: Given, setups: Sequence[Setup], clips: Sequence[Clip]) -> int:
    from models.errors import ModelError
    from voice.bench.asr import document, plot
    from voice.bench.asr.clips import fingerprint, languages
    from voice.bench.asr.errors import BenchError, ClipsError
    from voice.bench.asr.measure import measure, seconds_to_play
    from voice.bench.asr.sound import make_sounds
    from voice.cli.bench_asr_show import Bar, show

    data_dir = Path(given.data) if given.data is not None else DATA_DIR
    progress = Progress()
    try:
        sounds = make_sounds(clips, data_dir, progress.say)
    except ClipsError as why:
        return _complain(str(why), BAD_INPUT)
    except ModelError as why:
        return _complain(str(why), FAILED)
    finally:
        progress.end()
    about = {
        "number": len(clips),
        "fingerprint": fingerprint(clips),
        "langs": {lang: sum(clip.lang == lang for clip in clips) for lang in languages(clips)},
        "audio_s": round(sum(sound.clip_s for sound in sounds), 2),
    }
    kept = document.kept(given.json_file, about, setups, given.recognisers)
    _tell_kept(given.json_file, len(kept.rows), len(setups), kept.why_none)

    def made_of(rows: Sequence[Mapping[str, Any]], *, complete: bool) -> dict[str, Any]:
        return document.make(rows, about, complete=complete, modules=given.recognisers)

    def keep(rows: Sequence[Mapping[str, Any]]) -> None:
        if given.json_file is not None:
            with contextlib.suppress(OSError):  # told once, in the end
                document.write(given.json_file, made_of(rows, complete=False))

    left = [setup for setup in setups if setup.key not in [_key(row, setup) for row in kept.rows]]
    try:
        with Bar(seconds_to_play(left, sounds)) as bar:
            rows = measure(setups, sounds, data_dir, kept.rows, bar, keep)
    except BenchError as why:
        return _complain(str(why), FAILED)
    except KeyboardInterrupt:
        if given.json_file is None:
            raise
        return _complain(f"interrupted: the same command goes on from what is in {given.json_file}", FAILED)
    made = made_of(rows, complete=True)
    written = write_with(lambda path: document.write(path, made), COMMAND, given.json_file)
    show(rows, made["machine"])
    drawn = write_with(lambda path: plot.write(path, rows), COMMAND, given.plot_file, "--plot")
    return DONE if written and drawn else FAILED


def _key(row: dict[str, Any], setup: Setup) -> dict[str, Any]:
    return {name: row.get(name) for name in setup.key}


def _tell_kept(file: str | None, rows: int, of: int, why_none: str) -> None:
    if rows:
        print(f"{COMMAND}: {rows} of {of} rows are in {file} already and stand; the rest is measured", file=sys.stderr)
    elif why_none:
        print(f"{COMMAND}: {file} is of an interrupted run, but {why_none}: all is measured anew", file=sys.stderr)


def _complain(why: str, status: int) -> int:
    print(f"{COMMAND}: {why}", file=sys.stderr)
    return status
