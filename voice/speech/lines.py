"""What a table gets of its speech."""

from __future__ import annotations

from dataclasses import dataclass

from models.recognition import Reading, Word

__all__ = ["Line", "Reading", "Timings", "Word"]


@dataclass(frozen=True, slots=True)
class Timings:
    """Where the time went, in seconds.

    `end_to_text_s` runs from the arrival of the last speech of the utterance to its line; of that `endpoint_s` passed
    before the endpointer called it over, and `decode_s` is what the recogniser needed, which may have begun earlier.
    """

    end_to_text_s: float
    endpoint_s: float
    decode_s: float


@dataclass(frozen=True, slots=True)
class Line:
    """One utterance of one seat as text.

    `id` is unique in the table, restarts of the server included. `start_s` and `end_s` are `time.monotonic()` at the
    arrival of the utterance's first sound, up to 0.3 s before its first speech, and of its last speech; the words'
    times are on the same clock.
    `others` are further readings of the recogniser's, the likeliest first; None where it does not tell.
    """

    id: str
    seat: int
    text: str
    words: tuple[Word, ...]
    start_s: float
    end_s: float
    lang: str
    timings: Timings
    others: tuple[Reading, ...] | None = None
