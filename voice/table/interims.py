"""What each seat is saying, as far as it is known: text that may still change, and how much of it will hardly."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from voice.spoken import Agreed, Agreement

SAME_S: Final = 0.1  # two hypotheses of one utterance begin at the same moment, but for what the clocks make of it


@dataclass(slots=True)
class _Saying:
    start_s: float
    agreement: Agreement = field(default_factory=Agreement)


class Interims:
    """The newest caption of each seat. Times in s of the speech's clock, as its lines have them."""

    def __init__(self) -> None:
        self._saying: dict[int, _Saying] = {}

    def hear(self, seat: int, text: str, start_s: float) -> Agreed:
        """The next hypothesis of an utterance that began at `start_s`: what the one before had of it, too.

        "" takes the seat's caption back.
        """
        if not text:
            self._saying.pop(seat, None)
            return Agreed("", whole=False)
        saying = self._saying.get(seat)
        if saying is None or abs(saying.start_s - start_s) > SAME_S:
            saying = self._saying[seat] = _Saying(start_s)
        return saying.agreement.hear(text)

    def line(self, seat: int, end_s: float) -> None:
        """A line of the seat came: a caption of words that it holds is over, one of later words is not."""
        if seat in self._saying and self._saying[seat].start_s < end_s:
            del self._saying[seat]

    def stands(self, seat: int) -> bool:
        """Whether a caption of the seat stands that no line has taken the place of."""
        return seat in self._saying
