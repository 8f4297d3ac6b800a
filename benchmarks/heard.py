"""Audio to verdict: labelled clips of table talk through a table's speech and moderation, beside their texts alone.

    python -m benchmarks.heard [--clips DIR] [--tables N] [--model M] [--json FILE]

Each clip is one turn of a seat, played in real time as Opus into the processes that a server has (tap, recogniser), and
each of its lines is judged as a table judges it, with the words' confidences and the other readings. DIR has a
`manifest.jsonl`: a JSON object a line with `file`, `text`, `lang` (en, ru) and `label` (`insult`, `hate`, `sexual`,
`none`).
A clip is warned of where a line of it has a severity (a warning or a foul follows), and flagged where it is warned of
or a line goes to a person; `recall` counts the second, `warned` the first.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.moderation import SetError, read_set
from moderation import CATEGORIES, Verdict
from voice.bench import report
from voice.cli.json_file import seems_writable, write_json
from voice.cli.speech_options import no_logs
from voice.speech.audio import AudioFileError, packets, read_pcm
from voice.speech.lines import Line
from voice.speech.service import SpeechService
from voice.speech.settings import SpeechSettings
from voice.speech.speak import speak
from voice.wiring import judge_line

CLIPS = Path(__file__).parents[2] / "shared" / "speech" / "table"
LEAD = b"\0\0" * 4_800
TAIL = b"\0\0" * 19_200
"""Silence before and after a clip (16 kHz): 1.2 s, longer than the endpointer waits."""
READY_WITHIN_S = 120.0


@dataclass(slots=True)
class Clip:
    """A clip's row of the manifest, its packets, and the verdicts on what was heard of it."""

    row: dict[str, Any]
    packets: list[bytes]
    lines: list[Line] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def wanted(self) -> bool:
        return bool(self.row["label"] != "none")

    @property
    def warned(self) -> bool:
        return any(verdict.severity is not None for verdict in self.verdicts)

    @property
    def for_a_person(self) -> bool:
        return not self.warned and any(verdict.review for verdict in self.verdicts)

    @property
    def text_verdict(self) -> Verdict:
        return judge_line(self.row["text"], self.row["lang"], ())


def read_clips(folder: Path) -> list[Clip]:
    """The clips of a folder. Raises SetError, AudioFileError, OSError."""
    rows = read_set(folder / "manifest.jsonl")
    for row in rows:
        if not isinstance(row.get("file"), str):
            raise SetError(f"{folder / 'manifest.jsonl'}: expected each row to name its file")
    return [Clip(row, list(packets([LEAD, *read_pcm(folder / row["file"]), TAIL]))) for row in rows]


async def hear(clips: Sequence[Clip], tables: int, settings: SpeechSettings, data_dir: Path) -> None:
    """Play the clips at so many tables of each language and judge what comes of them. Raises TimeoutError."""
    service = SpeechService(data_dir, settings)
    await service.start()
    try:
        for lang in sorted({clip.row["lang"] for clip in clips}):
            of_lang = [clip for clip in clips if clip.row["lang"] == lang]
            await asyncio.gather(*(_table(service, lang, of_lang[at::tables], at) for at in range(tables)))
    finally:
        await service.stop()


async def _table(service: SpeechService, lang: str, clips: Sequence[Clip], number: int) -> None:
    def line(heard: Line) -> None:
        clip = clips[heard.seat]
        words = [(word.text, word.start_s, word.end_s, word.confidence) for word in heard.words]
        others = None if heard.others is None else [(other.text, other.share) for other in heard.others]
        clip.lines.append(heard)
        clip.verdicts.append(judge_line(heard.text, heard.lang, words, others))

    stream = service.open(f"{lang} {number}", lang, line, lambda *_: None)
    async with asyncio.timeout(READY_WITHIN_S):
        while not service.ready(lang):
            if (problem := service.problem(lang)) is not None:
                raise SetError(f"{lang} can't be recognised: {problem}")
            await asyncio.sleep(0.05)
    for seat, clip in enumerate(clips):
        stream.mic({seat}, 2 * seat + 1)
        await speak(stream, seat, 2 * seat + 1, clip.packets)
        stream.mic((), 2 * seat + 2)
    await service.settled()
    stream.close()


def figures(clips: Sequence[Clip]) -> dict[str, Any]:
    """Recall and false warnings from audio and from the texts; `..._lost`: what the texts have more."""
    count: Counter[str] = Counter()
    for clip in clips:
        kind = "wanted" if clip.wanted else "harmless"
        text = clip.text_verdict
        count[kind] += 1
        count[f"{kind} warned"] += clip.warned
        count[f"{kind} person"] += clip.for_a_person
        count[f"{kind} text warned"] += text.severity is not None
        count[f"{kind} text person"] += text.review
    wanted, harmless = count["wanted"], count["harmless"]
    warned, text_warned = count["wanted warned"], count["wanted text warned"]
    flagged, text_flagged = warned + count["wanted person"], text_warned + count["wanted text person"]
    return {
        "wanted": wanted,
        "recall": _share(flagged, wanted),
        "text_recall": _share(text_flagged, wanted),
        "recall_lost": _share(text_flagged - flagged, wanted),
        "warned": _share(warned, wanted),
        "text_warned": _share(text_warned, wanted),
        "warned_lost": _share(text_warned - warned, wanted),
        "for_a_person": count["wanted person"],
        "harmless": harmless,
        "false_warned": _share(count["harmless warned"], harmless),
        "text_false_warned": _share(count["harmless text warned"], harmless),
        "harmless_for_a_person": count["harmless person"],
        "text_harmless_for_a_person": count["harmless text person"],
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def document(clips: Sequence[Clip]) -> dict[str, Any]:
    """The document of a bench: a row for each language and category, and `wrong`.

    That has the clips to flag that only a person saw, or nobody, and the harmless ones that anybody saw.
    """
    langs = sorted({clip.row["lang"] for clip in clips})
    rows = [
        {
            "lang": lang,
            "category": label,
            **figures([c for c in clips if (c.row["lang"], c.row["label"]) == (lang, label)]),
        }
        for lang in langs
        for label in CATEGORIES
    ]
    result = {
        "by_lang": {lang: figures([c for c in clips if c.row["lang"] == lang]) for lang in langs},
        **figures(clips),
    }
    wrong = [
        {
            **{name: clip.row[name] for name in ("file", "lang", "label", "text")},
            "heard": [line.text for line in clip.lines],
            "for_a_person": clip.for_a_person,
        }
        for clip in clips
        if clip.warned != clip.wanted or (not clip.wanted and clip.for_a_person)
    ]
    made = report.document("heard", [row for row in rows if row["wanted"]], result)
    return {**made, "command": ["python", "-m", "benchmarks.heard", *sys.argv[1:]], "wrong": wrong}


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, judge, print the figures and what was judged wrongly."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--clips", type=Path, default=CLIPS, metavar="DIR")
    parser.add_argument("--tables", type=int, default=1, metavar="N", help="tables that talk at once")
    parser.add_argument("--model", metavar="M", help="for both languages; each one's own where absent")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    if options.tables < 1:
        parser.error("--tables: expected 1 or more")
    file = None if options.json is None else str(options.json)
    if not seems_writable("heard", file):
        return 2
    settings = SpeechSettings.of_model(options.model)
    try:
        clips = read_clips(options.clips)
        with no_logs(), tempfile.TemporaryDirectory(prefix="voicetable-heard-") as folder:
            asyncio.run(hear(clips, options.tables, settings, Path(folder)))
    except TimeoutError:
        sys.stderr.write(f"no speech model was ready within {READY_WITHIN_S:g} s\n")
        return 1
    except (SetError, AudioFileError) as bad:
        sys.stderr.write(f"{bad}\n")
        return 2
    except OSError as bad:
        sys.stderr.write(f"{bad.filename}: {bad.strerror}\n")
        return 2
    made = document(clips)
    written = write_json("heard", file, made)
    sys.stdout.write(
        json.dumps({"result": made["result"], "wrong": made["wrong"]}, ensure_ascii=False, indent=1) + "\n"
    )
    return 0 if written else 1


if __name__ == "__main__":
    raise SystemExit(main())
