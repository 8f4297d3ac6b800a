"""Twin games: what a viewer may not know is changed, and what the table has learned stays as it was.

Written from the contract: what is secret and from whom, and which secrets the rules let out: the seat that is killed,
a leaver's card in the rulesets that reveal it, an answer to its seat, the winner.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from engine.replay import Start
from tests.engine.driver import Driven
from tests.engine.facts import FACTS
from tests.engine.follower import refused

if TYPE_CHECKING:
    from random import Random

Viewer: TypeAlias = 'int | Literal["spectator"]'
Command: TypeAlias = dict[str, Any]

ROLES = {"order": "don", "protect": "doctor"}
CHECKERS = {"don_check": "don", "sheriff_check": "sheriff", "check": "detective"}
ON_ANOTHER = ("shoot", "check", "protect", "vote", "nominate")
SECRET = frozenset({"order", "ok", "shoot", "check", "protect"})
BALLOTS = frozenset({"vote", "pass", "lift"})


@dataclass
class Done:
    """One command of a game: when, in which phase (by number), and whether it was accepted."""

    t: float
    command: Command
    phase: int
    accepted: bool


@dataclass
class Window:
    """One phase of a game: from when to when, and who was living in it."""

    number: int
    name: str
    begins: float
    ends: float
    living: list[int]
    killed: int | None = None


@dataclass
class Story:
    """A finished game, read once more: its commands, its phases, and what came out."""

    driven: Driven
    done: list[Done] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)

    @classmethod
    def of(cls, driven: Driven) -> Story:
        """Reads a game that was driven to its end."""
        story = cls(driven)
        game, _ = driven.start.game()
        for t, command in driven.inputs:
            game.advance(t)
            if command is not None:
                phase = game.phase.number
                story.done.append(Done(t, dict(command), phase, not refused(game.command(command, t))))
        living = list(range(1, len(game.cards) + 1))
        for event in driven.events:
            if event.name == "left":
                living = [seat for seat in living if seat != event.fields["seat"]]
            elif event.name == "phase":
                if story.windows:
                    story.windows[-1].ends = event.t
                number, name = len(story.windows) + 1, str(event.fields["name"])
                story.windows.append(Window(number, name, event.t, event.t, living))
            elif event.name == "morning":
                shots = [window for window in story.windows if window.name == "shot"]
                killed = event.fields["killed"]
                shots[-1].killed = killed if isinstance(killed, int) else None
        return story

    def agreed_early(self) -> bool:
        """Whether an `ok` has ended the agreement: the table may conclude who plays black."""
        first = self.windows[0]
        return first.name == "agreement" and first.ends < float(self.driven.game.numbers.agreement_s)  # type: ignore[attr-defined]


class Twin:
    """Makes the twin of a game for one viewer, and plays it."""

    def __init__(self, story: Story, viewer: Viewer, chance: Random) -> None:
        self.story, self.viewer, self.chance = story, viewer, chance
        self.start = story.driven.start
        self.facts = FACTS[self.start.ruleset]
        self.cards = list(story.driven.game.cards)
        self.is_mafia = viewer != "spectator" and self._was(viewer) in self.facts.mafia
        self._deal()
        self.mafia = [seat for seat, card in enumerate(self.cards, 1) if card in self.facts.mafia]
        self.protected: int | None = None
        self.saved: int | None = None
        self.lines = 0

    def _was(self, seat: int) -> str:
        return self.story.driven.game.cards[seat - 1]

    def holder(self, card: str) -> int:
        """Who has the one card of that name in the twin."""
        return self.cards.index(card) + 1

    # the cards

    def _deal(self) -> None:
        """Others' cards change places where nothing that the viewer was shown tells them apart."""
        kept: set[int] = set() if self.viewer == "spectator" else {self.viewer}
        side: set[int] = set()
        sheriff: set[int] = set()
        for event in self.story.driven.events:
            seat = event.fields.get("seat")
            if event.name == "left" and isinstance(seat, int):
                (kept if self.facts.reveals else side).add(seat)
            elif event.name == "answer" and seat == self.viewer:
                target = event.fields["target"]
                assert isinstance(target, int)
                (sheriff if self._was(self.viewer) == "don" else side).add(target)
        if self.is_mafia or self.story.agreed_early():
            side |= set(range(1, len(self.cards) + 1))

        def seems(cards: list[str]) -> list[object]:
            shown: list[object] = [cards[seat - 1] for seat in sorted(kept)]
            shown += [cards[seat - 1] in self.facts.mafia for seat in sorted(side)]
            return shown + [cards[seat - 1] == "sheriff" for seat in sorted(sheriff)]

        shown = seems(self.cards)
        for _ in range(30):
            cards = list(self.cards)
            one, other = self.chance.sample(range(len(cards)), 2)
            cards[one], cards[other] = cards[other], cards[one]
            if seems(cards) == shown:
                self.cards = cards

    # the commands

    def inputs(self) -> list[tuple[float, Command]]:
        """The twin's commands, in order: the table's as they were, others' secret ones anew."""
        kept: list[tuple[float, Command]] = []
        ballots: dict[int, list[int]] = {}
        for done in self.story.done:
            own, do = done.command.get("seat") == self.viewer, done.command["do"]
            window = self.story.windows[done.phase - 1]
            command = done.command if own else self._as_it_was(done, window)
            if command is None:
                continue
            if not own and do in BALLOTS and window.name in ("vote", "lift"):
                ballots.setdefault(done.phase, []).append(len(kept))
            kept.append((done.t, command))
        for places in ballots.values():  # who voted when: the same times, others' ballots in another order
            commands = [kept[place][1] for place in places]
            self.chance.shuffle(commands)
            for place, command in zip(places, commands, strict=True):
                kept[place] = (kept[place][0], command)
        secret = [each for window in self.story.windows for each in self._secrets(window)]
        return sorted([*secret, *kept], key=lambda each: each[0])  # stable: the table's own order stays

    def _as_it_was(self, done: Done, window: Window) -> Command | None:
        """Another's command, if it stays in the twin: what the table or the viewer's team was told of, or follows from.

        A single card's act is its new holder's.
        """
        do, command = done.command["do"], done.command
        if not done.accepted:
            return None
        if do in ROLES and self.is_mafia:
            return None if self.holder(ROLES[do]) == self.viewer else {**command, "seat": self.holder(ROLES[do])}
        if do == "shoot" and self._is_told_of_shots(window):
            return command
        if do == "ok" and self.story.agreed_early():
            return command
        return None if do in SECRET else command

    def _is_told_of_shots(self, window: Window) -> bool:
        return self.is_mafia and self.facts.team_picks and self.viewer in window.living

    def _secrets(self, window: Window) -> list[tuple[float, Command]]:
        match window.name:
            case "agreement":
                return self._orders(window)
            case "shot":
                return self._shots(window)
            case "protect":
                return self._protections(window)
            case "don_check" | "sheriff_check" | "check":
                seat = self.holder(CHECKERS[window.name])
                targets = self.chance.choices(window.living, k=self.chance.randrange(3))
                return [self._at(window, {"do": "check", "seat": seat, "target": target}) for target in targets
                        if seat != self.viewer]  # fmt: skip
        return []

    def _orders(self, window: Window) -> list[tuple[float, Command]]:
        don = self.holder("don")
        if don == self.viewer or self.is_mafia:
            return []
        orders = [
            self.chance.sample(window.living, 1 + self.chance.randrange(9)) for _ in range(self.chance.randrange(3))
        ]
        return [self._at(window, {"do": "order", "seat": don, "seats": order}) for order in orders]

    def _shots(self, window: Window) -> list[tuple[float, Command]]:
        """The same seat is killed, or none; who picked what before is another matter."""
        self.saved = None
        living = [seat for seat in self.mafia if seat in window.living]
        others = [seat for seat in living if seat != self.viewer]
        if self._is_told_of_shots(window):
            return []
        targets = [seat for seat in window.living if seat not in self.mafia or self.facts.name == "sport"]
        if window.killed is not None:
            picks: dict[int, int] = dict.fromkeys(others, window.killed)
        else:
            picks = self._misses(window, living, others, targets)
        made: list[tuple[float, Command]] = []
        for seat, target in picks.items():
            if self.chance.random() < 0.5:
                changed = {"do": "shoot", "seat": seat, "target": self.chance.choice(targets)}
                made.append(self._at(window, changed, first=True))
            made.append(self._at(window, {"do": "shoot", "seat": seat, "target": target}, first=False))
        return made

    def _misses(self, window: Window, living: list[int], others: list[int], targets: list[int]) -> dict[int, int]:
        """Picks that kill nobody: one that the doctor takes back, or two that differ; else not all of them."""
        if living == others and "doctor" in self.cards:
            self.saved = self._may_be_saved(window, targets)
            if self.saved is not None:
                return dict.fromkeys(others, self.saved)
        if len(others) > 1:
            one, two = self.chance.sample(targets, 2)
            return dict(zip(others, (one, two, self.chance.choice(targets)), strict=False))
        mine = self._pick(window, "shoot", self.viewer)
        if others and living != others and mine is not None:
            return {others[0]: self.chance.choice([seat for seat in targets if seat != mine])}
        return {}

    def _may_be_saved(self, window: Window, targets: list[int]) -> int | None:
        doctor, later = self.holder("doctor"), self.story.windows[window.number :]
        if len(later) < 2 or later[1].name != "protect" or doctor not in window.living:
            return None
        protect = later[1]
        if doctor == self.viewer or self.is_mafia:  # protections stay as they were
            pick = self._pick(protect, "protect")
            return pick if pick in targets else None
        free = [seat for seat in targets if seat != self.protected]
        return self.chance.choice(free) if self.chance.random() < 0.7 else None

    def _protections(self, window: Window) -> list[tuple[float, Command]]:
        doctor = self.holder("doctor")
        if doctor == self.viewer or self.is_mafia:
            return []
        shot = self.story.windows[window.number - 3]
        free = [seat for seat in window.living if seat not in (self.protected, shot.killed)]
        wanted = self.saved if self.saved is not None else self.chance.choice([None, *free])
        self.protected = wanted if doctor in window.living else None
        if wanted is None:
            return []
        first = {"do": "protect", "seat": doctor, "target": self.chance.choice(free)}
        picks = [self._at(window, first, first=True)] if self.chance.random() < 0.5 else []
        return [*picks, self._at(window, {"do": "protect", "seat": doctor, "target": wanted}, first=False)]

    def _pick(self, window: Window, do: str, *seats: int | str) -> int | None:
        """The pick that stood at the end of a phase: of whoever made one, or of these seats."""
        picks = [
            done.command["target"]
            for done in self.story.done
            if (done.phase, done.command["do"], done.accepted) == (window.number, do, True)
            and (not seats or done.command["seat"] in seats)
        ]
        return picks[-1] if picks else None

    def _at(self, window: Window, command: Command, *, first: bool | None = None) -> tuple[float, Command]:
        """At some time in a phase; in its first half or its second where that matters."""
        low, high = {None: (0.0, 0.99), True: (0.0, 0.49), False: (0.5, 0.99)}[first]
        part = low + (high - low) * self.chance.random()
        return round(window.begins + (window.ends - window.begins) * part, 6), command

    # the game

    def play(self) -> Driven:
        """The twin's game, to the time at which the first one ended, with attempts in between that are refused."""
        start = Start(self.start.ruleset, self.start.options, self.start.seed, self.cards, self.start.bots)
        twin = Driven.begin(start)
        inputs = self.inputs()
        for number, (t, command) in enumerate(inputs):
            twin.advance(t)
            while self.chance.random() < 0.3:
                self.lines += 1
                self._secret_act(twin, f"secret {self.lines}", [later for _, later in inputs[number:]])
            twin.do(command)
        twin.advance(self.story.driven.game.now)
        return twin

    def _secret_act(self, twin: Driven, line: str, later: list[Command]) -> None:
        """Something that only others, or moderators, learn of: an attempt, a report, a line that is kept or held."""
        game = twin.game
        if game.over:
            return
        seats = range(1, len(game.cards) + 1)
        seat = self.chance.choice([other for other in seats if other != self.viewer])
        target = self.chance.choice(seats)
        left = [other for other in seats if other not in game.living]
        # A line is held of a seat that is one foul short of removal; it is a first line to those flagged later.
        lines = {command["seat"] for command in later if command["do"] == "line"}
        fouls = game.state.conduct.fouls
        last = getattr(game.numbers, "removal_fouls", 10**9) - 1
        short = [other for other in game.living if fouls.get(other, 0) >= last and other not in lines]
        match self.chance.randrange(5):
            case 0:
                twin.do({"do": "report", "seat": seat, "target": target, "line": line})
                if self.chance.random() < 0.5:
                    twin.do({"do": "ruling", "line": line, "uphold": False})
            case 1 if left or short:
                flagged = {"do": "line", "seat": self.chance.choice([*left, *short]), "line": line, "category": "hate"}
                twin.do({**flagged, "severity": "clear"})
            case _:
                do = self.chance.choice(
                    ["shoot", "check", "protect", "vote", "nominate", "lift", "pass", "floor", "ok"]
                )
                attempt: Command = {"do": do, "seat": seat}
                if do in ON_ANOTHER:
                    attempt["target"] = target
                if do == "lift":
                    attempt["yes"] = True
                if refused(copy.deepcopy(game).command(attempt, game.now)):
                    twin.do(attempt)
