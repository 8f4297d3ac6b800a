"""`voicetable transcribe FILE...`: audio files through the live speech path, one JSON object a line."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voice.cli.progress import Progress
from voice.cli.speech_options import DATA_DIR, OptionError, check_device, check_model, check_recogniser, no_logs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from models.recognition import Recogniser
    from voice.speech.lines import Line
    from voice.speech.service import SpeechService

DONE, BAD_INPUT = 0, 2
GUESSED_LANGUAGES = ("en", "ru")
GUESS_FROM_S = 30.0
POLL_S = 0.05


def run(
    files: list[str],
    *,
    lang: str | None,
    model: str | None,
    device: str,
    live: bool,
    data: str | None,
    recogniser: str | None = None,
) -> int:
    """Transcribe the files in order and print each when it is done; the exit status."""
    from models.errors import ModelError
    from voice.speech.audio import AudioFileError
    from voice.speech.loading import OURS

    progress = Progress()
    try:
        check_device(device)
        check_recogniser(recogniser)
        if model is not None and recogniser is None:
            check_model(model)
        if lang is not None and not (lang.isascii() and lang.isalpha() and len(lang) in (2, 3)):
            raise OptionError(f"--lang: expected a language's code such as en or ru, got {lang!r}")
        paths = [Path(file) for file in files]
        for path in paths:
            _probe(path, lang)
        work = _Work(Path(data) if data is not None else DATA_DIR, model, device, progress, recogniser or OURS)
        if live:
            with no_logs():
                asyncio.run(_live(paths, lang, work))
        else:
            for path in paths:
                _offline(path, lang, work)
    except (OptionError, AudioFileError, ModelError) as why:
        progress.end()
        print(f"transcribe: {why}", file=sys.stderr)
        return BAD_INPUT
    finally:
        progress.end()
    return DONE


@dataclass(slots=True)
class _Work:
    """The options, and the models that are loaded."""

    data_dir: Path
    model: str | None
    device: str
    progress: Progress
    module: str
    loaded: dict[tuple[str, str], Any] = field(default_factory=dict)

    def model_of(self, lang: str | None) -> str:
        """The name of a language's model; of no language's, the one that tells languages apart."""
        from models.catalogue import BASE, DEFAULT_BY_LANGUAGE

        return self.model or DEFAULT_BY_LANGUAGE.get(lang or "", BASE.name)

    def recogniser(self, name: str) -> Recogniser:
        """The model `name`, loaded. Raises ModelError."""
        recogniser: Recogniser = self._load(self.module, name)
        return recogniser

    def _load(self, module: str, name: str) -> Any:
        from voice.speech.loading import Options, loader

        if (module, name) not in self.loaded:
            self.progress.say(f"loading the model {name}")
            options = Options(self.data_dir, self.device, compute_type=None, threads=1, min_window_s=None)
            self.loaded[module, name] = loader(module)(name, options)
        return self.loaded[module, name]

    def language_of(self, path: Path) -> str:
        """Which of GUESSED_LANGUAGES a file is in, by its beginning."""
        import numpy as np

        from models.catalogue import BASE
        from voice.speech.audio import read_pcm
        from voice.speech.loading import OURS

        begun = b""
        for piece in read_pcm(path):
            begun += piece
            if len(begun) >= GUESS_FROM_S * 32_000:
                break
        samples = np.frombuffer(begun, "<i2").astype(np.float32) / np.float32(32768)
        # Ours tells it also where another recogniser takes the file.
        teller = self._load(OURS, self.model_of(None) if self.module == OURS else BASE.name)
        guessed: str = teller.likeliest(samples, GUESSED_LANGUAGES)
        return guessed


def _probe(path: Path, lang: str | None) -> None:
    """See that a file's sound begins: bad input is told before the work. Raises AudioFileError, OptionError."""
    from voice.speech.audio import read_pcm

    try:
        pipe = path.is_fifo()
    except OSError:
        pipe = False  # why it can't be looked at is told by who reads it
    if not pipe:
        next(iter(read_pcm(path)), None)
    elif lang is None:
        raise OptionError(f"{path} is a pipe, whose language can't be heard beforehand: give --lang")


class _Heard:
    """One file as it goes through: its length so far, and its packets."""

    def __init__(self, path: Path, progress: Progress) -> None:
        self.path = path
        self.audio_s = 0.0
        self.caption = ""
        self._progress = progress

    def packets(self) -> Iterator[bytes]:
        """The file's Opus packets."""
        from voice.speech.audio import packets, read_pcm

        return packets(self._counted(read_pcm(self.path)))

    def tell(self) -> None:
        """Show where it is."""
        self._progress.say(f"{self.path.name}: {self.audio_s:.0f} s  {self.caption}"[:100])

    def _counted(self, pcm: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pcm:
            self.audio_s += len(piece) / 32_000
            self.tell()
            yield piece


def _offline(path: Path, lang: str | None, work: _Work) -> None:
    from voice.speech.offline import recognise

    lang = lang or work.language_of(path)
    heard = _Heard(path, work.progress)
    lines = list(recognise(heard.packets(), lang, work.recogniser(work.model_of(lang))))
    _print(heard, lang, lines, 0.0, work.progress)


async def _live(paths: list[Path], lang: str | None, work: _Work) -> None:
    from voice.speech.service import SpeechService
    from voice.speech.settings import SpeechSettings

    langs = [lang or work.language_of(path) for path in paths]
    work.loaded.clear()
    models = {each: work.model_of(each) for each in langs}
    service = SpeechService(work.data_dir, SpeechSettings(models=models, device=work.device, recogniser=work.module))
    await service.start()
    try:
        for path, spoken in zip(paths, langs, strict=True):
            await _play(service, path, spoken, work.progress)
    finally:
        await service.stop()


async def _play(service: SpeechService, path: Path, lang: str, progress: Progress) -> None:
    from models.errors import ModelError
    from voice.speech.speak import speak

    heard = _Heard(path, progress)
    lines: list[Line] = []

    def caption(_: int, text: str, _start_s: float) -> None:
        heard.caption = text
        heard.tell()

    stream = service.open(str(path), lang, lines.append, caption)
    while not service.ready(lang):
        if (problem := service.problem(lang)) is not None:
            raise ModelError(problem)
        progress.say(f"loading the model for {lang}")
        await asyncio.sleep(POLL_S)
    stream.mic({0}, 1)
    begun_s, _ = await speak(stream, 0, 1, heard.packets())
    stream.mic((), 2)
    await service.settled()
    stream.close()
    _print(heard, lang, lines, begun_s, progress)


def _print(heard: _Heard, lang: str, lines: list[Line], begun_s: float, progress: Progress) -> None:
    """One file's line; times from its first sample, which was heard at `begun_s`."""
    progress.end()
    utterances = [
        {
            "start_s": round(max(0.0, line.start_s - begun_s), 3),
            "end_s": round(max(0.0, line.end_s - begun_s), 3),
            "text": line.text,
            "latency_s": round(line.timings.end_to_text_s, 3),
        }
        for line in lines
    ]
    found = {
        "file": str(heard.path),
        "lang": lang,
        "text": " ".join(line.text for line in lines),
        "audio_s": round(heard.audio_s, 3),
        "utterances": utterances,
    }
    try:
        written = json.dumps(found, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:  # a file's name of bytes that are no UTF-8
        written = json.dumps(found).encode("ascii")
    sys.stdout.buffer.write(written + b"\n")
    sys.stdout.buffer.flush()
