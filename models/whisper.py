"""Whisper through faster-whisper and CTranslate2, with a window that fits the utterance.

faster-whisper's `transcribe` always encodes 30 s, most of it padding, and nothing in its public interface changes
that. This module alone goes below it: the feature extractor, the tokenizer, and CTranslate2's `encode`, `generate` and
`align`.
`tests/models/test_whisper_contract.py` holds those parts to what is expected of them here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from models import guards, readings
from models.errors import ModelError
from models.recognition import Hypothesis, Word
from models.vad import SAMPLE_RATE_HZ, Samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.store import LocatedModel

FRAME_RATE_HZ = 100  # mel frames a second
MAX_AUDIO_S = 29.0
RETRY_WINDOW_S = 12.0
MARGIN_S = 1.0
MIN_WINDOW_ENGLISH_S = 8.0
MIN_WINDOW_MULTILINGUAL_S = 5.0
WORD_TIME_STEP_S = 0.02


@dataclass(frozen=True, slots=True)
class _Spelled:
    """One word before its times are known: text and text tokens."""

    text: str
    tokens: tuple[int, ...]


class WindowedWhisper:
    """One loaded model. Not for use from several threads at once."""

    def __init__(
        self,
        located: LocatedModel,
        *,
        device: str = "cpu",
        compute_type: str | None = None,
        threads: int = 1,
        min_window_s: float | None = None,
        beam_size: int = 5,
    ) -> None:
        """Load the model: 0.2 to 3 s. `compute_type` None: int8 on a CPU, int8_float16 on a GPU.

        A beam of 5 costs a fifth to a third more than greedy search; of Russian table lines in synthetic voices it
        took a quarter of the wrong words away, of recorded people's few.

        Raises ModelError where the files, the device or the compute type don't do.
        """
        from faster_whisper import WhisperModel

        chosen = compute_type or ("int8_float16" if device == "cuda" else "int8")
        try:
            self._model: Any = WhisperModel(
                str(located.directory), device=device, compute_type=chosen, cpu_threads=threads, num_workers=1
            )
        except Exception as error:  # the tokenizer's library raises bare ones for files that are damaged
            raise ModelError(f"model {located.name} does not load on {device} as {chosen}: {error}") from error
        self.name = located.name
        self.languages: frozenset[str] = frozenset(self._model.supported_languages)
        multilingual = bool(self._model.model.is_multilingual)
        self._min_window_s = min_window_s or (MIN_WINDOW_MULTILINGUAL_S if multilingual else MIN_WINDOW_ENGLISH_S)
        self._beam_size = beam_size
        self._tokenizers: dict[str, Any] = {}

    def transcribe(self, audio: Samples, lang: str, *, words: bool = True) -> Hypothesis:
        """See Recogniser. Without `words` the search is greedy: a draft, for captions.

        Takes at most MAX_AUDIO_S of audio; what is longer raises ValueError.
        """
        audio_s = len(audio) / SAMPLE_RATE_HZ
        if audio_s > MAX_AUDIO_S:
            raise ValueError(f"expected an utterance of at most {MAX_AUDIO_S} s, got {audio_s:.1f} s")
        tokenizer = self._tokenizer(lang)
        window_s = max(self._min_window_s, audio_s + MARGIN_S)
        hypothesis, sound = self._decode(audio, tokenizer, window_s, words)
        if not sound and window_s < RETRY_WINDOW_S:
            # A longer window costs more and loops less: once, for the few that need it.
            hypothesis, _ = self._decode(audio, tokenizer, max(RETRY_WINDOW_S, audio_s + MARGIN_S), words)
        return hypothesis

    def spoken_at(self, audio: Samples, text: str, lang: str) -> tuple[Word, ...]:
        """When each word of a text that is known was said in mono 16 kHz PCM: for measuring.

        Takes at most MAX_AUDIO_S of audio; what is longer raises ValueError. Raises ModelError as `transcribe` does.
        """
        audio_s = len(audio) / SAMPLE_RATE_HZ
        if audio_s > MAX_AUDIO_S:
            raise ValueError(f"expected at most {MAX_AUDIO_S} s of sound, got {audio_s:.1f} s")
        tokenizer = self._tokenizer(lang)
        spelled = _spell(tokenizer, tokenizer.encode(" " + text.strip()))
        encoded = self._encode(audio, max(self._min_window_s, audio_s + MARGIN_S))
        return self._timed(encoded, tokenizer, spelled, audio_s)

    def likeliest(self, audio: Samples, languages: Sequence[str]) -> str:
        """Which of the languages is spoken at the beginning of mono 16 kHz PCM (30 s at most are heard)."""
        known = [lang for lang in languages if lang in self.languages]
        if len(known) < 2:
            return (known or list(languages))[0]
        _, _, shares = self._model.detect_language(audio=audio)
        share_of = dict(shares)
        return max(known, key=lambda lang: share_of.get(lang, 0.0))

    def _tokenizer(self, lang: str) -> Any:
        from faster_whisper.tokenizer import Tokenizer

        if lang not in self.languages:
            known = ", ".join(sorted(self.languages)) if len(self.languages) < 5 else f"{len(self.languages)} others"
            raise ModelError(f"model {self.name} does not do language {lang}: it does {known}; choose another model")
        if lang not in self._tokenizers:
            self._tokenizers[lang] = Tokenizer(
                self._model.hf_tokenizer, self._model.model.is_multilingual, task="transcribe", language=lang
            )
        return self._tokenizers[lang]

    def _decode(self, audio: Samples, tokenizer: Any, window_s: float, want_words: bool) -> tuple[Hypothesis, bool]:
        """One pass in a window of `window_s`: the hypothesis, and whether it may stand."""
        audio_s = len(audio) / SAMPLE_RATE_HZ
        encoded = self._encode(audio, window_s)
        prompt = list(tokenizer.sot_sequence)
        cap = guards.token_cap(audio_s, tokenizer.language_code)
        beam = self._beam_size if want_words else 1
        result = self._model.model.generate(
            encoded,
            [prompt],
            beam_size=beam,
            num_hypotheses=beam,
            max_length=len(prompt) + cap,
            return_scores=True,
            return_no_speech_prob=True,
        )[0]
        tokens = list(result.sequences_ids[0])
        kept, said, spelled = _read(tokenizer, tokens, audio_s)
        loops = len(spelled) < said
        sound = not guards.too_fast(len(spelled), audio_s) and not (len(tokens) >= cap and len(kept) == len(tokens))
        text = _text(spelled)
        words = self._timed(encoded, tokenizer, spelled, audio_s) if want_words else ()
        found = [(text, float(result.scores[0]) * len(tokens))]
        for ids, score in zip(result.sequences_ids[1:], result.scores[1:], strict=True):
            found.append((_text(_read(tokenizer, list(ids), audio_s)[2]), float(score) * len(ids)))
        hypothesis = Hypothesis(
            text, words, float(result.no_speech_prob), float(result.scores[0]), loops, readings.others(found)
        )
        return hypothesis, sound

    def _encode(self, audio: Samples, window_s: float) -> Any:
        import ctranslate2

        frames = 2 * math.ceil(window_s * FRAME_RATE_HZ / 2)
        padded = np.zeros(frames * SAMPLE_RATE_HZ // FRAME_RATE_HZ, np.float32)
        padded[: len(audio)] = audio
        features = self._model.feature_extractor(padded, padding=0)[:, :frames]
        view = ctranslate2.StorageView.from_array(np.ascontiguousarray(features[None], np.float32))
        return self._model.model.encode(view)

    def _timed(self, encoded: Any, tokenizer: Any, spelled: Sequence[_Spelled], audio_s: float) -> tuple[Word, ...]:
        """Each word's times and confidence, by one more pass of the decoder over its own text."""
        tokens = [token for word in spelled for token in word.tokens]
        if not tokens:
            return ()
        result = self._model.model.align(
            encoded, list(tokenizer.sot_sequence), [tokens], max(2, math.ceil(audio_s * FRAME_RATE_HZ))
        )[0]
        starts_s = [audio_s] * (len(tokens) + 1)
        for token_index, time_index in reversed(result.alignments):
            if token_index < len(starts_s):
                starts_s[token_index] = min(audio_s, time_index * WORD_TIME_STEP_S)
        words = []
        first = 0
        for word in spelled:
            after = first + len(word.tokens)
            # The aligner's row after the last token is the end of text.
            weights = [
                math.log(max(float(result.text_token_probs[i]), 1e-6))
                for i in range(first, after)
                if guards.bare(tokenizer.decode([tokens[i]])) or "\ufffd" in tokenizer.decode([tokens[i]])
            ]
            confidence = math.exp(sum(weights) / len(weights)) if weights else 0.0
            words.append(Word(word.text.strip(), starts_s[first], starts_s[after], min(1.0, confidence)))
            first = after
        return tuple(words)


def _read(tokenizer: Any, tokens: list[int], audio_s: float) -> tuple[list[int], int, list[_Spelled]]:
    """Of a sequence of tokens: those before its end, how many words they are, and the words that stay."""
    kept = guards.cut_at_end(tokens, tokenizer.timestamp_begin, audio_s)
    spelled = _spell(tokenizer, [token for token in kept if token < tokenizer.eot])
    return kept, len(spelled), [spelled[index] for index in guards.collapse([word.text for word in spelled])]


def _text(spelled: Sequence[_Spelled]) -> str:
    return "".join(word.text for word in spelled).strip()


def _spell(tokenizer: Any, tokens: list[int]) -> list[_Spelled]:
    """Text tokens as words: what does not begin with a space, or has no letter or digit, belongs to its neighbour."""
    words: list[_Spelled] = []
    for text, parts in zip(*tokenizer.split_to_word_tokens(tokens), strict=True):
        glued = not text.startswith(" ") or not guards.bare(text)
        if words and (glued or not guards.bare(words[-1].text)):
            words[-1] = _Spelled(words[-1].text + text, words[-1].tokens + tuple(parts))
        else:
            words.append(_Spelled(text, tuple(parts)))
    return words
