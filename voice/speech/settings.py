"""What the speech service can be told."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from models.catalogue import DEFAULT_BY_LANGUAGE
from voice.speech.cadence import BEHIND_S, CadenceRules
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
    begin with a likely end before it is certain; `interim_every_s`: seconds of speech between two captions of speech
    that goes on, None for as often as the load allows; `drafts_below_load`: the share of their time that the processes
    may be busy and still be given those. `batch` utterances are given to a process at once; None: 8 on a GPU, else 1.
    """

    models: Mapping[str, str] = field(default_factory=lambda: dict(DEFAULT_BY_LANGUAGE))
    device: str = "cpu"
    compute_type: str | None = None
    workers: int = 1
    threads: int = 1
    min_window_s: float | None = None
    recogniser: str = OURS
    speculate: bool = True
    interim_every_s: float | None = None
    drafts_below_load: float = 0.85
    batch: int | None = None
    endpoint: EndpointRules = field(default_factory=EndpointRules)
    max_waiting_s: float = 600.0
    """So many seconds of a table's whole utterances wait, ..."""
    max_waiting_all_s: float = 3600.0
    """... and so many of all tables' (115 MB); then the oldest are lost, counted, and the table is told."""
    max_packets_bytes: int = 256 * 1024
    """Packets wait for the tap up to this; beyond it new ones are dropped and counted."""

    @property
    def jobs_at_once(self) -> int:
        """How many utterances a process has in hand, at most."""
        return self.batch or (8 if self.device == "cuda" else 1)

    @property
    def cadence(self) -> CadenceRules:
        """How often there are drafts."""
        none_from = self.drafts_below_load
        behind_s = BEHIND_S if none_from < math.inf else math.inf
        if self.interim_every_s is None:
            return CadenceRules(none_from=none_from, behind_s=behind_s)
        every_s = self.interim_every_s
        return CadenceRules(often_s=every_s, seldom_s=every_s, none_from=none_from, behind_s=behind_s)

    @property
    def ear(self) -> EndpointRules:
        """The endpointer's rules, with drafts as often as there ever are."""
        return replace(self.endpoint, draft_every_s=self.cadence.often_s)

    @classmethod
    def of_model(cls, model: str | None, device: str = "cpu", recogniser: str | None = None) -> SpeechSettings:
        """The same model for every language; None: each language's embedded one, and our own recogniser."""
        models = DEFAULT_BY_LANGUAGE if model is None else dict.fromkeys(DEFAULT_BY_LANGUAGE, model)
        return cls(models=dict(models), device=device, recogniser=recogniser or OURS)
