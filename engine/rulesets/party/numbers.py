"""The table of numbers of party Mafia. Nothing else in the code repeats one of them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.numbers import FloorNumbers, seconds, whole


@dataclass(frozen=True, slots=True)
class PartyNumbers(FloorNumbers):
    """Times in seconds."""

    seats: int = whole(13, 7, 13)
    second_mafia_seats: int = whole(9, 7, 14)  # from so many seats on there are two mafia, below one

    shot_s: float = seconds(30)
    check_s: float = seconds(30)
    protect_s: float = seconds(30)
    discussion_s: float = seconds(240)
    nomination_s: float = seconds(15)
    defence_s: float = seconds(30)
    vote_s: float = seconds(60)
