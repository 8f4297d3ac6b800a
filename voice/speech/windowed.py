"""Our recogniser: Whisper with a window that fits the utterance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from models.store import locate
from models.whisper import WindowedWhisper

if TYPE_CHECKING:
    from collections.abc import Mapping

    from voice.speech.loading import Options


def load(name: str, options: Options, prompts: Mapping[str, str] | None = None) -> WindowedWhisper:
    """The model `name`, found, verified and loaded; `prompts` by language (`.prompts`). Raises ModelError."""
    return WindowedWhisper(
        locate(name, options.data_dir),
        device=options.device,
        compute_type=options.compute_type,
        threads=options.threads,
        min_window_s=options.min_window_s,
        prompts=prompts,
    )
