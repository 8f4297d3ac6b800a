"""The table of numbers of teaching Mafia. Nothing else in the code repeats one of them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.numbers import Numbers, seconds, whole


@dataclass(frozen=True, slots=True)
class TeachingNumbers(Numbers):
    """Times in seconds."""

    seats: int = whole(6, 6, 6)

    shot_s: float = seconds(30)
    check_s: float = seconds(30)
    protect_s: float = seconds(30)
    speech_s: float = seconds(60)
    nomination_s: float = seconds(30)
    defence_s: float = seconds(30)
    vote_s: float = seconds(30)

    mafia_wins_at: int = whole(1, 0, 5)  # with so many others left, or fewer, the mafia has won
