"""The table of numbers of quick Mafia. Nothing else in the code repeats one of them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.numbers import Numbers, flag, seconds, whole


@dataclass(frozen=True, slots=True)
class QuickNumbers(Numbers):
    """Times in seconds. `runoff`: tied seats speak, and are voted on once more."""

    seats: int = whole(10, 6, 10)
    runoff: bool = flag(False)

    recognition_s: float = seconds(10)
    discussion_s: float = seconds(180)
    vote_s: float = seconds(60)
    tie_speech_s: float = seconds(20)
    shot_s: float = seconds(30)

    draw_cycles: int = whole(2, 1, 1000)  # a day and the night after it, in a row, without anybody leaving
