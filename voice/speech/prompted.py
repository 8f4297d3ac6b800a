"""Our recogniser, told beforehand that a game of Mafia is played: `--recogniser voice.speech.prompted`.

What it gains and what it costs: docs/speech.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from voice.speech import windowed
from voice.speech.prompts import GAME

if TYPE_CHECKING:
    from models.whisper import WindowedWhisper
    from voice.speech.loading import Options


def load(name: str, options: Options) -> WindowedWhisper:
    """As `windowed.load`."""
    return windowed.load(name, options, GAME)
