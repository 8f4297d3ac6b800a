"""Where a club host would have penalised or done otherwise: for the rulesets of which clubs have a rulebook.

Such a ruleset has the table of its differences as `CLUB`, in the module that it is registered with here. Every row of
the table is there, in its order. A row is `derived` from the log, has `nothing` in it that a game could show, or is one
that a log `can't` tell; the last two say why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from engine.errors import GameError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from engine.review.course import Course, Stage
    from engine.review.played import Played
    from engine.review.players import Player
    from engine.review.timeline import SpokenLine
    from engine.rulebook.rule import Lang, Words

Finder: TypeAlias = "Callable[[Course, Played, Mapping[int, Player], Sequence[SpokenLine]], Iterator[Finding]]"


@dataclass(frozen=True, slots=True)
class Finding:
    """One place. note: what a club host would have made of it. more: what else the log says of it."""

    t: float
    stage: Stage
    seat: int | None
    note: Words
    more: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self, lang: Lang) -> dict[str, Any]:
        """Every field by its name."""
        return {
            "t": self.t, "stage": self.stage.to_json(), "seat": self.seat, "note": self.note.say(lang), **self.more
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table. club: what a club does. find: the places in a game where it matters, where a log has them.

    why: where it has none, why.
    """

    id: str
    club: Words
    find: Finder | None = None
    why: Words | None = None
    can: Literal["derived", "nothing", "can't"] = "derived"


MODULES: dict[str, str] = {"sport": "engine.review.sport.club"}
"""Where each ruleset that has a table has it as `CLUB`; the others are house games without a club."""


def register(ruleset: str, module: str) -> None:
    """Makes a ruleset's table known: `module`, imported when first asked for, has it as `CLUB`.

    Raises:
        GameError: the ruleset has one already.
    """
    if MODULES.get(ruleset, module) != module:
        raise GameError(f"ruleset {shown(ruleset)} has its club table in {MODULES[ruleset]}")
    MODULES[ruleset] = module


def rows_of(ruleset: str) -> tuple[Row, ...]:
    """The rows of a ruleset's table; none for a ruleset without a club rulebook."""
    module = MODULES.get(ruleset)
    if module is None:
        return ()
    rows: tuple[Row, ...] = import_module(module).CLUB
    return rows


def club_of(
    course: Course, played: Played, players: Mapping[int, Player], lines: Sequence[SpokenLine], lang: Lang
) -> list[dict[str, Any]]:
    """The table's rows with what was found for each, as JSON objects; none for a ruleset without a club rulebook."""
    rows: list[dict[str, Any]] = []
    for row in rows_of(played.ruleset):
        found = row.find(course, played, players, lines) if row.find is not None else ()
        said: dict[str, Any] = {"row": row.id, "club": row.club.say(lang), "can": row.can}
        if row.why is not None:
            said["why"] = row.why.say(lang)
        rows.append(said | {"found": [finding.to_json(lang) for finding in found]})
    return rows
