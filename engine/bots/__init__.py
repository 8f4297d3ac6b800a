"""Bots: they see what their seat is shown, and answer with legal commands and short captions.

A bot is fed its seat's view of every event, as `engine.view.view` makes it, and then asked to `act`. One that takes
over a seat during a game is fed all that the seat was shown so far first.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from engine.bots.bot import Bot, Kind, Lang, Move
from engine.errors import GameError, shown

if TYPE_CHECKING:
    from engine.numbers import Numbers

__all__ = ["Bot", "Kind", "Lang", "Move", "bot_for", "register"]

MODULES: dict[str, str] = {name: f"engine.bots.{name}" for name in ("sport", "quick", "teaching", "party")}
"""Where each ruleset's thinking bots have their `make(seat, lang, seed, numbers)`. For others: `register`."""


def register(ruleset: str, module: str) -> None:
    """Makes a ruleset's thinking bots known: `module`, imported when first asked for, has their `make`.

    Raises:
        GameError: the ruleset has bots already.
    """
    if MODULES.get(ruleset, module) != module:
        raise GameError(f"ruleset {shown(ruleset)} has its bots in {MODULES[ruleset]}")
    MODULES[ruleset] = module


def bot_for(ruleset: str, seat: int, lang: str, seed: int, numbers: Numbers, kind: Kind = "thinking") -> Bot:
    """A bot for one seat of a game. The same arguments and the same views give the same moves.

    lang: what it speaks; any but `ru` is English. numbers: the game's table of numbers, which every player knows.
    kind: `thinking`, or `random` for one that draws a legal act by lot and does not speak.

    Raises:
        GameError: there are no bots of that kind, or none for this ruleset: `thinking` ones are to be registered,
            `random` ones need the ruleset's `permits`.
    """
    if kind == "random":
        from engine.bots.chance import ChanceBot

        return ChanceBot(ruleset, seat, seed, numbers)
    if kind != "thinking":
        raise GameError(f"no bots of kind {shown(kind)}: expected thinking or random")
    module = MODULES.get(ruleset)
    if module is None:
        raise GameError(f"no bots for ruleset {shown(ruleset)}: expected one of {', '.join(MODULES)}")
    made: Bot = import_module(module).make(seat, "ru" if lang == "ru" else "en", seed, numbers)
    return made
