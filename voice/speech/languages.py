"""The languages that tables want recognised, and what is wrong with those that can't be. No clock, no process."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable

LOADS_AT_MOST: Final = 3
"""A model that kills a process so many times in a row, while it is loaded there, is not tried again at once."""
AGAIN_AFTER_S: Final = (5.0, 15.0, 60.0, 300.0)
"""How long a process rests from a model that it could not load, time after time: memory may be free by then."""


@dataclass(slots=True)
class _Trouble:
    """One process with one language."""

    reason: str = ""
    """Empty: nothing is certain yet."""
    deaths: int = 0
    times: int = 0
    not_before_s: float = 0.0


class Languages:
    """What is wanted, and which process can't do it. A process is whatever stands for it over all of its lives."""

    def __init__(self) -> None:
        self._wanted: Counter[str] = Counter()
        self._troubles: dict[tuple[Hashable, str], _Trouble] = {}

    @property
    def wanted(self) -> Collection[str]:
        """The languages of the tables that are open."""
        return self._wanted.keys()

    def want(self, lang: str) -> None:
        """One more table speaks it: what was wrong with it may be mended by now."""
        self._wanted[lang] += 1
        for key in [key for key in self._troubles if key[1] == lang]:
            del self._troubles[key]

    def unwant(self, lang: str) -> None:
        """One table fewer."""
        self._wanted[lang] -= 1
        if self._wanted[lang] <= 0:
            del self._wanted[lang]

    def lacking(self, process: Hashable, loaded: Collection[str], now_s: float) -> list[str]:
        """The languages that are wanted, aren't among `loaded`, and which the process may try now; in their order."""
        return [lang for lang in self._wanted if lang not in loaded and self._may(process, lang, now_s)]

    def problems(self, processes: Collection[Hashable], loaded: Collection[str]) -> dict[str, str]:
        """Why a language can't be recognised, by language: no process has it, and none of them could load it."""
        found: dict[str, str] = {}
        for lang in dict.fromkeys(lang for _, lang in self._troubles):
            reasons = [self._reason(process, lang) for process in processes]
            if lang not in loaded and reasons and all(reasons):
                found[lang] = reasons[0]
        return found

    def loaded(self, process: Hashable, lang: str) -> None:
        """A process has it."""
        self._troubles.pop((process, lang), None)

    def refused(self, process: Hashable, lang: str, reason: str, now_s: float) -> None:
        """A process can't load it, and is well."""
        self._rests(self._trouble(process, lang), reason, now_s)

    def died(self, process: Hashable, lang: str, now_s: float) -> None:
        """A process died while it loaded it."""
        trouble = self._trouble(process, lang)
        trouble.deaths += 1
        if trouble.deaths >= LOADS_AT_MOST:
            trouble.deaths = 0
            self._rests(trouble, "the recogniser process dies while the model loads: see the log", now_s)

    def gone(self, processes: Iterable[Hashable]) -> None:
        """Processes that will have no more lives."""
        away = set(processes)
        self._troubles = {key: trouble for key, trouble in self._troubles.items() if key[0] not in away}

    def _rests(self, trouble: _Trouble, reason: str, now_s: float) -> None:
        trouble.reason = reason
        trouble.not_before_s = now_s + AGAIN_AFTER_S[min(trouble.times, len(AGAIN_AFTER_S) - 1)]
        trouble.times += 1

    def _trouble(self, process: Hashable, lang: str) -> _Trouble:
        return self._troubles.setdefault((process, lang), _Trouble())

    def _reason(self, process: Hashable, lang: str) -> str:
        trouble = self._troubles.get((process, lang))
        return "" if trouble is None else trouble.reason

    def _may(self, process: Hashable, lang: str, now_s: float) -> bool:
        trouble = self._troubles.get((process, lang))
        return trouble is None or now_s >= trouble.not_before_s
