"""Whether a table's captions keep up with what is said, for its people to know. No clock of its own."""

from __future__ import annotations

from typing import Final, Literal

State = Literal["loading", "live", "finals", "late", "off"]
"""The model is being loaded; captions keep up; whole utterances only; those late, too; the model can't be used."""

LATE_S: Final = 3.0
"""An utterance that has no text for so long after its end is late, ..."""
CAUGHT_UP_S: Final = 1.0
"""... and captions are late until none has waited for longer than this."""
_HOLDS_S: Final[dict[State, float]] = {"loading": 2.0, "live": 4.0, "finals": 2.0, "late": 0.0, "off": 0.0}
"""How long something must be so before it is told: a load that comes and goes is not worth a word."""


class CaptionState:
    """What one table is told of its captions."""

    def __init__(self) -> None:
        self.state: State | None = None
        """None: nothing was told yet."""
        self._next: State | None = None
        self._since_s = 0.0

    def look(self, now_s: float, *, ready: bool, able: bool, behind_s: float, drafts: bool) -> bool:
        """Whether something else is to be told.

        `ready`: the model is loaded; `able`: it can be. `behind_s`: the age of the oldest whole utterance without a
        text. `drafts`: captions come while somebody speaks.
        """
        found = self._found(ready=ready, able=able, behind_s=behind_s, drafts=drafts)
        if found == self.state:
            self._next = None
            return False
        if found != self._next:
            self._next, self._since_s = found, now_s
        if self.state not in (None, "loading") and now_s - self._since_s < _HOLDS_S[found]:
            return False
        self.state, self._next = found, None
        return True

    def _found(self, *, ready: bool, able: bool, behind_s: float, drafts: bool) -> State:
        if not able:
            return "off"
        if not ready:
            return "loading"
        if behind_s > (CAUGHT_UP_S if self.state == "late" else LATE_S):
            return "late"
        return "live" if drafts else "finals"
