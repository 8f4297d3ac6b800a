"""What the bots of the house rulesets share: open discussions, nights without an order, votes one may abstain from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.bots import bluff, temper
from engine.bots.reasons import BLACK_ABOVE
from engine.bots.shots import agreed_by_trust
from engine.bots.talker import Talker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.bots.bot import Move


class HouseBot(Talker):
    """Plays one seat of a house ruleset; which phases there are is its subclass's affair."""

    shield = temper.HOUSE_SHIELD
    _shot_at: int | None = None
    _partners: int | None = None

    def see(self, event: Mapping[str, Any]) -> None:
        """As any bot; what a partner of the team picks tonight is seen as well."""
        super().see(event)
        if event["event"] == "pick" and self.scene.phase_name == "shot" and event["seat"] != self.seat:
            self._partners = event["target"]

    def act(self, now: float) -> list[Move]:
        """As any bot; once more where a partner, who may be a person, shoots at another seat than the own one."""
        scene = self.scene
        if scene.phase_name != "shot":
            self._shot_at = self._partners = None
        elif self._shot_at is not None and self._partners not in (None, self._shot_at) and scene.ends is not None:
            target, self._partners = self._partners, None
            if target in scene.shots():
                self._shot_at = target
                self._wants = []
                self.do("shoot", target=target)
                return self._timed(now, scene.ends)
        return super().act(now)

    # the day

    def suspicion_with_table(self, seat: int) -> tuple[float, int]:
        """As `against`, drawn towards whom the table has asked today: scattered votes take nobody out."""
        score, order = self.against(seat)
        return score + temper.FOLLOWS * self.evidence.asked.get(seat, 0), order

    def talk(self) -> None:
        """The own part of an open discussion."""
        if not self.scene.lives:
            return
        self.opinion()
        suspects = self.suspects()
        if suspects and self.chance(temper.ASKS):
            self.do("say", kind="ask", target=suspects[0])

    def is_worth_it(self, seat: int) -> bool:
        """Whether a seat looks black enough to take it out, against not taking anybody out."""
        if seat == self.seat:
            return False
        others = [other for other in self.scene.others() if other not in self.scene.team]
        mean = sum(self.believed()[other] for other in others) / max(1, len(others))
        return self.score(seat) >= mean * temper.REMOVES_ABOVE

    def vote_or_abstain(self) -> None:
        """For the candidate that looks blackest, or for none."""
        ballots = self.scene.ballots()
        if not ballots:
            return
        target = max(ballots, key=self.suspicion_with_table)
        if self.is_worth_it(target):
            self.do("vote", target=target)
        else:
            self.do("pass")

    def defend(self) -> None:
        """The own defence; in another's, the seeker may show what it knows by signs."""
        seeks = self.is_seeker and (self.claimed or self.claims_now())
        if self.scene.its_turn:
            if seeks:
                self.show(self.own_checks())
            self.plead(self.scene.nominees)
            self.do("pass")
        elif self.scene.lives:
            if seeks:
                self.show_checks(self.own_checks())
            elif self.is_black and self.claimed:
                self.show_checks(bluff.false_checks(self))

    # the night

    def shoot(self) -> None:
        """All of the team come to the same seat."""
        shots = self.scene.shots()
        target = agreed_by_trust(self.scene, self.evidence) if shots else None
        if target in shots:
            self._shot_at = target
            self.do("shoot", target=target)

    def protect(self) -> None:
        """A claimant that is believed, else the own seat now and then, else one of those the table trusts."""
        scene = self.scene
        seats = scene.protections()
        if not seats:
            return
        black = self.believed()
        claimants = [seat for seat in self.evidence.claims if seat in seats and black[seat] < BLACK_ABOVE]
        if claimants:
            target = min(claimants, key=lambda seat: black[seat])
        elif self.seat in seats and self.chance(temper.DOCTOR_KEEPS_OWN_SEAT):
            target = self.seat
        else:
            least = min(black[seat] for seat in seats)
            target = self.stream.pick([seat for seat in seats if black[seat] <= least + temper.NEARLY])
        self.do("protect", target=target)
