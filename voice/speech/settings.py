"""What the speech service can be told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from models.catalogue import DEFAULT_BY_LANGUAGE
from voice.speech.endpointer import EndpointRules
from voice.speech.loading import OURS

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class SpeechSettings:
    """Models by language (an embedded model's name, a folder, or a hub's name), where they run, what may wait.

    `workers` recogniser processes share the utterances; each has its own copy of a model and uses `threads` cores.
    `min_window_s` is the shortest window of sound that a model is given, in seconds (None: as the model needs).
    `recogniser` is the module whose `load` gives such a process its models (see `voice.speech.loading`); `speculate`:
    begin with a likely end before it is certain; `drafts_below_load`: the share of its time that a process may be busy
    and still be given drafts.
    """

    models: Mapping[str, str] = field(default_factory=lambda: dict(DEFAULT_BY_LANGUAGE))
    device: str = "cpu"
    compute_type: str | None = None
    workers: int = 1
    threads: int = 1
    min_window_s: float | None = None
    recogniser: str = OURS
    speculate: bool = True
    drafts_below_load: float = 0.85
    endpoint: EndpointRules = field(default_factory=EndpointRules)
    max_waiting_finals: int = 64
    max_packets_bytes: int = 256 * 1024
    """Packets wait for the tap up to this; beyond it new ones are dropped and counted."""

    @classmethod
    def of_model(cls, model: str | None, device: str = "cpu", recogniser: str | None = None) -> SpeechSettings:
        """The same model for every language; None: each language's embedded one, and our own recogniser."""
        models = DEFAULT_BY_LANGUAGE if model is None else dict.fromkeys(DEFAULT_BY_LANGUAGE, model)
        return cls(models=dict(models), device=device, recogniser=recogniser or OURS)
