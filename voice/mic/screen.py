"""The display: a live panel on a terminal, plain lines anywhere else."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

if TYPE_CHECKING:
    from .state import TableState

BAR_CELLS = 24
LOWEST_DB = -60.0


class Screen(Protocol):
    """Where the player looks."""

    def say(self, line: str) -> None:
        """One thing that happened."""

    def refresh(self, mine_db: float, theirs_db: float, muted: bool) -> None:
        """About ten times a second: levels, and the state as it is now."""

    def close(self) -> None:
        """Leave the terminal as it was."""


class PlainScreen:
    """Lines to a file or a pipe."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def say(self, line: str) -> None:
        """One line."""
        self._out.write(line + "\n")
        self._out.flush()

    def refresh(self, mine_db: float, theirs_db: float, muted: bool) -> None:
        """Nothing moves here."""

    def close(self) -> None:
        """Nothing to put back."""


class LiveScreen:
    """What happened scrolls above; below stand the phase with its clock, the levels and the captions on their way."""

    def __init__(self, state: TableState, words: dict[str, str], console: Console | None = None) -> None:
        self._state = state
        self._words = words
        self._live = Live(console=console, auto_refresh=False, transient=True, redirect_stderr=False)
        self._live.start()

    def say(self, line: str) -> None:
        """One line above the panel."""
        self._live.console.print(Text(line))

    def refresh(self, mine_db: float, theirs_db: float, muted: bool) -> None:
        """Draw the panel anew."""
        self._live.update(panel(self._state, self._words, mine_db, theirs_db, muted, time.monotonic()), refresh=True)

    def close(self) -> None:
        """The panel goes, the lines stay."""
        self._live.stop()


def bar(db: float) -> str:
    """A level from -60 dB to 0 as a bar."""
    cells = round((max(LOWEST_DB, min(0.0, db)) - LOWEST_DB) / -LOWEST_DB * BAR_CELLS)
    return "█" * cells + "·" * (BAR_CELLS - cells)


def panel(state: TableState, words: dict[str, str], mine_db: float, theirs_db: float, muted: bool, now: float) -> Group:
    """The moving part of the display."""
    lines = [
        Text(f"{state.who(seat)}: ", "bright_black")
        .append(said.text[: said.agreed], "white")
        .append(said.text[said.agreed :], "bright_black")
        for seat, said in sorted(state.interim.items())
    ]
    left = state.left_s(now)
    head = Text(state.phase.replace("_", " "), "bold")
    if state.phase_seat:
        head.append(f"  {state.who(state.phase_seat)}")
    if left is not None:
        head.append(f"  {int(left) // 60}:{int(left) % 60:02d}", "bold yellow" if left < 10 else "")
    if muted:
        mic = Text(words["mute_on"], "bold yellow")
    elif state.open:
        mic = Text(words["mic_open"], "bold white on red")
    else:
        mic = Text(words["mic_closed"], "bright_black")
    meter = Text("🎙 ").append(bar(mine_db), "green" if state.open and not muted else "bright_black")
    meter.append("  ").append_text(mic)
    ear = Text("🔊 ").append(bar(theirs_db), "cyan")
    return Group(*lines, head, meter, ear)
