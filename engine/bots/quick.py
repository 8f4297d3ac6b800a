"""Bots that play quick Mafia."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine.bots.evidence import Setting
from engine.bots.house import HouseBot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.bots.bot import Lang
    from engine.numbers import Numbers


class QuickBot(HouseBot):
    """Plays one seat of quick Mafia."""

    ruleset = "quick"
    setting = Setting("", parity=True, last_words=False)
    choices: ClassVar[Mapping[str, Callable[[QuickBot], None]]]

    def _tie_speech(self) -> None:
        if self.scene.its_turn:
            self.plead(self.scene.candidates)
            self.do("pass")

    def _recognition(self) -> None:
        """There is nothing to do but to know."""


QuickBot.choices = {
    "recognition": QuickBot._recognition,
    "discussion": QuickBot.talk,
    "vote": QuickBot.vote_or_abstain,
    "tie_speech": QuickBot._tie_speech,
    "shot": QuickBot.shoot,
}


def make(seat: int, lang: Lang, seed: int, numbers: Numbers) -> QuickBot:
    """A bot for one seat."""
    return QuickBot(seat, lang, seed, numbers)
