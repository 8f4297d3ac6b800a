"""What a protocol sheet's head says and no log knows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Head:
    """Empty texts leave their place on the sheet for a pen."""

    tournament: str = ""
    stage: str = ""
    date: str = ""
    table_no: str = ""
    game_no: str = ""
    judge: str = ""
