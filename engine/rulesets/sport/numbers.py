"""The table of numbers of sport Mafia. Nothing else in the code repeats one of them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.numbers import SigningNumbers, points, seconds, whole


@dataclass(frozen=True, slots=True)
class SportNumbers(SigningNumbers):
    """Times in seconds; `points_removal` is added, so it is below nought."""

    seats: int = whole(10, 10, 10)
    agreement_s: float = seconds(60)
    speech_s: float = seconds(60)
    short_speech_s: float = seconds(30)
    short_turn_s: float = seconds(10)
    vote_s: float = seconds(60)
    tie_speech_s: float = seconds(30)
    lift_s: float = seconds(60)
    shot_s: float = seconds(20)
    don_check_s: float = seconds(20)
    sheriff_check_s: float = seconds(20)
    best_move_s: float = seconds(20)
    last_word_s: float = seconds(60)

    skip_fouls: int = whole(3, 1, 1000)
    removal_fouls: int = whole(4, 1, 1000)
    short_speech_living: int = whole(4, 0, 10)  # with so many or fewer, a third foul shortens the speech

    nominations: int = whole(1, 0, 10)  # a player and day
    first_day_nominees: int = whole(2, 1, 10)  # fewer on day 1: no vote
    lift_barred_tied: int = whole(3, 0, 10)  # so many tied seats out of ...
    lift_barred_living: int = whole(9, 0, 10)  # ... so many living: the lift is not asked

    best_move_seats: int = whole(3, 0, 10)
    best_move_barred_leavers: int = whole(2, 1, 10)  # so many voted out or lifted on day 1: no best move
    draw_nights: int = whole(3, 1, 1000)

    points_win: float = points(1.3)
    points_loss: float = points(0.3)
    points_draw: float = points(0)
    points_best_move_3: float = points(0.7)
    points_best_move_2: float = points(0.5)
    points_removal: float = points(-0.8)
