"""What a seat is called where no person has it."""

from __future__ import annotations

from typing import Final

_BOT: Final = {"en": "Bot", "ru": "Бот"}


def bot_name(seat: int, lang: str) -> str:
    """A bot's name at a table of that language."""
    return f"{_BOT.get(lang, _BOT['en'])} {seat}"
