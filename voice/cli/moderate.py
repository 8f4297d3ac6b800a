"""`voicetable moderate [FILE]`: a verdict for every line, one JSON object a line, as the lines come in."""

from __future__ import annotations

import json
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from moderation import LANGUAGES, Language, Verdict
from voice.cli.progress import Bytes, Progress
from voice.cli.speech_options import DATA_DIR
from voice.judging import ModelOptionError, open_judging

if TYPE_CHECKING:
    from collections.abc import Iterator

DONE, FAILED, BAD_INPUT = 0, 1, 2
LONGEST_BYTES = 1 << 20  # a line; what has no line end must not fill the memory

_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


class BadLineError(ValueError):
    """A line of the input can't be judged; the message says why, without the line's words."""


def run(file: str | None, lang: str | None, model: str | None, *, device: str = "cpu", data: str | None = None) -> int:
    """Judges the lines of `file`, or of standard input where that is None or "-", and writes as it goes.

    `model`: what judges, or a toxicity model whose opinion is added (`voice.judging`).
    A line is plain text or a JSON object with `text` and maybe `lang`. The language of a line is its own `lang`,
    else `lang`, else Russian where it has Cyrillic letters and English elsewhere. Returns
    the exit status: 2, and one line on standard error that names the line, for bad input; the lines before it are
    already written.
    """
    if lang is not None and lang not in LANGUAGES:
        return _complain(f"--lang: expected {_names(LANGUAGES)}, got {lang!r}")
    progress = Progress()
    try:
        judging = open_judging(model, Path(data) if data is not None else DATA_DIR, device, Bytes(progress, "fetched"))
    except ModelOptionError as why:
        progress.end()
        return _complain(str(why), FAILED if why.ours else BAD_INPUT)
    progress.end()
    name = "standard input" if file in (None, "-") else ascii(file).strip("'\"")
    number = 0
    try:
        with _source(file) as lines:
            while raw := lines.readline(LONGEST_BYTES + 1):
                number += 1
                if len(raw) > LONGEST_BYTES:
                    raise BadLineError(f"expected a line of at most {LONGEST_BYTES} bytes")
                text, spoken = _read(raw, lang, first=number == 1)
                _write(text, spoken, judging.judge(text, spoken))
                if file not in (None, "-") and not sys.stdout.isatty():  # else one waits for a person, not for us
                    progress.say(f"{number:,} lines judged")
    except BadLineError as why:
        progress.end()
        return _complain(f"{name}, line {number}: {why}")
    except BrokenPipeError:
        raise  # of the output, whose reader has gone: no complaint about the input
    except OSError as why:
        progress.end()
        return _complain(f"{name}: {why.strerror or type(why).__name__}")
    progress.end()
    return DONE


@contextmanager
def _source(file: str | None) -> Iterator[BinaryIO]:
    if file is None or file == "-":
        yield sys.stdin.buffer
        return
    with open(file, "rb") as opened:
        yield opened


def _read(raw: bytes, lang: Language | None, *, first: bool) -> tuple[str, Language]:
    try:
        line = raw.decode("utf-8-sig" if first else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as why:
        raise BadLineError(f"expected UTF-8, got byte 0x{raw[why.start]:02x} at byte {why.start + 1}") from None
    text, own = _parse(line) if line.lstrip().startswith("{") else (line, None)
    return text, own or lang or ("ru" if _CYRILLIC.search(text) else "en")


def _parse(line: str) -> tuple[str, Language | None]:
    try:
        fields = json.loads(line)
    except json.JSONDecodeError as why:
        raise BadLineError(f"expected a JSON object, got broken JSON at column {why.colno} ({why.msg})") from None
    except RecursionError:
        raise BadLineError("expected a JSON object with text, got one nested too deep") from None
    except ValueError as why:  # a number of thousands of digits
        raise BadLineError(f"expected a JSON object with text, got one that can't be read ({why})") from None
    if "text" not in fields:
        raise BadLineError("expected a JSON object with text, got none")
    text, lang = fields["text"], fields.get("lang")
    if not isinstance(text, str):
        raise BadLineError(f"expected text to be a string, got {_kind(text)}")
    if lang is not None and lang not in LANGUAGES:
        got = ascii(lang[:20]) if isinstance(lang, str) else _kind(lang)
        raise BadLineError(f"expected lang to be {_names(LANGUAGES)}, got {got}")
    return text, lang


def _write(text: str, lang: Language, verdict: Verdict) -> None:
    fields = {
        "text": text,
        "lang": lang,
        "category": verdict.category,
        "severity": verdict.severity,
        "scores": verdict.scores,
        "why": [
            {"start": hit.start, "end": hit.end, "rule": hit.rule, "category": hit.category} for hit in verdict.why
        ],
        "review": verdict.review,
    }
    try:
        written = json.dumps(fields, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        # JSON may escape half of a surrogate pair, which UTF-8 can't hold: escape it again.
        written = json.dumps(fields).encode("ascii")
    sys.stdout.buffer.write(written + b"\n")
    sys.stdout.buffer.flush()


def _kind(value: object) -> str:
    return (
        "null" if value is None else {dict: "an object", list: "a list", bool: "a boolean"}.get(type(value), "a number")
    )


def _names(names: tuple[str, ...]) -> str:
    return " or ".join(names)


def _complain(message: str, status: int = BAD_INPUT) -> int:
    sys.stderr.write(message + "\n")
    return status
