"""Our recogniser, told beforehand that a game of Mafia is played: `--recogniser voice.speech.prompted`.

What it gains and what it costs: docs/speech.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from models.prompts import GAME
from models.store import locate
from models.whisper import WindowedWhisper

if TYPE_CHECKING:
    from voice.speech.loading import Options


def load(name: str, options: Options) -> WindowedWhisper:
    """The model `name`, found, verified and loaded. Raises ModelError."""
    return WindowedWhisper(
        locate(name, options.data_dir),
        device=options.device,
        compute_type=options.compute_type,
        threads=options.threads,
        min_window_s=options.min_window_s,
        prompts=GAME,
    )
