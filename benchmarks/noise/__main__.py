"""`python -m benchmarks.noise`: exit status 0 if no sound became text, 1 if one did, 2 for a wrong command line."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.noise.playing import Found, NoModelError, play
from benchmarks.noise.sources import MADE, PACKAGES, made, recorded, roots
from voice.cli.json_file import seems_writable, write_json
from voice.cli.progress import Progress
from voice.cli.speech_options import no_logs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.noise.sources import Sound
    from moderation import Language

PIECE_S = 20.0
MADE_AT_LEAST_S = 3.0
LANGUAGES: tuple[Language, ...] = ("en", "ru")


def sounds(minutes: float, seed: int, where: Sequence[Path], pool: Path) -> tuple[list[Sound], list[str]]:
    """The recordings that are there, then made sounds of every kind up to `minutes`; the packages that are missing."""
    found: list[Sound] = []
    missing: list[str] = []
    for package in PACKAGES:
        pieces = list(recorded(package, where, PIECE_S, pool))
        found += pieces
        if not pieces:
            missing.append(package.name)
    left_s = minutes * 60 - sum(len(sound.pcm) / 16_000 for sound in found)
    names = list(MADE)
    each_s = min(PIECE_S, max(MADE_AT_LEAST_S, left_s / len(names)))
    number = 0
    while left_s > 0:
        again, which = divmod(number, len(names))
        piece = made(names[which], min(each_s, max(1.0, left_s)), seed + again)
        found.append(piece)
        left_s -= len(piece.pcm) / 16_000
        number += 1
    return found, missing


def show(lang: str, found: dict[str, Found]) -> bool:
    """Print what was found of one language, by source; whether any of it is text or a flag."""
    print(f"{lang:<26}{'s':>7}{'voices':>8}{'drafts':>8}{'lines':>7}{'captions':>10}{'flags':>7}")
    for source, each in [*found.items(), ("all", _sum(found))]:
        counts = f"{len(each.lines):>7}{len(each.captions):>10}{len(each.flags):>7}"
        print(f"{source:<26}{each.seconds:>7.1f}{each.utterances:>8}{each.drafts:>8}{counts}")
    for source, each in found.items():
        for text in (*each.lines, *each.captions):
            print(f"  {source}: {text}")
    return any(each.lines or each.captions or each.flags for each in found.values())


def _sum(found: dict[str, Found]) -> Found:
    total = Found()
    for each in found.values():
        total.seconds += each.seconds
        total.utterances += each.utterances
        total.drafts += each.drafts
        total.lines += each.lines
        total.captions += each.captions
        total.flags += each.flags
    return total


def main(arguments: Sequence[str] | None = None) -> int:
    """See the module."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.noise", description=__doc__)
    parser.add_argument("--minutes", type=float, default=15.0, help="of sound in all (15)")
    parser.add_argument("--seed", type=int, default=1, help="of the made sounds (1)")
    parser.add_argument("--lang", choices=LANGUAGES, action="append", help="repeatable (both)")
    parser.add_argument(
        "--root", type=Path, action="append", default=[], metavar="DIR",
        help="where packages of recordings were unpacked, beside those that are installed; repeatable",
    )  # fmt: skip
    parser.add_argument("--data", type=Path, default=Path("data"), help="where models are kept (data)")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args(arguments)
    if not 0 < options.minutes <= 600:
        parser.error(f"--minutes: expected more than 0 and 600 at most, got {options.minutes:g}")
    if not seems_writable("noise", options.json):
        return 2
    logging.disable(logging.CRITICAL)
    progress = Progress()
    with tempfile.TemporaryDirectory() as pool, no_logs():
        played, missing = sounds(options.minutes, options.seed, roots(options.root), Path(pool))
        for package in PACKAGES:
            if package.name in missing:
                print(f"missing: {package.name} ({package.where}; {package.licence})")
        result: dict[str, dict[str, object]] = {}
        some = False
        try:
            for lang in options.lang or LANGUAGES:
                found = asyncio.run(play(played, lang, options.data, progress.say))
                progress.end()
                some = show(lang, found) or some
                result[lang] = {source: asdict(each) for source, each in found.items()}
        except NoModelError as why:
            progress.end()
            print(f"noise: {why}", file=sys.stderr)
            return 2
    document = {"minutes": options.minutes, "seed": options.seed, "missing": missing, "found": result}
    return 1 if not write_json("noise", options.json, document) or some else 0


if __name__ == "__main__":
    sys.exit(main())
