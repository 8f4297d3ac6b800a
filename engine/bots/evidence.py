"""From what all have seen to weights over the deals, and the record that reasons are drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.bots import weights
from engine.bots.belief import NOBODY, Belief, Known

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.bots.scene import Scene

BLACK_SIGNS = frozenset({"black", "mafia", "don"})
RED_SIGNS = frozenset({"red", "civilian"})

LAST_WORD_SAYS = {True: "ask", False: "defend"}
"""The button by which a leaving claimant calls a seat black (True) or red: whom a leaver asks can't answer it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a ruleset's bots reckon with.

    seeker: the card that checks for the mafia, empty where there is none.
    parity: whether the mafia has won when it is as many as the others. last_words: whether leavers may still speak.
    colours: whether cards are called red and black.
    first_check: the night of the seeker's first check. vote: what a vote for a seat says of the voter and of it.
    """

    seeker: str
    parity: bool
    last_words: bool
    colours: bool = False
    first_check: int = 1
    vote: weights.Tie = weights.HOUSE_VOTE


@dataclass(frozen=True, slots=True)
class Cast:
    """A vote that was cast, and between whom."""

    voter: int
    target: int
    candidates: tuple[int, ...]


class Evidence:
    """The fold of public events into a Belief. Two seats that saw the same game hold equal ones.

    belief: the weights. revealed: seats whose card was turned over, black or not. casts, nominations, best_moves:
    the record; best_moves by author. asked: how often each seat was asked a question since the day or night began.
    """

    __slots__ = (
        "_quiet_leavers",
        "_speaker",
        "_spoke",
        "asked",
        "belief",
        "best_moves",
        "casts",
        "nominations",
        "revealed",
        "scene",
        "seeker_out",
        "setting",
    )

    def __init__(self, scene: Scene, setting: Setting, size: int) -> None:
        self.scene = scene
        self.setting = setting
        self.belief = Belief(scene.seats, size, has_don="don" in scene.mafia_cards, has_seeker=bool(setting.seeker))
        self.revealed: dict[int, bool] = {}
        self.seeker_out = 0
        self.asked: dict[int, int] = {}
        self.casts: list[Cast] = []
        self.nominations: list[tuple[int, int]] = []
        self.best_moves: dict[int, tuple[int, ...]] = {}
        self._quiet_leavers: list[int] = []
        self._speaker = 0
        self._spoke: set[int] = set()

    def see(self, event: Mapping[str, Any]) -> None:
        """Takes in one event, after the scene has."""
        fold = _FOLDS.get(event["event"])
        if fold is not None:
            fold(self, event)

    def public(self) -> Known:
        """What everybody knows for certain."""
        return self.known(Known())

    def known(self, own: Known) -> Known:
        """What everybody knows, and what is known besides."""
        if not self.revealed:
            return own
        red = own.red | {seat for seat, black in self.revealed.items() if not black}
        black = own.black | {seat for seat, is_black in self.revealed.items() if is_black}
        not_seeker = own.not_seeker | {seat for seat in self.revealed if seat != self.seeker_out}
        return Known(red, black, own.seeker or self.seeker_out, not_seeker)

    @property
    def claims(self) -> dict[int, dict[int, bool]]:
        """By claimant of the seeker's card, whom it has called black (True) or red."""
        return self.belief.claims

    def _phase(self, event: Mapping[str, Any]) -> None:
        speaker, belief = self._speaker, self.belief
        if speaker and belief.claims and speaker not in belief.claims and speaker not in self._spoke:
            self._spoke.add(speaker)
            belief.silence[speaker] += weights.SILENT_RIVAL_LOG
        self._speaker = event["seat"] if event["name"] == "speech" else 0

    def _goes_on(self, _event: Mapping[str, Any]) -> None:
        living, belief = self.scene.living, self.belief
        self.asked.clear()
        belief.goes_on(living, (len(living) - 1) // 2 if self.setting.parity else belief.size)
        for seat in self._quiet_leavers:
            if seat not in belief.claims:
                belief.silence[seat] += weights.SILENT_LEAVER_LOG
        self._quiet_leavers.clear()

    def _nominated(self, event: Mapping[str, Any]) -> None:
        by, seat = event["by"], event["seat"]
        self.nominations.append((by, seat))
        self.belief.note(by, seat, weights.NOMINATION)

    def _votes(self, event: Mapping[str, Any]) -> None:
        """Where a choice was made: between two or more, or between one and nobody."""
        permits = self.scene.permits
        candidates = tuple(self.scene.candidates)
        if len(candidates) < 2 and not permits.may_abstain:
            return
        # Where every seat is up, passing over one of them says nothing.
        up = () if permits.votes_anybody and event["round"] == 1 else candidates
        note = self.belief.note
        for name, target in event["votes"].items():
            voter = int(name)
            if target is not None and target != voter:
                self.casts.append(Cast(voter, target, up))
                note(voter, target, self.setting.vote)
            if target != voter:
                for other in up:
                    if other != target:
                        note(voter, other, weights.SPARED)

    def _lifted(self, event: Mapping[str, Any]) -> None:
        for name, yes in event["votes"].items():
            for seat in self.scene.candidates:
                self.belief.note(int(name), seat, weights.LIFT_YES if yes else weights.LIFT_NO)

    def _left(self, event: Mapping[str, Any]) -> None:
        seat, how = event["seat"], event["how"]
        if "card" in event:
            self.revealed[seat] = event["card"] in self.scene.mafia_cards
            if event["card"] == self.setting.seeker:
                self.seeker_out = seat
        elif how == "shot":
            self.belief.note_seat(seat, weights.SHOT_LOG)
        if how != "removal" and self.setting.last_words:
            self._quiet_leavers.append(seat)

    def _best_move(self, event: Mapping[str, Any]) -> None:
        self.best_moves[event["seat"]] = tuple(event["seats"])
        for seat in event["seats"]:
            self.belief.note_seat(seat, weights.BEST_MOVE_LOG)

    def _said(self, event: Mapping[str, Any]) -> None:
        """A claim; or, in a claimant's last word, where no sign is allowed, its checks by the two other buttons."""
        seat, kind = event["seat"], event["kind"]
        if kind == "claim":
            if event["card"] == self.setting.seeker:
                self.belief.claims.setdefault(seat, {})
        elif self.scene.phase_name == "last_word" and seat in self.belief.claims:
            self.belief.claims[seat][event["target"]] = kind == LAST_WORD_SAYS[True]
        elif kind == "ask":
            self._ask(seat, event["target"])

    def _signed(self, event: Mapping[str, Any]) -> None:
        """Who shows a check, or the seeker's card alone, says that it is the seeker, with or without a word.

        A seat shown black, or as whom to vote for, is asked a question.
        """
        seat, seeker = event["seat"], self.setting.seeker
        match event["sentence"]:
            case [str(card)] if seeker and card == seeker:
                self.belief.claims.setdefault(seat, {})
            case ["check", int(target), str(colour)] if seeker and self._is_seat(target):
                if colour in BLACK_SIGNS or colour in RED_SIGNS:
                    self.belief.claims.setdefault(seat, {})[target] = colour in BLACK_SIGNS
            case [int(target), ("black" | "mafia")] | ["vote", int(target)] if self._is_seat(target):
                self._ask(seat, target)

    def _ask(self, seat: int, target: int) -> None:
        self.asked[target] = self.asked.get(target, 0) + 1
        self.belief.note(seat, target, weights.QUESTION)

    def _is_seat(self, number: int) -> bool:
        return 1 <= number <= self.scene.seats


_FOLDS: dict[str, Callable[[Evidence, Mapping[str, Any]], None]] = {
    "phase": Evidence._phase,
    "day": Evidence._goes_on,
    "night": Evidence._goes_on,
    "nominated": Evidence._nominated,
    "votes": Evidence._votes,
    "lifted": Evidence._lifted,
    "left": Evidence._left,
    "best_move": Evidence._best_move,
    "said": Evidence._said,
    "signed": Evidence._signed,
}

__all__ = ["NOBODY", "Cast", "Evidence", "Setting"]
