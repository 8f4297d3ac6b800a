"""`python -m benchmarks.speech.unseen FOLDER`: clips of people that nothing here was tuned on, for `bench asr --clips`.

They are Asterisk's prompts with their texts, as Debian packages them, in English (Allison Smith) and Russian
(ivrvoice.ru, CC BY 3.0): `apt-get install asterisk-core-sounds-{en,ru}{,-g722}`. Prompts that the project's own clips
have are left out, by their file names. They are read, wide band and clean: unseen, but kinder than a table.

Exit status 2, with one line, for a wrong command line, a missing package or a folder that can't be written.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import wave
from pathlib import Path
from typing import TYPE_CHECKING

from models.vad import SAMPLE_RATE_HZ
from voice.bench.asr.clips import default_folder, read_clips
from voice.bench.asr.errors import ClipsError
from voice.speech.audio import AudioFileError, read_pcm

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SOUNDS = {
    "en": Path("/usr/share/asterisk/sounds/en_US_f_Allison"),
    "ru": Path("/usr/share/asterisk/sounds/ru_RU_f_IvrvoiceRU"),
}
TEXTS = "/usr/share/doc/asterisk-core-sounds-{lang}/core-sounds-{lang}.txt.gz"
WORDS = range(4, 25)
"""Single words and half sentences ("... for ...") are not what a table says, and menus are read for half a minute."""
_NOT_SAID_AS_WRITTEN = re.compile(r"[0-9\[\]<>()@#*]|\.\.\.|…|[A-Z]{2}|\b[A-Z] [A-Z]\b|(?i:астериск|asterisk)")
"""Digits, key names and product names are read in one way and written in several, and stage directions are not read."""


class UnseenError(Exception):
    """The clips can't be made; the message says why and what to do."""


def prompts(lang: str, known: frozenset[str]) -> Iterator[tuple[Path, str]]:
    """The recordings of `lang` (`en` or `ru`) with their texts, sorted by name, none of `known`.

    Raises UnseenError where the package is missing.
    """
    texts = Path(TEXTS.format(lang=lang))
    if not texts.is_file() or not SOUNDS[lang].is_dir():
        packages = f"asterisk-core-sounds-{lang} asterisk-core-sounds-{lang}-g722"
        message = f"the prompts of {lang} are not here: apt-get install {packages}"
        raise UnseenError(message)
    for line in sorted(set(gzip.decompress(texts.read_bytes()).decode("utf-8", "replace").splitlines())):
        name, colon, text = line.partition(":")
        path = SOUNDS[lang] / f"{name}.g722"
        told = not line.startswith(";") and colon and not _NOT_SAID_AS_WRITTEN.search(text)
        if told and name.rpartition("/")[2] not in known and len(text.split()) in WORDS and path.is_file():
            yield path, " ".join(text.split())


def _known() -> frozenset[str]:
    """Names of the prompts that are among the project's own clips, which are not unseen."""
    try:
        return frozenset(re.sub(r"^.*_", "", clip.path.stem) for clip in read_clips(default_folder()))
    except ClipsError:
        return frozenset()


def _copy(source: Path, target: Path) -> None:
    try:
        pcm = b"".join(read_pcm(source))
    except AudioFileError as error:
        raise UnseenError(str(error)) from error
    with wave.open(str(target), "wb") as file:
        file.setparams((1, 2, SAMPLE_RATE_HZ, 0, "NONE", ""))
        file.writeframes(pcm)


def write(folder: Path, count: int, seed: int) -> int:
    """Writes up to `count` clips a language, drawn by `seed`, and their manifest into `folder`: how many there are.

    Raises UnseenError, OSError.
    """
    known = _known()
    rows = []
    chosen = {lang: list(prompts(lang, known)) for lang in SOUNDS}
    folder.mkdir(parents=True, exist_ok=True)
    for lang, found in chosen.items():
        for path, text in sorted(random.Random(seed).sample(found, min(count, len(found)))):
            name = f"{lang}_{path.relative_to(SOUNDS[lang]).with_suffix('.wav').as_posix().replace('/', '_')}"
            _copy(path, folder / name)
            rows.append({"file": name, "lang": lang, "text": text, "group": f"{lang}_unseen"})
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "manifest.jsonl").write_text(lines, encoding="utf-8")
    return len(rows)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speech.unseen", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the clips and manifest.jsonl go")
    parser.add_argument("--count", type=int, default=40, metavar="N", help="clips of a language (40)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which are drawn (1)")
    args = parser.parse_args(argv)
    if args.count < 1:
        parser.error(f"argument --count: expected 1 or more, got {args.count}")
    try:
        made = write(args.folder, args.count, args.seed)
    except (UnseenError, OSError) as error:
        print(f"benchmarks.speech.unseen: {error}", file=sys.stderr)
        return 2
    print(f"{made} clips in {args.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
