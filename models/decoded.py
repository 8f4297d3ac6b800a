"""What a decoder wrote, without what the guards take out, and whether it may stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from models import guards
from models.spelling import spell, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence


class Decoded:
    """One sequence of tokens as words: up to where it says that the speech has ended, and nothing said twice."""

    def __init__(self, tokenizer: Any, tokens: Sequence[int], score: float, audio_s: float) -> None:
        """`score`: the tokens' mean log probability; `audio_s`: how long the utterance is."""
        self.score = score
        self._audio_s = audio_s
        self._tokens = tokens
        self._kept = guards.cut_at_end(tokens, tokenizer.timestamp_begin, audio_s)
        said = spell(tokenizer, [token for token in self._kept if token < tokenizer.eot])
        stay = guards.collapse([word.text for word in said])
        self.spelled = [said[index] for index in stay]
        self.loops = len(stay) < len(said)
        self.text = text_of(self.spelled)

    @property
    def log_prob(self) -> float:
        """Of all its tokens together."""
        return self.score * len(self._tokens)

    def may_stand(self, cap: int) -> bool:
        """Whether it is not faster than speech, and ended by itself within `cap` tokens."""
        endless = len(self._tokens) >= cap and len(self._kept) == len(self._tokens)
        return not endless and not guards.too_fast(len(self.spelled), self._audio_s)
