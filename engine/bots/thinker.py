"""What every thinking bot is made of: a scene, the evidence, a belief of its own, and a voice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from engine.bots import temper
from engine.bots.belief import Known
from engine.bots.bot import Lang, Move
from engine.bots.evidence import Evidence, Setting
from engine.bots.reasons import reason
from engine.bots.scene import Scene
from engine.bots.words import Voice
from engine.rulesets import ruleset as find_ruleset
from engine.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.numbers import Numbers


class Thinker:
    """Plays one seat by what it believes. The same seat, language, seed and views give the same moves.

    A red seat believes what it knows and has seen. A black one knows its team; what it shows is what a red player
    in its seat would believe, and it acts on that as far as it does not harm its own.
    """

    ruleset: ClassVar[str]
    setting: ClassVar[Setting]
    choices: ClassVar[Mapping[str, Callable[[Any], None]]]

    def __init__(self, seat: int, lang: Lang, seed: int, numbers: Numbers) -> None:
        """numbers: the game's table of numbers, which every player knows."""
        self.seat = seat
        self.numbers = numbers
        self.stream = Stream(seed * 1_000_003 + seat)
        self.scene = Scene(self.ruleset, seat, numbers)
        self.evidence = Evidence(self.scene, self.setting, self.team_size(numbers))
        self.shown: dict[int, bool] = {}
        self.claimed = False
        self.pace = 1.0  # of the next moves: a smaller number is quicker
        self._voice = Voice(lang, self.stream, colours=self.setting.colours)
        low, high = -temper.LEANING, temper.LEANING
        self._leaning = [low + (high - low) * self.stream.chance() for _ in range(numbers.seats + 1)]
        self._acted_in = 0
        self._wants: list[tuple[str, object]] = []
        self._black: list[float] | None = None

    def team_size(self, numbers: Numbers) -> int:
        """How many black seats the game has."""
        return sum(card in self.scene.mafia_cards for card in find_ruleset(self.ruleset).deck(numbers))

    def see(self, event: Mapping[str, Any]) -> None:
        """Takes in one event, in the form the seat was shown it."""
        self.scene.see(event)
        self.evidence.see(event)
        if event["event"] in ("said", "signed") and event["seat"] == self.seat:
            self._recall()
        self.rethink()

    def _recall(self) -> None:
        """What the own seat has claimed and shown, also before the bot took over."""
        shown = self.evidence.claims.get(self.seat)
        if shown is not None:
            self.claimed = True
            self.shown.update(shown)

    def act(self, now: float) -> list[Move]:
        """What the bot wants to do in the running phase, in order of time; empty when asked again in the same phase.

        Where its seat has done something already before the bot took over, such as voted, the table refuses the
        second one, and nothing is lost.
        """
        scene = self.scene
        if self._acted_in == scene.phase or scene.ends is None:
            return []
        self._acted_in = scene.phase
        choose = self.choices.get(scene.phase_name)
        if choose is None:
            return []
        self._wants = []
        choose(self)
        return self._timed(now, scene.ends) if self._wants else []

    # what is wanted, in order, and when

    def do(self, do: str, **fields: object) -> None:
        """Wants a command of the own seat."""
        self._wants.append(("command", {"do": do, "seat": self.seat, **fields}))

    def speak(self, topic: str, seat: int | None = None, because: tuple[str, int] | None = None) -> None:
        """Wants a line to be shown as spoken by the own seat."""
        self._wants.append(("caption", self._voice.line(topic, seat, because)))

    def chance(self, probability: float) -> bool:
        """Whether something of that probability comes to pass."""
        return self.stream.chance() < probability

    def _timed(self, now: float, ends: float) -> list[Move]:
        low, high = temper.PAUSE_S if self.scene.its_turn else temper.THINK_S
        if self.scene.phase_name == "discussion":
            low, high = temper.TALK_S
        longest = max(0.0, ends - now) * temper.LATEST / len(self._wants)
        at, pace, moves = now, self.pace, []
        self.pace = 1.0
        for kind, what in self._wants:
            at += min((low + (high - low) * self.stream.chance()) * pace, longest)
            moves.append(Move(round(at, 3), self.scene.phase, **{kind: what}))  # type: ignore[arg-type] # by its name
        return moves

    # what is believed

    @property
    def is_black(self) -> bool:
        """Whether the own seat is of the mafia's team."""
        return bool(self.scene.team)

    @property
    def is_seeker(self) -> bool:
        """Whether the own seat holds the card that checks for the mafia."""
        return bool(self.setting.seeker) and self.scene.card == self.setting.seeker

    def own_checks(self) -> dict[int, bool]:
        """The answers that the own seat has got as seeker: by target, whether it is black."""
        return {target: answer in BLACK_ANSWERS for target, answer in self.scene.checks.items()}

    def known(self) -> Known:
        """What the own seat knows, or, being black, pretends to know: that it is red, and the checks it has shown."""
        seat = self.seat
        if self.is_black:
            checks, seeks = self.shown, self.claimed
        else:
            checks, seeks = self.own_checks(), self.is_seeker
        red = frozenset([seat, *(target for target, black in checks.items() if not black)])
        black = frozenset(target for target, is_black in checks.items() if is_black)
        own = Known(red, black, seat if seeks else 0, frozenset() if seeks else frozenset((seat,)))
        return self.evidence.known(own)

    def believed(self) -> list[float]:
        """By seat, how likely it is to be black, for who knows what `known` says; found once until more is seen."""
        if self._black is None:
            self._black = self.evidence.belief.posterior(self.known()).black
        return self._black

    def public(self) -> list[float]:
        """The same for who knows only what everybody does: how the table sees each seat, the own one included."""
        return self.evidence.belief.posterior(self.evidence.public()).black

    def rethink(self) -> None:
        """What the own seat shows, or pretends to know, has changed."""
        self._black = None

    def score(self, seat: int) -> float:
        """How much the own seat would like another to leave: a probability, moved by its leaning."""
        return self.believed()[seat] + self._leaning[seat]

    def suspects(self) -> list[int]:
        """The other living seats, from whom the own one would see leave first."""
        return sorted(self.scene.others(), key=lambda seat: (-self.score(seat), seat))

    def say_suspect(self, seat: int) -> None:
        """Names a suspect, with a reason where there is one."""
        because = reason(self.evidence, seat, self.believed(), self.seat)
        if because is not None:
            self.speak("suspect_because", seat, because)
        else:
            self.speak("suspect", seat)


BLACK_ANSWERS = frozenset({"black", "mafia"})
"""Answers to a check that say so of the seat asked for."""
