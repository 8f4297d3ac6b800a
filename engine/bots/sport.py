"""Bots that play sport Mafia."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine.bots import bluff, temper
from engine.bots.evidence import LAST_WORD_SAYS, Setting
from engine.bots.shots import agreed_target, likeliest_seeker
from engine.bots.thinker import BLACK_ANSWERS, Thinker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.bots.bot import Lang
    from engine.numbers import Numbers

TEAM_SIZE = 3


class SportBot(Thinker):
    """Plays one seat of sport Mafia."""

    ruleset = "sport"
    setting = Setting(frozenset({"mafia", "don"}), "sheriff", parity=True, last_words=True, has_don=True)
    choices: ClassVar[Mapping[str, Callable[[SportBot], None]]]

    def team_size(self, _numbers: Numbers) -> int:
        """The don and two mafia."""
        return TEAM_SIZE

    # judging

    def critical(self) -> bool:
        """Whether a red seat leaving today, and one tonight, would bring parity, as far as the own seat believes."""
        living = self.scene.living
        black = self.believed()
        expected = round(sum(black[seat] for seat in living)) if not self.is_black else self._living_team()
        return len(living) - 2 <= 2 * max(1, expected)

    def _living_team(self) -> int:
        return sum(seat in self.scene.living for seat in self.scene.team)

    def score(self, seat: int) -> float:
        """As any bot's; a black seat spares its own, and pushes whom its don has found."""
        score = super().score(seat)
        scene = self.scene
        if seat in scene.team:
            last = self._living_team() == 1 or self.critical()
            return score - (temper.LAST_SHIELD if last else temper.SHIELD)
        if scene.checks.get(seat) == "sheriff":
            return score + temper.HUNT
        return score

    # the day

    def _speech(self) -> None:
        if not self.scene.its_turn:
            return
        self._answer_claims()
        self._opinion()
        self._name()
        self.do("pass")

    def _answer_claims(self) -> None:
        """The own claim and checks; or a word on those of others."""
        if self.is_seeker and (self.seat in self.evidence.claims or self._claims_now()):
            checks = {target: answer in BLACK_ANSWERS for target, answer in self.scene.checks.items()}
            self._show(checks)
        elif self.is_black and (self.seat in self.evidence.claims or bluff.bluffs(self)):
            self._show(bluff.false_checks(self))

    def _claims_now(self) -> bool:
        """Whether it pays the sheriff to come out in this speech: it will be shot for it."""
        scene = self.scene
        if self.evidence.claims or self.seat in scene.nominees:
            return True
        found = [seat for seat, answer in scene.checks.items() if answer in BLACK_ANSWERS and seat in scene.living]
        if found and self.chance(temper.CLAIM_ON_BLACK):
            return True
        return len(scene.checks) >= temper.CLAIM_AFTER_CHECKS or bool(scene.checks and self.critical())

    def _show(self, checks: dict[int, bool]) -> None:
        """Claims the sheriff's card where it has not, and signs the checks that were not shown yet."""
        claims = self.evidence.claims
        if self.seat not in claims:
            rivals = [seat for seat in claims if seat in self.scene.living]
            self.do("say", kind="claim", card=self.setting.seeker)
            self.speak("counter" if rivals else "claim_sheriff", rivals[0] if rivals else None)
        fresh = [(seat, black) for seat, black in checks.items() if seat not in self.shown]
        room = max(0, getattr(self.numbers, "signs_per_speech", 0) - self.scene.signs)
        leaving = not self.scene.lives
        for seat, black in fresh if leaving else fresh[:room]:
            if leaving:
                self.do("say", kind=LAST_WORD_SAYS[black], target=seat)
            else:
                self.do("sign", sentence=["check", seat, "black" if black else "red"])
            self.speak("check_black" if black else "check_red", seat)
            self.shown[seat] = black
        if not checks:
            self.speak("no_checks")
        self.rethink()

    def _opinion(self) -> None:
        scene, evidence = self.scene, self.evidence
        suspects = self.suspects()
        accusers = [claimant for claimant, shown in evidence.claims.items() if shown.get(self.seat)]
        if accusers:
            self.speak("shown", accusers[-1])
        elif self.seat in scene.nominated_by and scene.nominated_by[self.seat] != self.seat:
            self.speak("accused", scene.nominated_by[self.seat])
        if not suspects:
            return
        black = self.believed()
        claimants = sorted((seat for seat in evidence.claims if seat != self.seat), key=lambda seat: black[seat])
        if claimants and self.seat not in evidence.claims and claimants[0] not in accusers:
            if len(claimants) == 1 and black[claimants[0]] < 0.5:
                self.speak("believe", claimants[0])
            elif len(claimants) > 1:
                self.speak("torn", claimants[0])
        if scene.day > 1 and self.critical() and self.chance(0.3):
            self.speak("critical")
        if scene.day == 1 and not accusers and self.chance(0.6):
            self.speak("opening")
        elif self.chance(0.8):
            self.say_suspect(suspects[0])
        else:
            self.speak("trust", suspects[-1])

    def _name(self) -> None:
        target = self._nominee()
        if target is not None:
            self.do("nominate", target=target)
            self.speak("nominate", target)
        elif self.scene.nominees and self.chance(0.4):
            best = max(self.scene.nominees, key=self._against)
            if best != self.seat:
                self.speak("agree", best)
        elif self.chance(0.4):
            self.speak("done")

    def _against(self, seat: int) -> tuple[float, int]:
        """Orders candidates by how much the own seat would see them leave; never itself."""
        return (self.score(seat) if seat != self.seat else -2.0), -seat

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
            self._answer_claims()
        others = [seat for seat in self.scene.candidates if seat != self.seat]
        if others:
            self.speak("tie", max(others, key=self._against))
        else:
            self.speak("defence")
        self.do("pass")

    def _last_word(self) -> None:
        if not self.scene.its_turn:
            return
        if self.is_seeker:
            self._show({target: answer in BLACK_ANSWERS for target, answer in self.scene.checks.items()})
        suspects = self.suspects()
        if suspects and self.chance(0.7):
            self.speak("last_suspect", suspects[0])
        self.speak("last_word")
        self.do("pass")

    def _vote(self) -> None:
        ballots = self.scene.ballots()
        if ballots:
            self.do("vote", target=max(ballots, key=self._against))

    def _lift(self) -> None:
        scene = self.scene
        if not scene.lives:
            return
        tied = scene.candidates
        if self.is_black:
            own = sum(seat in scene.team for seat in tied)
            yes = own == 0 or (own < len(tied) / 2 and self._living_team() > own + 1)
        else:
            black = self.believed()
            mean = sum(black[seat] for seat in tied) / max(1, len(tied))
            yes = self.seat not in tied and mean >= temper.LIFT_FROM
        self.do("lift", yes=yes)

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

    def _sheriff_check(self) -> None:
        """The seat that the answer says most about: the nearer to even, the better, and rather black than red."""
        targets = [seat for seat in self.scene.seeker_checks("sheriff") if seat not in self.scene.checks]
        if targets:
            self.do("check", target=max(targets, key=lambda seat: (min(self.score(seat), 0.6), -seat)))


SportBot.choices = {
    "agreement": SportBot._agreement,
    "speech": SportBot._speech,
    "short_turn": SportBot._short_turn,
    "vote": SportBot._vote,
    "tie_speech": SportBot._tie_speech,
    "lift": SportBot._lift,
    "shot": SportBot._shot,
    "don_check": SportBot._don_check,
    "sheriff_check": SportBot._sheriff_check,
    "best_move": SportBot._best_move,
    "last_word": SportBot._last_word,
}


def make(seat: int, lang: Lang, seed: int, numbers: Numbers) -> SportBot:
    """A bot for one seat."""
    return SportBot(seat, lang, seed, numbers)
