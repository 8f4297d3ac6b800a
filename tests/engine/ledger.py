"""What a reader of the contract knows of a game at each moment: the fold of the moderators' log, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.engine.facts import Facts

Json = Mapping[str, Any]


@dataclass
class KnownLine:
    """A line somebody has flagged or reported."""

    seat: int
    flagged: bool = False
    ruled: bool = False


@dataclass
class Ledger:
    """A game of one ruleset with its options. `see` every event, and tell `did` every command that was accepted."""

    facts: Facts
    options: Mapping[str, object]
    cards: dict[int, str] = field(default_factory=dict)
    living: list[int] = field(default_factory=list)
    phase: Json = field(default_factory=dict)
    phases: int = 0
    mic: list[int] = field(default_factory=list)
    night: int = 0
    day: int = 0
    over: bool = False
    abandoned: bool = False
    winner: str | None = None
    left: list[tuple[int, str]] = field(default_factory=list)
    left_today: int = 0
    day_1_leavers: int = 0
    nominees: list[int] = field(default_factory=list)
    nominators: Counter[int] = field(default_factory=Counter)
    tied: list[int] = field(default_factory=list)
    voted: set[int] = field(default_factory=set)
    picks: dict[int, int] = field(default_factory=dict)
    shot: int | None = None
    protected: int | None = None
    checked: set[int] = field(default_factory=set)
    floor: int | None = None
    floor_until: float = 0.0
    floors: set[int] = field(default_factory=set)
    fouls: Counter[int] = field(default_factory=Counter)
    lines: dict[object, KnownLine] = field(default_factory=dict)
    away: dict[int, float] = field(default_factory=dict)
    bots: set[int] = field(default_factory=set)
    idle: int = 0
    night_runs: bool = False
    best_moves: dict[int, list[int]] = field(default_factory=dict)

    @property
    def mafia(self) -> list[int]:
        """All seats of the mafia's team."""
        return [seat for seat, card in self.cards.items() if card in self.facts.mafia]

    @property
    def living_mafia(self) -> list[int]:
        """The living ones."""
        return [seat for seat in self.mafia if seat in self.living]

    @property
    def candidates(self) -> list[int]:
        """Who may be voted for now, in nomination order."""
        if self.tied:
            return self.tied
        return self.living if self.facts.name == "quick" else self.nominees

    def holder(self, card: str) -> int:
        """The seat with the one card of that name."""
        return next(seat for seat, held in self.cards.items() if held == card)

    def open_mics(self) -> list[int]:
        """Whose microphone the table of phases opens now."""
        name = self.phase["name"]
        if name == "over":
            return sorted(self.cards)
        mic = self.facts.phases[name].mic
        if mic == "living":
            return [self.floor] if self.floor is not None else sorted(self.living)
        return [self.phase["seat"]] if mic == "seat" else []

    def result(self) -> str | None:
        """Whose win is certain now, or `draw`."""
        mafia, living = len(self.living_mafia), len(self.living)
        if not mafia:
            return "town"
        if self.facts.name == "teaching":
            return "mafia" if living - mafia <= self.facts.number("mafia_wins_at", self.options) else None
        if mafia >= living - mafia:
            return "mafia"
        limit = {"sport": "draw_nights", "quick": "draw_cycles"}.get(self.facts.name)
        return "draw" if limit and self.idle >= self.facts.number(limit, self.options) else None

    def killed(self) -> int | None:
        """Whom the shots of the night that is ending have killed."""
        dead = self.shot is None or self.shot == self.protected or self.shot not in self.living
        return None if dead else self.shot

    def did(self, command: Json) -> None:
        """A command was accepted. Only those that no event tells of are noted."""
        if command["do"] in ("vote", "lift") or (command["do"] == "pass" and self.phase["name"] == "vote"):
            self.voted.add(command["seat"])
        elif command["do"] == "ruling":
            self.lines[command["line"]].ruled = True

    def see(self, event: Json) -> None:
        """Takes in one event as it is stored."""
        getattr(self, f"_{event['event']}", lambda _: None)(event)

    def _dealt(self, event: Json) -> None:
        self.cards[event["seat"]] = event["card"]
        self.living.append(event["seat"])

    def _night(self, event: Json) -> None:
        self.night = event["number"]

    def _day(self, event: Json) -> None:
        self.day = event["number"]
        self.left_today = 0
        self.nominees, self.nominators, self.tied = [], Counter(), []

    def _phase(self, event: Json) -> None:
        ended = self.phase.get("name")
        if ended == "shot":
            targets = {self.picks.get(seat) for seat in self.living_mafia}
            self.shot = targets.pop() if len(targets) == 1 else None
        self.phase, self.phases = event, self.phases + 1
        self.picks = {}
        self.voted = set()
        self.floor = None
        name = event["name"]
        if name == "discussion":
            self.floors = set()
        if name == self.facts.night[-1]:
            self.night_runs = True
        if name == "over":
            self.over = True

    def _mic(self, event: Json) -> None:
        if self.floor is not None and self.mic == [self.floor]:
            self.floor = None
        self.mic = event["seats"]

    def _floor(self, event: Json) -> None:
        self.floor, self.floor_until = event["seat"], event["until"]
        self.floors.add(event["seat"])

    def _pick(self, event: Json) -> None:
        self.picks[event["seat"]] = event["target"]

    def _answer(self, event: Json) -> None:
        if self.cards[event["seat"]] == "don":
            self.checked.add(event["target"])

    def night_ends(self) -> None:
        """The last night phase is over: called before the first event of the morning is looked at."""
        self.night_runs = False
        if "protect" in self.facts.phases:
            self.protected = self.picks.get(self.holder("doctor"))
        elif self.facts.night == ("shot",):
            targets = {self.picks.get(seat) for seat in self.living_mafia}
            self.shot = targets.pop() if len(targets) == 1 else None
        self.picks = {}
        if self.facts.name == "sport" or not self.left_today:
            self.idle += 1

    def _nominated(self, event: Json) -> None:
        self.nominators[event["by"]] += 1
        if event["seat"] not in self.nominees:
            self.nominees.append(event["seat"])

    def _tie(self, event: Json) -> None:
        self.tied = event["seats"]

    def _left(self, event: Json) -> None:
        self.living.remove(event["seat"])
        self.left.append((event["seat"], event["how"]))
        self.left_today += 1
        self.idle = 0
        if self.day == 1 and event["how"] in ("vote", "lift"):
            self.day_1_leavers += 1

    def _best_move(self, event: Json) -> None:
        self.best_moves[event["seat"]] = event["seats"]

    def _fouled(self, event: Json) -> None:
        self.fouls[event["seat"]] = event["fouls"]

    _cleared = _fouled

    def _flagged(self, event: Json) -> None:
        self.lines.setdefault(event["line"], KnownLine(event["seat"])).flagged = True

    _warned = _held = _kept = _flagged

    def _reported(self, event: Json) -> None:
        self.lines.setdefault(event["line"], KnownLine(event["target"]))

    def flagged(self, command: Json) -> None:
        """An accepted `line`: its foul's event does not name the line."""
        self.lines.setdefault(command["line"], KnownLine(command["seat"])).flagged = True

    def _away(self, event: Json) -> None:
        self.away[event["seat"]] = event["until"]

    def _back(self, event: Json) -> None:
        del self.away[event["seat"]]

    def _bot(self, event: Json) -> None:
        del self.away[event["seat"]]
        self.bots.add(event["seat"])

    def _decided(self, event: Json) -> None:
        self.winner = event["winner"]

    def _abandoned(self, _event: Json) -> None:
        self.abandoned = True
