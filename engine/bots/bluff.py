"""When a black seat claims the seeker's card, and which checks it then makes up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.bots import temper

if TYPE_CHECKING:
    from engine.bots.talker import Talker


def bluffs(bot: Talker) -> bool:
    """Whether a black seat that has not claimed does so now: one of the team at most, and not without need."""
    claims, scene = bot.evidence.claims, bot.scene
    if not bot.setting.seeker or any(seat in claims for seat in scene.team):
        return False
    if not claims:
        return scene.day > 1 and bot.in_danger() and bot.chance(temper.BLUFF_IN_DANGER)
    if any(shown.get(bot.seat) for shown in claims.values()):
        return bot.chance(temper.BLUFF_CAUGHT)
    if not any(seat in scene.living for seat in claims):
        return False  # whoever claimed was shot for it, and is believed
    return bot.chance(temper.BLUFF_DON if scene.card == "don" else temper.BLUFF_MAFIA)


def false_checks(bot: Talker) -> dict[int, bool]:
    """The made-up checks so far, and one more for each night in which the real card may have checked.

    They never say of a seat whose card has been turned over what it is not, nor of any seat two things.
    """
    scene, evidence = bot.scene, bot.evidence
    checks = dict(bot.shown)
    nights = max(0, scene.night - bot.setting.first_check + 1)
    rivals = [seat for seat in evidence.claims if seat not in scene.team and seat in scene.living]
    fresh = [seat for seat in bot.suspects() if seat not in checks and seat not in evidence.revealed]
    while len(checks) < nights and fresh:
        own = [seat for seat in fresh if seat in scene.team]
        if rivals and rivals[0] in fresh:
            target, black = rivals[0], True
        elif own and bot.chance(temper.BLUFF_NAMES_OWN_RED):
            target, black = own[0], False
        else:
            others = [seat for seat in fresh if seat not in scene.team]
            if not others:
                break
            target, black = others[0], bot.chance(temper.BLUFF_BLACK)
        checks[target] = black
        fresh.remove(target)
    return checks
