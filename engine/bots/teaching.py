"""Bots that play teaching Mafia."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine.bots import temper
from engine.bots.evidence import Setting
from engine.bots.house import HouseBot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.bots.bot import Lang
    from engine.numbers import Numbers


class TeachingBot(HouseBot):
    """Plays one seat of teaching Mafia."""

    ruleset = "teaching"
    setting = Setting("detective", parity=False, last_words=False)
    choices: ClassVar[Mapping[str, Callable[[TeachingBot], None]]]

    def lost_with(self, living: int, black: int) -> bool:
        """The mafia wins with so few others left."""
        limit: int = getattr(self.numbers, "mafia_wins_at", 1)
        return living - black <= limit

    def _speech(self) -> None:
        if not self.scene.its_turn:
            return
        if self.scene.day == self.scene.night and len(self.scene.living) == self.scene.seats:
            self.speak("saved")
        self.answer_claims()
        self.opinion()
        self.do("pass")

    def _nomination(self) -> None:
        """The first name is the day's: whoever is surer is quicker."""
        if not self.scene.lives:
            return
        suspects = self.suspects()
        if suspects and (self.is_worth_it(suspects[0]) or self.chance(temper.NAME_ANYWAY)):
            self.pace = 1.0 - temper.SURE_IS_QUICKER * self.believed()[suspects[0]]
            self.do("nominate", target=suspects[0])
            self.speak("nominate", suspects[0])


TeachingBot.choices = {
    "shot": TeachingBot.shoot,
    "check": TeachingBot.check,
    "protect": TeachingBot.protect,
    "speech": TeachingBot._speech,
    "nomination": TeachingBot._nomination,
    "defence": TeachingBot.defend,
    "vote": TeachingBot.vote_or_abstain,
}


def make(seat: int, lang: Lang, seed: int, numbers: Numbers) -> TeachingBot:
    """A bot for one seat."""
    return TeachingBot(seat, lang, seed, numbers)
