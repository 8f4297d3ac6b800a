"""Keystrokes to what the player wants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

WITH_SEAT: Final = {"n": "nominate", "v": "vote", "k": "shoot", "c": "check"}
"""Then the seat: one digit, `0` for seat 10, or two digits after a `1` within a second."""
PLAIN: Final = {
    "p": "pass",
    "m": "mute",
    "q": "quit",
    "?": "help",
    "r": "ready",
    "f": "floor",
    "o": "ok",
    "y": "accept",
    "x": "decline",
}
RUSSIAN: Final = dict(zip("тмлсзьйкащнч", "nvkcpmqrfoyx", strict=True))
"""The same keys of a keyboard that is in Russian."""
TEN_WITHIN_S: Final = 0.7

Kind = Literal["command", "accept", "decline", "mute", "quit", "help", "ready", "unknown", "prompt"]


@dataclass(frozen=True, slots=True)
class Wish:
    """One thing that was asked for. `do`, `target`: of a command; `key`: what was pressed."""

    kind: Kind
    do: str = ""
    target: int = 0
    key: str = ""


class Keys:
    """A letter, or a letter and a seat. `press` gives what is to be done now."""

    def __init__(self) -> None:
        self._letter = ""
        self._one_at: float | None = None

    def press(self, char: str, now: float) -> Wish | None:
        """One key; None where more must come, or `expire`."""
        key = RUSSIAN.get(char.lower(), char.lower())
        if self._one_at is not None:
            letter, self._letter, self._one_at = self._letter, "", None
            if key in "012345":
                return Wish("command", WITH_SEAT[letter], 10 + int(key))
            self._letter = letter
            return self._seat(1)
        if self._letter and key.isascii() and key.isdigit():
            if key == "1":
                self._one_at = now
                return None
            return self._seat(int(key) or 10)
        self._letter = ""
        if key in WITH_SEAT:
            self._letter = key
            return Wish("prompt", WITH_SEAT[key])
        if key in ("\x03", "\x04"):
            return Wish("quit")
        if key not in PLAIN:
            return Wish("unknown", key=key) if key.isprintable() and key.strip() else None
        word = PLAIN[key]
        if word in ("accept", "decline", "mute", "quit", "help", "ready"):
            return Wish(word)  # type: ignore[arg-type]  # one of the six kinds
        return Wish("command", word)

    def expire(self, now: float) -> Wish | None:
        """Seat 1, when no second digit followed."""
        if self._one_at is None or now - self._one_at < TEN_WITHIN_S:
            return None
        self._one_at = None
        return self._seat(1)

    def _seat(self, seat: int) -> Wish:
        letter, self._letter = self._letter, ""
        return Wish("command", WITH_SEAT[letter], seat)
