"""Whisper with a window that fits the utterance, several utterances at once where there are several."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from models import guards, readings
from models.decoded import Decoded
from models.errors import ModelError
from models.inside import Inside
from models.mel import FRAME_RATE_HZ
from models.pages import gather
from models.recognition import Ask, Hypothesis, Word
from models.spelling import Spelled, spell, timed, tokens_of
from models.vad import SAMPLE_RATE_HZ, Samples

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from models.inside import Found
    from models.store import LocatedModel

MAX_AUDIO_S = 29.0
RETRY_WINDOW_S = 20.0
MARGIN_S = 1.0
"""Silence behind an utterance in its window, at least: with less the decoder finds no end and says it all again."""
MIN_WINDOW_ENGLISH_S = 8.0
"""Words wrong, counted once, of 523 (recorded people and table lines, tiny.en): 38 in 5 s, 31 in 6 s, 26 in 8 s."""
MIN_WINDOW_MULTILINGUAL_S = 12.0
"""Of 301 (Russian, base): 57 in 5 s, 53 in 8 s, 51 in 10 s, 47 in 12 s, as many as faster-whisper's defaults."""
MIN_WINDOW_DRAFT_S = 4.0
"""Of speech that goes on, which is recognised again a moment later: in English for two thirds of the time that 8 s
take, and of recorded people few more words are wrong. In 3 s every third English draft begins anew behind its end."""
BEAM = 5


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
        beam_size: int = BEAM,
        prompts: Mapping[str, str] | None = None,
    ) -> None:
        """Load the model: 0.2 to 3 s. `compute_type` None: int8 on a CPU, int8_float16 on a GPU.

        A beam of 5 costs a fifth to a third more than greedy search; of Russian table lines in synthetic voices it
        took a quarter of the wrong words away, of recorded people's few. `prompts`, by language, is text that the
        decoder takes for said before the utterance.

        Raises ModelError where the files, the device, the compute type or the installed libraries don't do.
        """
        chosen = compute_type or ("int8_float16" if device == "cuda" else "int8")
        self._inside = Inside(located.name, located.directory, device=device, compute_type=chosen, threads=threads)
        self._device = device
        self.name = located.name
        self.languages = self._inside.languages
        multilingual = self._inside.multilingual
        least_s = MIN_WINDOW_MULTILINGUAL_S if multilingual else MIN_WINDOW_ENGLISH_S
        self._min_window_s = {True: min_window_s or least_s, False: min_window_s or MIN_WINDOW_DRAFT_S}
        self._beam_size = beam_size
        self._prompts = prompts or {}

    def transcribe(self, audio: Samples, lang: str, *, words: bool = True) -> Hypothesis:
        """See Recogniser. Without `words` the search is greedy: a draft, for captions.

        Takes at most MAX_AUDIO_S of audio; what is longer raises ValueError.
        """
        return self.transcribe_batch([Ask(audio, lang, words)])[0]

    def transcribe_batch(self, asks: Sequence[Ask]) -> list[Hypothesis]:
        """The same for several utterances, of any languages that the model does, in their order.

        They go through the model together, in one window that fits the longest, those that ask for words apart from
        the others. That is many times quicker on a GPU and no quicker on a CPU. The text of an utterance is what it is
        alone but for what a longer window changes.
        """
        for ask in asks:
            self._check(ask.audio, ask.lang)
        found: dict[int, Hypothesis] = {}
        loose: list[int] = []
        for numbers in self._alike(asks, range(len(asks))):
            window_s = self._window_s(asks[number] for number in numbers)
            for number, (hypothesis, may_stand) in self._decode(asks, numbers, window_s).items():
                found[number] = hypothesis
                # A draft is not worth it: its words are said again a moment later, and it would be old by then.
                if asks[number].words and not may_stand and window_s < RETRY_WINDOW_S:
                    loose.append(number)
        for numbers in self._alike(asks, loose):
            # A longer window costs more and loops less: once, for the few that need it.
            for number, (hypothesis, _) in self._decode(asks, numbers, RETRY_WINDOW_S).items():
                found[number] = hypothesis
        return [found[number] for number in range(len(asks))]

    def settle(self) -> None:
        """See SettlingRecogniser. On a GPU the weights are elsewhere."""
        if self._device == "cpu":
            gather()

    def spoken_at(self, audio: Samples, text: str, lang: str) -> tuple[Word, ...]:
        """When each word of a text that is known was said in mono 16 kHz PCM: for measuring.

        Takes at most MAX_AUDIO_S of audio; what is longer raises ValueError. Raises ModelError as `transcribe` does.
        """
        self._check(audio, lang)
        tokenizer = self._inside.tokenizer(lang)
        ask = Ask(audio, lang)
        encoded = self._inside.encode([audio], _frames(self._window_s([ask])))
        return self._timed(encoded, [ask], [spell(tokenizer, tokenizer.encode(" " + text.strip()))])[0]

    def likeliest(self, audio: Samples, languages: Sequence[str]) -> str:
        """Which of the languages is spoken at the beginning of mono 16 kHz PCM (30 s at most are heard)."""
        known = [lang for lang in languages if lang in self.languages]
        if len(known) < 2:
            return (known or list(languages))[0]
        shares = self._inside.language_shares(audio)
        return max(known, key=lambda lang: shares.get(lang, 0.0))

    def _check(self, audio: Samples, lang: str) -> None:
        if _seconds(audio) > MAX_AUDIO_S:
            raise ValueError(f"expected an utterance of at most {MAX_AUDIO_S} s, got {_seconds(audio):.1f} s")
        if lang not in self.languages:
            known = ", ".join(sorted(self.languages)) if len(self.languages) < 5 else f"{len(self.languages)} others"
            raise ModelError(f"model {self.name} does not do language {lang}: it does {known}; choose another model")

    def _alike(self, asks: Sequence[Ask], numbers: Iterable[int]) -> list[list[int]]:
        """The numbers of asks that can be searched together: the same width of search, prompts of the same length."""
        groups: dict[tuple[bool, int], list[int]] = {}
        for number in numbers:
            ask = asks[number]
            groups.setdefault((ask.words, len(self._prompt(ask.lang))), []).append(number)
        return list(groups.values())

    def _prompt(self, lang: str) -> list[int]:
        """The tokens before the text: where there is such a text, what was said before; then the language and task."""
        tokenizer = self._inside.tokenizer(lang)
        said = self._prompts.get(lang)
        before = [tokenizer.sot_prev, *tokenizer.encode(" " + said.strip())] if said else []
        return [*before, *tokenizer.sot_sequence]

    def _window_s(self, asks: Iterable[Ask]) -> float:
        return max((max(self._min_window_s[ask.words], _seconds(ask.audio) + MARGIN_S) for ask in asks), default=0.0)

    def _decode(
        self, asks: Sequence[Ask], numbers: Sequence[int], window_s: float
    ) -> dict[int, tuple[Hypothesis, bool]]:
        """One pass of those asks, all of a kind: the hypotheses by number, and whether each may stand."""
        chosen = [asks[number] for number in numbers]
        window_s = max(window_s, *(_seconds(ask.audio) + MARGIN_S for ask in chosen))
        encoded = self._inside.encode([ask.audio for ask in chosen], _frames(window_s))
        tokenizers = [self._inside.tokenizer(ask.lang) for ask in chosen]
        caps = [guards.token_cap(_seconds(ask.audio), ask.lang, whole=ask.words) for ask in chosen]
        prompts = [self._prompt(ask.lang) for ask in chosen]
        beam = self._beam_size if chosen[0].words else 1
        results = self._inside.search(encoded, prompts, beam=beam, max_tokens=max(caps))
        read = [
            [Decoded(tokenizer, list(tokens)[:cap], score, _seconds(ask.audio)) for tokens, score in result.readings]
            for tokenizer, cap, ask, result in zip(tokenizers, caps, chosen, results, strict=True)
        ]
        best = [each[0] for each in read]
        words = self._timed(encoded, chosen, [each.spelled for each in best]) if chosen[0].words else [()] * len(best)
        return {
            number: (_hypothesis(each, said, result), each[0].may_stand(cap))
            for number, each, said, result, cap in zip(numbers, read, words, results, caps, strict=True)
        }

    def _timed(self, encoded: Any, asks: Sequence[Ask], texts: Sequence[Sequence[Spelled]]) -> list[tuple[Word, ...]]:
        """Each text's words with times and confidences, by one more pass of the decoder over its own text."""
        frames = [max(2, math.ceil(_seconds(ask.audio) * FRAME_RATE_HZ)) for ask in asks]
        tokens = [tokens_of(text) for text in texts]
        words: list[tuple[Word, ...]] = [()] * len(asks)
        if not any(tokens):
            return words
        for lang in sorted({ask.lang for ask in asks}):
            tokenizer = self._inside.tokenizer(lang)
            # The aligner takes one beginning for all of a batch: where there are several languages, a pass for each.
            aligned = self._inside.align(encoded, tokenizer.sot_sequence, tokens, frames)
            for number, ask in enumerate(asks):
                if ask.lang == lang and tokens[number]:
                    words[number] = timed(tokenizer, texts[number], aligned[number], _seconds(ask.audio))
        return words


def _hypothesis(read: Sequence[Decoded], words: tuple[Word, ...], found: Found) -> Hypothesis:
    best = read[0]
    considered = readings.others([(each.text, each.log_prob) for each in read])
    return Hypothesis(best.text, words, found.no_speech, best.score, best.loops, considered)


def _frames(window_s: float) -> int:
    """An even number: the encoder halves it."""
    return 2 * math.ceil(window_s * FRAME_RATE_HZ / 2)


def _seconds(audio: Samples) -> float:
    return len(audio) / SAMPLE_RATE_HZ
