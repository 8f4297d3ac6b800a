"""Bots that play sport Mafia."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine.bots import temper, weights
from engine.bots.evidence import Setting
from engine.bots.prospects import prospects
from engine.bots.shots import agreed_target, likeliest_seeker
from engine.bots.talker import Talker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.bots.bot import Lang
    from engine.numbers import Numbers


class SportBot(Talker):
    """Plays one seat of sport Mafia."""

    ruleset = "sport"
    setting = Setting(
        seeker="sheriff",
        parity=True,
        last_words=True,
        colours=True,
        first_check=2,
        vote=weights.VOTE,
    )
    choices: ClassVar[Mapping[str, Callable[[SportBot], None]]]

    # the day

    def _speech(self) -> None:
        if not self.scene.its_turn:
            return
        self.answer_claims()
        self.opinion()
        self._name()
        self.do("pass")

    def _name(self) -> None:
        target = self._nominee()
        if target is not None:
            self.do("nominate", target=target)
            self.speak("nominate", target)
        elif self.scene.nominees and self.chance(temper.AGREES):
            best = max(self.scene.nominees, key=self.against)
            if best != self.seat:
                self.speak("agree", best)
        elif self.chance(temper.SAYS_DONE):
            self.speak("done")

    def _nominee(self) -> int | None:
        scene = self.scene
        most: int = getattr(self.numbers, "nominations", 1)
        fresh = [seat for seat in self.suspects() if seat not in scene.nominees]
        if scene.own_nominations >= most or not fresh:
            return None
        best = self.score(fresh[0])
        up = max((self.score(seat) for seat in scene.nominees if seat != self.seat), default=None)
        sure = self.believed()[fresh[0]] > temper.CERTAIN
        if scene.day == 1:
            eager = self.chance(temper.DAY_1_NAMES) or sure
        elif up is None or best > up + temper.NAME_BETTER_BY:
            eager = True
        else:
            eager = sure or self.chance(temper.NAME_ANYWAY)
        return fresh[0] if eager else None

    def _short_turn(self) -> None:
        if not self.scene.its_turn:
            return
        target = self._nominee()
        if target is not None:
            self.do("nominate", target=target)  # ends the turn
        else:
            self.do("pass")

    def _tie_speech(self) -> None:
        if not self.scene.its_turn:
            return
        if self.is_seeker:
            self.show(self.own_checks())
        self.plead(self.scene.candidates)
        self.do("pass")

    def _last_word(self) -> None:
        if not self.scene.its_turn:
            return
        if self.is_seeker:
            self.show(self.own_checks())
        suspects = self.suspects()
        if suspects and self.chance(temper.NAMES_A_SUSPECT):
            self.speak("last_suspect", suspects[0])
        self.speak("last_word")
        self.do("pass")

    def _vote(self) -> None:
        ballots = self.scene.ballots()
        if ballots:
            self.do("vote", target=max(ballots, key=self.against))

    def _lift(self) -> None:
        scene = self.scene
        if not scene.lives:
            return
        yes = self.seat not in scene.candidates and self._gains_by_lift(scene.candidates)
        if self.is_black:
            # A red seat tied with one of the own is a fair trade, but not for the last one.
            own = sum(seat in scene.team for seat in scene.candidates)
            yes = yes and self.living_team() > own
        self.do("lift", yes=yes)

    def _gains_by_lift(self, tied: list[int]) -> bool:
        """Whether the town's chance is expected to be better without all of the tied than with them."""
        living = self.scene.living
        gain = 0.0
        for team, weight in self.evidence.belief.weigh(self.known()):
            black = sum(seat in living for seat in team)
            out = sum(seat in tied for seat in team)
            gain += weight * (prospects(len(living) - len(tied), black - out) - prospects(len(living), black))
        return gain > 0.0

    def _best_move(self) -> None:
        if self.scene.its_turn:
            most: int = getattr(self.numbers, "best_move_seats", 0)
            self.do("best_move", seats=self.suspects()[:most])

    # the night

    def _agreement(self) -> None:
        """The don orders the red seats. No bot says "ok": it would tell who plays with whom."""
        scene = self.scene
        if scene.card == "don":
            red = [seat for seat in scene.living if seat not in scene.team]
            self.do("order", seats=self.stream.shuffled(red))

    def _shot(self) -> None:
        """All follow what all of them know, for a kill takes all."""
        shots = self.scene.shots()
        target = agreed_target(self.scene, self.evidence) if shots else None
        if target is not None:
            self.do("shoot", target=target)

    def _don_check(self) -> None:
        targets = self.scene.don_checks()
        if targets and "sheriff" not in self.scene.checks.values():
            self.do("check", target=likeliest_seeker(self.scene, self.evidence, targets, self.stream))
        elif targets:
            self.do("check", target=self.stream.pick(targets))


SportBot.choices = {
    "agreement": SportBot._agreement,
    "speech": SportBot._speech,
    "short_turn": SportBot._short_turn,
    "vote": SportBot._vote,
    "tie_speech": SportBot._tie_speech,
    "lift": SportBot._lift,
    "shot": SportBot._shot,
    "don_check": SportBot._don_check,
    "sheriff_check": SportBot.check,
    "best_move": SportBot._best_move,
    "last_word": SportBot._last_word,
}


def make(seat: int, lang: Lang, seed: int, numbers: Numbers) -> SportBot:
    """A bot for one seat."""
    return SportBot(seat, lang, seed, numbers)
