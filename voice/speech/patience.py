"""How long a decode may take before its process counts as hung: by what decodes have taken. No clock, no process."""

from __future__ import annotations

from typing import Final, Literal

TIMES_EXPECTED: Final = 10.0
WORK_AT_LEAST_S: Final = 5.0
"""Seconds of the processor that any decode may have."""
UNKNOWN_S: Final = 10.0
"""How long one may take, at least, where nobody can say what its process does meanwhile, or none was measured yet."""
LOOK_S: Final = 1.0
STILL_S: Final = 3.0
STILL_WORK_S: Final = 0.02
"""A process that has had no more than this of the processor in STILL_S, with a decode to do, stands still."""
LOAD_S: Final = 900.0
LOAD_STILL_S: Final = 60.0
ASK_EACH_S: Final = 2.0
IDLE_S: Final = 10.0
"""A process without work may stand still for so long before it says that it is there, ..."""
ANSWER_S: Final = 60.0
"""... and take so long where it does not stand still, or nobody can say."""
_SHORTEST_S: Final = 0.5
MOST_PATIENT: Final = 8.0
"""So many times what is expected is expected, at most, while decodes of a kind take too long."""


class Expected:
    """What a decode takes, in seconds, by the length of its sound: a mean over the last ten or so.

    What the longest utterance took while the model was loaded is known before anything was measured. Half of it is
    expected of any: a short one is searched in a window, too, and may be searched twice.
    """

    def __init__(self) -> None:
        self._per_audio_s: dict[tuple[str, bool], float] = {}
        self._warm_s: dict[str, float] = {}
        self._more: dict[tuple[str, bool], float] = {}

    def warmed(self, lang: str, took_s: float) -> None:
        """The longest utterance took so long, of silence."""
        self._warm_s[lang] = took_s

    def measured(self, lang: str, words: bool, audio_s: float, took_s: float) -> None:
        """A decode took so long."""
        found = took_s / max(_SHORTEST_S, audio_s)
        before = self._per_audio_s.get((lang, words), found)
        self._per_audio_s[lang, words] = before + 0.1 * (found - before)
        self._more.pop((lang, words), None)

    def took_too_long(self, lang: str, words: bool) -> None:
        """A decode was ended for that. It may have hung, or the machine is slower than it was: the next has more."""
        self._more[lang, words] = min(MOST_PATIENT, 2 * self._more.get((lang, words), 1.0))

    def of(self, lang: str, words: bool, audio_s: float) -> float | None:
        """What one is expected to take; None where nothing is known of its kind."""
        found = self._per_audio_s.get((lang, words))
        warm_s = self._warm_s.get(lang)
        more = self._more.get((lang, words), 1.0)
        if found is None:
            return None if warm_s is None and more == 1.0 else more * max(warm_s or 0.0, UNKNOWN_S / TIMES_EXPECTED)
        return more * max(found * max(_SHORTEST_S, audio_s), (warm_s or 0.0) / 2)


class Watch:
    """Looks at a process that has something to do, each LOOK_S or so.

    `work_s`, here and in `look`, is what the process has had of the processor; None where that can't be known, or says
    nothing because a GPU works. It may work for `most_work_s`, stand still for `still_s`, and take `most_s` in all
    where only that can be known.
    """

    def __init__(
        self, now_s: float, work_s: float | None, *, most_s: float, most_work_s: float, still_s: float
    ) -> None:
        self._begun_s = self._moved_s = self._looked_s = now_s
        self._begun_work_s = self._work_s = work_s
        self._most_s = most_s
        self._most_work_s = most_work_s
        self._still_s = still_s

    @classmethod
    def of_decode(cls, expected_s: float | None, now_s: float, work_s: float | None) -> Watch:
        """Of a decode; `expected_s` None: nobody knows what it takes."""
        most_s = TIMES_EXPECTED * (expected_s or 0.0)
        at_least_s = UNKNOWN_S if expected_s is None else WORK_AT_LEAST_S
        return cls(
            now_s, work_s, most_s=max(UNKNOWN_S, most_s), most_work_s=max(at_least_s, most_s), still_s=STILL_S
        )  # fmt: skip

    @classmethod
    def of_question(cls, now_s: float, work_s: float | None) -> Watch:
        """Of the answer of a process without work, which may have just begun."""
        return cls(now_s, work_s, most_s=ANSWER_S, most_work_s=ANSWER_S, still_s=IDLE_S)

    @classmethod
    def of_load(cls, now_s: float, work_s: float | None) -> Watch:
        """Of the loading of a model, which may have to be fetched first."""
        return cls(now_s, work_s, most_s=LOAD_S, most_work_s=LOAD_S, still_s=LOAD_STILL_S)

    def look(self, now_s: float, work_s: float | None) -> Literal["still", "too long"] | None:
        """Why the process is to be ended; None where it is not."""
        asleep = now_s - self._looked_s > 2 * LOOK_S
        self._looked_s = now_s
        if asleep:  # it is this process that had no time: nothing is known of the other
            self._moved_s = now_s
            return None
        if work_s is None or self._work_s is None or self._begun_work_s is None:
            return "too long" if now_s - self._begun_s > self._most_s else None
        if work_s - self._work_s > STILL_WORK_S:
            self._moved_s, self._work_s = now_s, work_s
        if now_s - self._moved_s >= self._still_s:
            return "still"
        return "too long" if work_s - self._begun_work_s > self._most_work_s else None
