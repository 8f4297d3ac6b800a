"""Numbers of the club rulebook that the page tells beside our own; no option changes them, and no game uses them."""

from __future__ import annotations

CLUB: dict[str, float] = {
    "club_edition_day": 1,
    "club_edition_year": 2026,
    "club_seating_s": 30,
    "club_draw_nights": 3,
    "club_draw_points": 0.3,
    "club_last_word_points": -0.8,
}
