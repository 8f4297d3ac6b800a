"""What keeps a decoder with a short window from saying a sentence twice. Of silence: `models.silence`.

With a window that fits the utterance Whisper gives the right text and then does not stop: it starts the sentence again.
The rules here cut that. They are pure functions of tokens and words, so that each is tested alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

TIMESTAMP_STEP_S = 0.02
CUT_BEFORE_END_S = 0.18
"""The silence that a table's utterance has at its end, and 50 ms: no word is said in less. With 0.35 s the text of none
of 124 utterances (recordings of people, a table's synthetic lines) was another, and a short last sentence could go."""
MAX_WORDS_PER_S = 6.0
MAX_REPEATED_WORDS = 12

_TOKENS_PER_S = {"en": 7.0}
_TOKENS_PER_S_OTHER = 12.0  # Russian needs more tokens a word, and so do most
_TOKENS_AT_LEAST = {True: 16, False: 8}


def token_cap(audio_s: float, lang: str, *, whole: bool = True) -> int:
    """How many tokens an utterance of `audio_s` seconds may take at most: beyond that the decoder loops.

    Of a draft (not `whole`) there are fewer to spare: what it loops is work for nothing, and it is never tried again.
    """
    return _TOKENS_AT_LEAST[whole] + round(audio_s * _TOKENS_PER_S.get(lang, _TOKENS_PER_S_OTHER))


def cut_at_end(tokens: Sequence[int], timestamp_begin: int, audio_s: float) -> list[int]:
    """The tokens up to the first timestamp that says the speech has ended; what follows is said of nothing."""
    limit = timestamp_begin + (audio_s - CUT_BEFORE_END_S) / TIMESTAMP_STEP_S
    text_seen = False
    for index, token in enumerate(tokens):
        if token < timestamp_begin:
            text_seen = True
        elif text_seen and token >= limit:
            return list(tokens[:index])
    return list(tokens)


def bare(word: str) -> str:
    """A word's letters and digits, in lower case."""
    return "".join(letter for letter in word.lower() if letter.isalnum())


def collapse(words: Sequence[str]) -> list[int]:
    """Indices of the words that stay when immediate repeats go.

    A repeat is a run of two to MAX_REPEATED_WORDS words said again at once, or one word said three times or more; the
    first saying stays. So does a sentence whose beginning is said again at the very end and broken off ("Lock the front
    door. Lock the"): that beginning goes. True repeats go as well, which harms no verdict.
    """
    plain = [bare(word) for word in words]
    keep = list(range(len(words)))
    index = 0
    while index < len(keep):
        surplus = _repeated([plain[i] for i in keep[index:]])
        if surplus is None:
            index += 1
        else:
            length, times = surplus
            del keep[index + length : index + times * length]
    return keep[: len(keep) - _restart([words[i] for i in keep])]


def _repeated(plain: Sequence[str]) -> tuple[int, int] | None:
    """The shortest run at the beginning that is repeated at once: its length in words, and how often it is said."""
    for length in range(1, min(MAX_REPEATED_WORDS, len(plain) // 2) + 1):
        run = plain[:length]
        times = 1
        while plain[times * length : (times + 1) * length] == run:
            times += 1
        if any(run) and times >= (2 if length > 1 else 3):
            return length, times
    return None


def _restart(words: Sequence[str]) -> int:
    """How many words at the end are the beginning of the last sentence, said once more and broken off."""
    plain = [bare(word) for word in words]
    for length in range(min(MAX_REPEATED_WORDS, len(plain) // 2), 1, -1):
        for start in range(len(plain) - 2 * length - 1, -1, -1):
            begins = start == 0 or words[start - 1][-1:] in ".!?…"
            if begins and plain[start : start + length] == plain[-length:]:
                return length
    return 0


def too_fast(words: int, audio_s: float) -> bool:
    """Whether that many words can't have been said in that time."""
    return words > 3 and words > MAX_WORDS_PER_S * max(audio_s, 0.5)
