"""A recogniser on moonshine-voice, with the English model inside its package: a peer to be measured beside."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.errors import ModelError
from models.recognition import Hypothesis

if TYPE_CHECKING:
    from models.vad import Samples
    from voice.speech.loading import Options

PACKAGE = "moonshine_voice"
SAMPLE_RATE_HZ = 16_000


def missing() -> str | None:
    """What it lacks here; None where it can be measured."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return "moonshine-voice is not installed"
    folder = Path(spec.origin).parent / "assets" / "tiny-en"
    return None if (folder / "encoder_model.ort").is_file() else f"this moonshine-voice has no model in {folder}"


class Moonshine:
    """See models.recognition.Recogniser."""

    def __init__(self, name: str, options: Options) -> None:
        if (lacks := missing()) is not None:
            raise ModelError(lacks)
        try:
            from moonshine_voice import ModelArch, Transcriber, get_model_path

            self._transcriber: Any = Transcriber(str(get_model_path(name)), ModelArch.TINY)
        except Exception as error:  # a package that is not ours: its libraries, its own errors
            raise ModelError(f"moonshine-voice does not load: {error}") from error

    def transcribe(self, audio: Samples, lang: str, *, words: bool = True) -> Hypothesis:
        """Its call for sound that is there already, at its defaults."""
        if lang != "en":
            raise ModelError(f"moonshine-voice's own model does not do language {lang}: it does en")
        found = self._transcriber.transcribe_without_streaming(audio.tolist(), SAMPLE_RATE_HZ)
        text = " ".join(line.text.strip() for line in found.lines if line.text)
        return Hypothesis(text, (), 0.0, 0.0, loops=False)


load = Moonshine
