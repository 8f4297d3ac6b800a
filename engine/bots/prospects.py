"""What a position is worth to the town, reckoned ahead: a shot each night, a vote each day, until it is decided."""

from __future__ import annotations

from functools import lru_cache

from engine.bots import temper


@lru_cache(maxsize=1024)
def prospects(living: int, black: int) -> float:
    """The town's chance at nightfall, with so many living, so many of them black.

    Each shot takes a red seat; each vote takes a black one `temper.VOTE_SKILL` times as often as a lot would.
    """
    if black == 0:
        return 1.0
    if living <= 2 * black:
        return 0.0
    by_day = living - 1
    if by_day <= 2 * black:
        return 0.0
    hit = min(1.0, temper.VOTE_SKILL * black / by_day)
    return hit * prospects(by_day - 1, black - 1) + (1.0 - hit) * prospects(by_day - 1, black)
