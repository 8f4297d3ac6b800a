"""The clips that are played: a folder with a `manifest.jsonl`, a JSON object a line with `file`, `text` and `lang`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voice.bench.asr.errors import ClipsError
from voice.bench.asr.words import normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MANIFEST = "manifest.jsonl"
BUILT_IN = Path(__file__).parents[2] / "cli" / "demo_speech"
BESIDE_THE_CHECKOUT = Path(__file__).parents[4] / "shared" / "speech"


@dataclass(frozen=True, slots=True)
class Clip:
    """A recording and what is said in it; `words` are its words as they are compared."""

    path: Path
    lang: str
    text: str
    words: tuple[str, ...]

    @property
    def single(self) -> bool:
        """Whether it is one word, without a context: scored apart."""
        return len(self.words) == 1


def default_folder() -> Path:
    """Recordings of people beside a checkout, where there are any; else the few that come with the package."""
    return BESIDE_THE_CHECKOUT if (BESIDE_THE_CHECKOUT / MANIFEST).is_file() else BUILT_IN


def read_clips(folder: Path, limit: int | None = None) -> list[Clip]:
    """A folder's clips by its manifest, the first `limit` of each language. Raises ClipsError."""
    manifest = folder / MANIFEST
    try:
        lines = manifest.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise ClipsError(f"{manifest} can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ClipsError(f"{manifest}: expected UTF-8") from error
    clips: list[Clip] = []
    of_lang: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        clip = _clip(folder, line, f"{manifest}, line {number}")
        of_lang[clip.lang] = of_lang.get(clip.lang, 0) + 1
        if limit is None or of_lang[clip.lang] <= limit:
            clips.append(clip)
    if not clips:
        raise ClipsError(f"{manifest} names no clips")
    return clips


def fingerprint(clips: Sequence[Clip]) -> str:
    """A short name of exactly these clips: their texts and their files' sizes and names."""
    digest = hashlib.sha256()
    for clip in clips:
        digest.update(f"{clip.path.name}\0{clip.lang}\0{clip.text}\0{clip.path.stat().st_size}\n".encode())
    return digest.hexdigest()[:16]


def languages(clips: Iterable[Clip]) -> list[str]:
    """The clips' languages, in order of appearance."""
    return list(dict.fromkeys(clip.lang for clip in clips))


def _clip(folder: Path, line: str, where: str) -> Clip:
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ClipsError(f"{where}: expected a JSON object, got none ({error})") from None
    if not isinstance(row, dict):
        raise ClipsError(f"{where}: expected a JSON object with file, text and lang")
    for name in ("file", "text", "lang"):
        if not isinstance(row.get(name), str) or not row[name].strip():
            raise ClipsError(f"{where}: expected {name} to be a text that is not empty")
    lang, path = row["lang"], folder / row["file"]
    if not (lang.isascii() and lang.isalpha() and len(lang) in (2, 3)):
        raise ClipsError(f"{where}: expected lang to be a language's code such as en, got {lang!r}")
    words = tuple(normal(row["text"], lang))
    if not words:
        raise ClipsError(f"{where}: text has no words")
    try:
        row["text"].encode()
        there = path.is_file()
    except UnicodeEncodeError:
        raise ClipsError(f"{where}: text has half a character") from None
    except OSError as error:
        raise ClipsError(f"{where}: {path} can't be read: {error.strerror}") from error
    if not there:
        raise ClipsError(f"{where}: there is no file {path}")
    return Clip(path, lang, row["text"], words)
