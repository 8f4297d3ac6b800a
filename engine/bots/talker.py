"""What thinking bots of every ruleset share in judging and speaking: claims, checks, suspects."""

from __future__ import annotations

from engine.bots import bluff, temper
from engine.bots.evidence import LAST_WORD_SAYS
from engine.bots.reasons import BLACK_ABOVE
from engine.bots.thinker import Thinker

CLAIM_TOPICS = {"sheriff": ("claim_sheriff", "counter"), "detective": ("claim_detective", "counter_detective")}
"""By card: the topic of a claim, and of one against another's."""

SIGNS_OF_A_CHECK = 3
"""`check`, the seat, the colour."""


class Talker(Thinker):
    """A bot with opinions. How its ruleset's phases use them is its subclass's affair."""

    shield = temper.SHIELD
    _judged = 0
    _critical: bool | None = None

    # judging

    def rethink(self) -> None:
        """As any bot; with it what the day is worth."""
        super().rethink()
        self._critical = None

    def critical(self) -> bool:
        """Whether the game would be lost for the town if a red seat left today and another one tonight."""
        if self._critical is None:
            living, black = self.scene.living, self.believed()
            expected = self.living_team() if self.is_black else round(sum(black[seat] for seat in living))
            self._critical = self.lost_with(len(living) - 2, max(1, expected))
        return self._critical

    def lost_with(self, living: int, black: int) -> bool:
        """Whether the town has lost with so many living, so many of them black."""
        return living <= 2 * black

    def living_team(self) -> int:
        """How many of the own team live."""
        return sum(seat in self.scene.living for seat in self.scene.team)

    def score(self, seat: int) -> float:
        """As any bot's, but on a critical day without its leaning: the town must not split its votes then.

        A black seat spares its own, and pushes whom its don has found.
        """
        score = self.believed()[seat] if self.critical() else super().score(seat)
        scene = self.scene
        if seat in scene.team:
            last = self.living_team() == 1 or self.critical()
            return score - (temper.LAST_SHIELD if last else self.shield)
        if scene.checks.get(seat) == "sheriff":
            return score + temper.HUNT
        return score

    def in_danger(self) -> bool:
        """Whether the own seat is up for the vote, and no other that is looks blacker to the table."""
        nominees = self.scene.nominees
        if self.seat not in nominees:
            return False
        public = self.public()
        return all(public[seat] <= public[self.seat] for seat in nominees)

    def against(self, seat: int) -> tuple[float, int]:
        """Orders seats by how much the own one would see them leave; itself last."""
        return (self.score(seat) if seat != self.seat else -2.0), -seat

    # claims and checks

    def check(self) -> None:
        """The seat that the answer says most about: the nearer to even, the better, and rather black than red."""
        checked = self.scene.checks
        targets = [seat for seat in self.scene.seeker_checks(self.setting.seeker) if seat not in (self.seat, *checked)]
        if targets:
            self.do("check", target=max(targets, key=lambda seat: (min(self.score(seat), temper.CHECKS_UP_TO), -seat)))

    def answer_claims(self) -> None:
        """The own claim and checks, true or made up, where it comes to that now."""
        if self.is_seeker and (self.claimed or self.claims_now()):
            self.show(self.own_checks())
        elif self.is_black and (self.claimed or bluff.bluffs(self)):
            self.show(bluff.false_checks(self))

    def claims_now(self) -> bool:
        """Whether it pays the seeker to come out now: it will be shot for it."""
        scene = self.scene
        if self.evidence.claims or (scene.checks and self.in_danger()):
            return True
        found = [seat for seat, black in self.own_checks().items() if black and seat in scene.living]
        if found and self.chance(temper.CLAIM_ON_BLACK):
            return True
        return len(scene.checks) >= temper.CLAIM_AFTER_CHECKS or bool(scene.checks and self.critical())

    def claim(self) -> None:
        """Claims the seeker's card where it has not yet."""
        if self.claimed:
            return
        rivals = [seat for seat in self.evidence.claims if seat != self.seat]
        alone, against = CLAIM_TOPICS[self.setting.seeker]
        self.do("say", kind="claim", card=self.setting.seeker)
        if rivals:
            self.speak(against, rivals[0])
        else:
            self.speak(alone)
        self.claimed = True
        self.rethink()

    def show(self, checks: dict[int, bool]) -> None:
        """Claims, and shows the checks that were not shown yet."""
        self.claim()
        self.show_checks(checks)
        if not checks:
            self.speak("no_checks")

    def show_checks(self, checks: dict[int, bool]) -> None:
        """Shows the checks that were not shown yet: by signs, and with the last word by buttons."""
        leaving = not self.scene.lives
        fresh = [(seat, black) for seat, black in checks.items() if seat not in self.shown]
        for seat, black in fresh if leaving else fresh[: self.signs_left()]:
            if leaving:
                self.do("say", kind=LAST_WORD_SAYS[black], target=seat)
            else:
                self.do("sign", sentence=["check", seat, self.colour_sign(black)])
            self.speak("check_black" if black else "check_red", seat)
            self.shown[seat] = black
        self.rethink()

    def signs_left(self) -> int:
        """How many checks may still be signed in this speech without a foul."""
        if getattr(self.numbers, "signs_per_sentence", 0) < SIGNS_OF_A_CHECK:
            return 0
        return max(0, getattr(self.numbers, "signs_per_speech", 0) - self.scene.signs)

    def colour_sign(self, black: bool) -> str:
        """The sign for what a check has shown."""
        if self.setting.colours:
            return "black" if black else "red"
        return "mafia" if black else "civilian"

    def judge_claims(self, accusers: list[int]) -> None:
        """A word on claims that are new since the own seat last judged them, or on the same now and then."""
        black, claims = self.believed(), self.evidence.claims
        claimants = sorted(claims, key=lambda seat: (black[seat], seat))
        if self.claimed or not claimants or claimants[0] in accusers:
            return
        if len(claims) == self._judged and not self.chance(temper.JUDGES_AGAIN):
            return
        self._judged = len(claims)
        if len(claimants) > 1:
            self.speak("torn", claimants[0])
        elif black[claimants[0]] < BLACK_ABOVE:
            self.speak("believe", claimants[0])

    # opinions

    def opinion(self) -> None:
        """What the own seat answers to those who accuse it, and whom it suspects or trusts."""
        scene, evidence = self.scene, self.evidence
        accusers = [claimant for claimant, shown in evidence.claims.items() if shown.get(self.seat)]
        nominator = scene.nominated_by.get(self.seat, self.seat)
        if accusers:
            self.speak("shown", accusers[-1])
        elif nominator != self.seat:
            self.speak("accused", nominator)
        suspects = self.suspects()
        if not suspects:
            return
        self.judge_claims(accusers)
        if scene.day > 1 and self.critical() and self.chance(temper.SAYS_CRITICAL):
            self.speak("critical")
        if scene.day == 1 and not accusers and self.chance(temper.OPENS):
            self.speak("opening")
        elif self.chance(temper.NAMES_A_SUSPECT):
            self.say_suspect(suspects[0])
        else:
            self.speak("trust", suspects[-1])

    def plead(self, up: list[int]) -> None:
        """The own defence where it is up for the vote with those."""
        others = [seat for seat in up if seat != self.seat]
        if others:
            self.speak("tie", max(others, key=self.against))
        else:
            self.speak("defence")
