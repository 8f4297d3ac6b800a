"""The contract's tables of the four rulesets, as data for tests. Written from the contract, not from the code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class PhaseFacts:
    """One row of the table of phases.

    seconds: by default. mic: whose is open: `nobody`, the phase's own `seat`, every `living` seat. early: what is
    done in it may end it before its time. follows: the phases that may come directly after it, beside `over`.
    """

    seconds: float
    mic: str = "nobody"
    early: bool = False
    follows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Facts:
    """One ruleset. deck: the cards of so many seats. night: a full night's phases, each at full length, in order."""

    name: str
    seats: range
    deck: Callable[[int], list[str]]
    mafia: frozenset[str]
    first: tuple[str, ...]
    night: tuple[str, ...]
    phases: Mapping[str, PhaseFacts]
    reveals: bool = True
    stoppable: bool = True
    team_picks: bool = False
    numbers: Mapping[str, float] = field(default_factory=dict)

    def number(self, name: str, options: Mapping[str, object]) -> float:
        """A number of the game, as an option sets it or as the contract has it."""
        value = options[name] if name in options else self.numbers.get(name)
        if value is None:
            value = self.phases[name.removesuffix("_s")].seconds
        assert isinstance(value, int | float)
        return value

    def speakers(self) -> set[str]:
        """Speeches in the contract's sense."""
        return {name for name in self.phases if name in SPEECHES}


SPEECHES = frozenset({"speech", "tie_speech", "defence", "last_word"})


def _speech(seconds: float, *follows: str) -> PhaseFacts:
    return PhaseFacts(seconds, "seat", early=True, follows=follows)


def _silent(seconds: float, *follows: str) -> PhaseFacts:
    return PhaseFacts(seconds, "nobody", early=True, follows=follows)


def _timed(seconds: float, *follows: str, mic: str = "nobody") -> PhaseFacts:
    return PhaseFacts(seconds, mic, early=False, follows=follows)


_COMMON = {"away_s": 120}
_TURN = ("speech", "short_turn")

SPORT = Facts(
    "sport", range(10, 11),
    lambda _: ["civilian"] * 6 + ["sheriff", "mafia", "mafia", "don"],
    frozenset({"mafia", "don"}),
    first=("agreement",), night=("shot", "don_check", "sheriff_check"),
    reveals=False, stoppable=False,
    phases={
        "agreement": _silent(60, *_TURN),
        "speech": _speech(60, *_TURN, "vote", "shot"),
        "short_turn": _silent(10, *_TURN, "vote", "shot"),
        "vote": _silent(60, "tie_speech", "lift", "last_word", "shot"),
        "tie_speech": _speech(30, "tie_speech", "vote", "shot"),
        "lift": _silent(60, "last_word", "shot"),
        "shot": _timed(20, "don_check"),
        "don_check": _timed(20, "sheriff_check"),
        "sheriff_check": _timed(20, "best_move", "last_word", *_TURN),
        "best_move": _silent(20, "last_word"),
        "last_word": _speech(60, "last_word", "shot", *_TURN),
    },
    numbers={
        **_COMMON, "signs_per_speech": 3, "signs_per_sentence": 5,
        "short_speech_s": 30, "short_speech_living": 4, "skip_fouls": 3, "removal_fouls": 4,
        "draw_nights": 3, "best_move_seats": 3, "points_win": 1.3, "points_loss": 0.3, "points_draw": 0,
        "points_best_move_3": 0.7, "points_best_move_2": 0.5, "points_removal": -0.8,
    },
)  # fmt: skip

QUICK = Facts(
    "quick", range(6, 11),
    lambda seats: ["mafia"] * 2 + ["town"] * (seats - 2),
    frozenset({"mafia"}),
    first=("recognition",), night=("shot",), team_picks=True,
    phases={
        "recognition": _timed(10, "discussion"),
        "discussion": _timed(180, "vote", mic="living"),
        "vote": _silent(60, "tie_speech", "shot"),
        "tie_speech": _speech(20, "tie_speech", "vote"),
        "shot": _timed(30, "discussion"),
    },
    numbers={**_COMMON, "runoff": 0, "draw_cycles": 2},
)  # fmt: skip

_HOUSE_NIGHT = {"shot": _timed(30, "check"), "check": _timed(30, "protect")}

TEACHING = Facts(
    "teaching", range(6, 7),
    lambda _: ["mafia", "detective", "doctor", "town", "town", "town"],
    frozenset({"mafia"}),
    first=("shot", "check", "protect"), night=("shot", "check", "protect"),
    phases={
        **_HOUSE_NIGHT,
        "protect": _timed(30, "speech"),
        "speech": _speech(60, "speech", "nomination"),
        "nomination": PhaseFacts(30, "living", early=True, follows=("defence", "shot")),
        "defence": _speech(30, "vote"),
        "vote": _silent(30, "shot"),
    },
    numbers={**_COMMON, "mafia_wins_at": 1},
)  # fmt: skip

PARTY = Facts(
    "party", range(7, 14),
    lambda seats: ["mafia"] * (1 if seats <= 8 else 2) + ["detective", "doctor"]
    + ["town"] * (seats - (3 if seats <= 8 else 4)),
    frozenset({"mafia"}),
    first=("shot", "check", "protect"), night=("shot", "check", "protect"), team_picks=True,
    phases={
        **_HOUSE_NIGHT,
        "protect": _timed(30, "discussion"),
        "discussion": _timed(240, "nomination", mic="living"),
        "nomination": _silent(15, "nomination", "defence", "shot"),
        "defence": _speech(30, "defence", "vote"),
        "vote": _silent(60, "shot"),
    },
    numbers={**_COMMON, "floor_s": 30},
)  # fmt: skip

FACTS = {facts.name: facts for facts in (SPORT, QUICK, TEACHING, PARTY)}
RULESETS = tuple(FACTS)
