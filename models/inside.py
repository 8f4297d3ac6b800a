"""faster-whisper and CTranslate2 below their public interface: the one module that goes there.

faster-whisper's `transcribe` always encodes 30 s, most of it padding, and nothing in its public interface changes
that. What is taken instead: its loading of a model's folder, its mel bands and its tokenizer, and CTranslate2's
`encode`, `generate` and `align`, for several utterances at once. `tests/models/test_whisper_contract.py` holds each of
them to what is expected of it here; other versions than the tested ones are refused.
"""

from __future__ import annotations

import importlib.metadata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from models.errors import ModelError
from models.mel import FFT_SAMPLES, log_mel
from models.vad import SAMPLE_RATE_HZ

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from models.mel import Spectrogram
    from models.vad import Samples

TESTED: Mapping[str, str] = {"faster-whisper": "1.2.1", "ctranslate2": "4.8.5"}
"""The versions whose private parts are known here: what requirements/run.txt pins."""

_START = {False: 50_257, True: 50_258}
"""The number of the token with which a transcript begins, in Whisper's English and in its multilingual vocabularies."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search ended with: sequences of tokens, the best first, each with its tokens' mean log probability."""

    readings: tuple[tuple[tuple[int, ...], float], ...]
    no_speech: float


@dataclass(frozen=True, slots=True)
class Aligned:
    """A text laid over its sound: (token, step of 20 ms) along the way, and each token's probability."""

    path: tuple[tuple[int, int], ...]
    token_probs: tuple[float, ...]


def check_versions() -> None:
    """Raises ModelError where another version of the two libraries is installed than the tested one."""
    for package, tested in TESTED.items():
        try:
            found = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found = "none"
        if found != tested:
            wanted = " ".join(f"'{name}=={version}'" for name, version in TESTED.items())
            raise ModelError(f"{package} {found} is installed, expected {tested}: run: pip install {wanted}")


class Inside:
    """One loaded model. Not for use from several threads at once."""

    def __init__(self, name: str, directory: Path, *, device: str, compute_type: str, threads: int) -> None:
        """Load a model's folder: 0.2 to 3 s. Raises ModelError where the files, the device or the type don't do."""
        check_versions()
        from faster_whisper import WhisperModel

        try:
            self._outer: Any = WhisperModel(
                str(directory), device=device, compute_type=compute_type, cpu_threads=threads, num_workers=1
            )
            self._model: Any = self._outer.model
        except Exception as error:  # the tokenizer's library raises bare ones for files that are damaged
            said = " ".join(str(error).split())
            raise ModelError(f"model {name} does not load on {device} as {compute_type}: {said}") from error
        self.multilingual = bool(self._model.is_multilingual)
        self.languages: frozenset[str] = frozenset(self._outer.supported_languages)
        self._tokenizers: dict[str, Any] = {}
        self._filters = self._mel_filters()
        if self._outer.hf_tokenizer.token_to_id("<|startoftranscript|>") != _START[self.multilingual]:
            raise ModelError(f"model {name}: {directory / 'tokenizer.json'} is another model's; copy the model's own")

    def _mel_filters(self) -> Spectrogram:
        """As many bands as the model hears, whatever its folder says of them, or does not say."""
        from faster_whisper.feature_extractor import FeatureExtractor

        bands = int(self._model.n_mels)
        if self._outer.feature_extractor.mel_filters.shape[0] != bands:
            self._outer.feature_extractor = FeatureExtractor(feature_size=bands)
        filters: Spectrogram = FeatureExtractor.get_mel_filters(SAMPLE_RATE_HZ, FFT_SAMPLES, n_mels=bands)
        return np.ascontiguousarray(filters, np.float32)

    def tokenizer(self, lang: str) -> Any:
        """faster-whisper's tokenizer for a language that the model does."""
        from faster_whisper.tokenizer import Tokenizer

        if lang not in self._tokenizers:
            self._tokenizers[lang] = Tokenizer(
                self._outer.hf_tokenizer, self.multilingual, task="transcribe", language=lang
            )
        return self._tokenizers[lang]

    def encode(self, audios: Sequence[Samples], frames: int) -> Any:
        """The encoder's output for utterances in windows of so many frames of 10 ms (even, at most 3000).

        Shape: utterances, frames / 2, the model's width. Raises ValueError where an utterance does not fit.
        """
        import ctranslate2

        heard = np.stack([log_mel(audio, self._filters, frames) for audio in audios])
        return self._model.encode(ctranslate2.StorageView.from_array(heard))

    def search(self, encoded: Any, prompts: Sequence[Sequence[int]], *, beam: int, max_tokens: int) -> list[Found]:
        """Text for each utterance, from prompts of the same length; as many readings as the beam is wide."""
        results = self._model.generate(
            encoded,
            [list(prompt) for prompt in prompts],
            beam_size=beam,
            num_hypotheses=beam,
            max_length=len(prompts[0]) + max_tokens,
            return_scores=True,
            return_no_speech_prob=True,
        )
        return [
            Found(
                tuple(
                    (tuple(tokens), float(score))
                    for tokens, score in zip(result.sequences_ids, result.scores, strict=True)
                ),
                float(result.no_speech_prob),
            )
            for result in results
        ]

    def align(
        self, encoded: Any, start: Sequence[int], texts: Sequence[Sequence[int]], frames: Sequence[int]
    ) -> list[Aligned]:
        """When each token of each utterance's text was said; `frames`: how many of its frames are no padding."""
        results = self._model.align(encoded, list(start), [list(text) for text in texts], list(frames))
        return [
            Aligned(
                tuple((int(token), int(step)) for token, step in result.alignments),
                tuple(float(share) for share in result.text_token_probs),
            )
            for result in results
        ]

    def language_shares(self, audio: Samples) -> dict[str, float]:
        """How likely each language is at the beginning of mono 16 kHz PCM: 30 s at most are heard."""
        _, _, shares = self._outer.detect_language(audio=audio)
        return dict(shares)
