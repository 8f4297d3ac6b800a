"""What a player at the terminal sees of the table, folded from the messages of the wire."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

KEPT_CAPTIONS = 200
UNSEEN_S = 0.5
"""A key so soon after a proposal came was meant for what stood there before."""


@dataclass(slots=True)
class Caption:
    """One line that somebody said."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Interim:
    """What a seat is saying: its text, how many characters of it hardly change, and when it was begun (table time)."""

    text: str
    agreed: int = 0
    start: float = 0.0


@dataclass(slots=True)
class TableState:
    """The table as this seat may know it. Times of the table in seconds; `offset_s` leads to monotonic time."""

    name: str = ""
    state: str = ""
    seat: int | None = None
    card: str = ""
    people: dict[int, str] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    phase: str = ""
    phase_seat: int | None = None
    ends: float | None = None
    day: int = 0
    night: int = 0
    mic: frozenset[int] = frozenset()
    linked: frozenset[int] = frozenset()
    left: set[int] = field(default_factory=set)
    captions: list[Caption] = field(default_factory=list)
    interim: dict[int, Interim] = field(default_factory=dict)
    winner: str = ""
    offset_s: float = 0.0
    ice_servers: list[dict[str, Any]] = field(default_factory=list)
    slots: int = 1
    """How many speakers are heard at once."""
    last: int = 0
    """The last numbered message; what comes again is left out."""
    phase_number: int = 0
    proposals: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What this player may have spoken, by kind of command; some of them void by now."""
    proposed_at_s: float = -UNSEEN_S
    """When the last of them changed, monotonic."""

    @property
    def open(self) -> bool:
        """Whether our own microphone is open."""
        return self.seat is not None and self.seat in self.mic

    def left_s(self, now: float) -> float | None:
        """Seconds of the phase that are left at monotonic `now`; None for a phase without an end."""
        return None if self.ends is None else max(0.0, self.ends - (now - self.offset_s))

    def standing(self, now: float) -> list[dict[str, Any]]:
        """The proposals that stand at monotonic `now`, the newest last."""
        return [
            proposal
            for proposal in self.proposals.values()
            if proposal["phase"] == self.phase_number and now - self.offset_s < proposal["until"]
        ]

    def unseen(self, now: float) -> bool:
        """Whether the proposals have changed so lately that a key at monotonic `now` can't be about them."""
        return now - self.proposed_at_s < UNSEEN_S

    def take_proposal(self, now: float) -> dict[str, Any] | None:
        """The command of the newest proposal that stands at monotonic `now`, which is answered by this."""
        if not (standing := self.standing(now)):
            return None
        command: dict[str, Any] = standing[-1]["command"]
        del self.proposals[command["do"]]
        return command

    def who(self, seat: int) -> str:
        """A seat with its name."""
        name = self.people.get(seat, "")
        return f"{seat} {name}" if name else str(seat)

    def take(self, message: dict[str, Any]) -> bool:
        """Fold one message; False for a numbered one that was here before."""
        number = message.get("n")
        if number is not None:
            if number <= self.last:
                return False
            self.last = number
            self.phase_number = message.get("phase", self.phase_number)
        if message["type"] == "clock":
            self.offset_s = message.get("received_s", time.monotonic()) - message["now"]
        else:
            getattr(self, f"_{message['type']}", lambda _message: None)(message)
        return True

    def _welcome(self, message: dict[str, Any]) -> None:
        self.name, self.state, self.ice_servers = message["name"], message["state"], message["ice_servers"]
        self.slots = message["slots"]
        self.proposals = {}
        self.seat = message["seat"] if message["seat"] is not None else self.seat

    def _lobby(self, message: dict[str, Any]) -> None:
        self.waiting = [person["name"] for person in message["people"]]

    def _seated(self, message: dict[str, Any]) -> None:
        self.seat, self.state = message["seat"], "running"
        self.people = {int(seat): person["name"] for seat, person in message["people"].items()}

    def _line(self, message: dict[str, Any]) -> None:
        interim = self.interim.get(message["seat"])
        if interim is not None and interim.start < message["end"]:  # else it is of later words than a late line
            del self.interim[message["seat"]]
        self.captions.append(Caption(message["seat"], message["text"]))
        del self.captions[:-KEPT_CAPTIONS]

    def _interim(self, message: dict[str, Any]) -> None:
        if message["text"]:
            self.interim[message["seat"]] = Interim(message["text"], message["agreed"], message["start"])
        else:
            self.interim.pop(message["seat"], None)

    def _proposal(self, message: dict[str, Any]) -> None:
        self.proposed_at_s = time.monotonic()
        kept = [each for each in self.proposals.values() if each["id"] != message["id"]]
        if message["command"] is not None:
            kept = [each for each in kept if each["command"]["do"] != message["command"]["do"]] + [message]
        self.proposals = {each["command"]["do"]: each for each in kept}

    def _link(self, message: dict[str, Any]) -> None:
        self.linked = frozenset(message["seats"])

    def _event(self, message: dict[str, Any]) -> None:
        event = message["event"]
        match event["event"]:
            case "phase":
                self.phase, self.phase_seat, self.ends = event["name"], event.get("seat"), event["ends"]
            case "mic":
                self.mic = frozenset(event["seats"])
            case "dealt":
                self.card = event["card"]
            case "day":
                self.day = event["number"]
            case "night":
                self.night = event["number"]
            case "left":
                self.left.add(event["seat"])
            case "floor":
                self.phase_seat = event["seat"]
            case "over":
                self.winner, self.state = event["winner"], "over"
            case "abandoned":
                self.state = "over"
