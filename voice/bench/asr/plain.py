"""A recogniser that calls faster-whisper's `transcribe` as it comes: what ours is measured against.

The model is loaded as ours is: same files, device, compute type and threads. It is told the language, which its own
default would spend a further pass on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from models.errors import ModelError
from models.recognition import Hypothesis
from models.store import locate

if TYPE_CHECKING:
    from models.vad import Samples
    from voice.speech.loading import Options


class PlainWhisper:
    """See models.recognition.Recogniser."""

    def __init__(self, name: str, options: Options) -> None:
        from faster_whisper import WhisperModel

        located = locate(name, options.data_dir)
        try:
            self._model: Any = WhisperModel(
                str(located.directory),
                device=options.device,
                compute_type=options.compute_type or "default",
                cpu_threads=options.threads,
            )
        except Exception as error:  # the tokenizer's library raises bare ones for files that are damaged
            raise ModelError(f"model {name} does not load on {options.device}: {error}") from error
        self.name = name

    def transcribe(self, audio: Samples, lang: str, *, words: bool = True) -> Hypothesis:
        """All defaults; no silence or score is reported: dropped is only what nobody says at a table."""
        if lang not in self._model.supported_languages:
            raise ModelError(f"model {self.name} does not do language {lang}")
        segments, _ = self._model.transcribe(audio, language=lang)
        text = "".join(segment.text for segment in segments).strip()
        return Hypothesis(text, (), 0.0, 0.0, loops=False)


load = PlainWhisper
