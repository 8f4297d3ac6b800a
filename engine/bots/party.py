"""Bots that play party Mafia. None of them holds the floor: nobody interrupts a bot."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine.bots import bluff, temper
from engine.bots.evidence import Setting
from engine.bots.house import HouseBot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.bots.bot import Lang
    from engine.numbers import Numbers


class PartyBot(HouseBot):
    """Plays one seat of party Mafia."""

    ruleset = "party"
    setting = Setting("detective", parity=True, last_words=False)
    choices: ClassVar[Mapping[str, Callable[[PartyBot], None]]]

    def _discussion(self) -> None:
        """A claim is made here, in words; the checks are shown by signs in the defences."""
        if not self.scene.lives:
            return
        if (self.is_seeker and self.claims_now()) or (self.is_black and bluff.bluffs(self)):
            self.claim()
        self.talk()

    def _nomination(self) -> None:
        if not self.scene.its_turn:
            return
        suspects = self.suspects()
        target = suspects[0] if suspects else None
        if target is None or target in self.scene.nominees:
            self.do("pass")
        elif self.is_worth_it(target) and (not self.scene.nominees or self.stands_out(target)):
            self.speak("nominate", target)
            self.do("nominate", target=target)  # ends the turn
        else:
            self.do("pass")

    def stands_out(self, seat: int) -> bool:
        """Whether a seat looks blacker than all that are up by enough to add its name."""
        up = max(self.score(nominee) for nominee in self.scene.nominees)
        return self.score(seat) > up + temper.NAME_BETTER_BY or self.chance(temper.NAME_ANYWAY)


PartyBot.choices = {
    "shot": PartyBot.shoot,
    "check": PartyBot.check,
    "protect": PartyBot.protect,
    "discussion": PartyBot._discussion,
    "nomination": PartyBot._nomination,
    "defence": PartyBot.defend,
    "vote": PartyBot.vote_or_abstain,
}


def make(seat: int, lang: Lang, seed: int, numbers: Numbers) -> PartyBot:
    """A bot for one seat."""
    return PartyBot(seat, lang, seed, numbers)
