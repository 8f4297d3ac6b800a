"""The models that are asked for a second opinion, all in one form: lines in, verdicts for a person out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from models.toxicity.find import check_installed, locate
from moderation import CATEGORIES, Hit, Verdict, consider
from moderation.detoxify import pieces, second_opinion
from moderation.modelstage import MODEL_RULE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from models.toxicity.scoring import ToxicityModel

SENTENCES: Final = "sentences"
"""The embedded model that knows sentences (`moderation.consider`)."""
WARM_UP: Final = "the first line after loading takes longer"


class Opinions(Protocol):
    """A loaded model. `precision`: what it computes in; `labels`: what it tells apart."""

    precision: str
    labels: Sequence[str]

    def of(self, lines: Sequence[tuple[str, str]]) -> list[Verdict]:
        """What is thought of lines, (text, language): scores, and where a person is to be asked, why."""


class Sentences:
    """The opinions of the embedded model."""

    precision = "float32"
    labels: Sequence[str] = CATEGORIES

    def of(self, lines: Sequence[tuple[str, str]]) -> list[Verdict]:
        """See Opinions. What the rules alone have found is left out: it is known."""
        return [_own(consider(text, "ru" if lang == "ru" else "en")) for text, lang in lines]


class Toxicity:
    """The opinions of one of Detoxify's models."""

    def __init__(self, model: ToxicityModel) -> None:
        self._model = model
        self.precision = model.precision
        self.labels: Sequence[str] = list(model.labels)

    def of(self, lines: Sequence[tuple[str, str]]) -> list[Verdict]:
        """See Opinions."""
        read = [pieces(text) for text, _ in lines]
        scores = iter(self._model.scores([piece.text for some in read for piece in some]))
        return [second_opinion(some, [next(scores) for _ in some]) for some in read]


def load(data_dir: Path, name: str, device: str, threads: int) -> Opinions:
    """The model `name` (SENTENCES, or a toxicity model's), found, verified, loaded and run once. Raises ModelError."""
    model = Sentences() if name == SENTENCES else _toxicity(data_dir, name, device, threads)
    model.of([(WARM_UP, "en")])
    return model


def _toxicity(data_dir: Path, name: str, device: str, threads: int) -> Toxicity:
    check_installed()
    from models.toxicity.scoring import ToxicityModel

    return Toxicity(ToxicityModel(locate(name, data_dir), device, threads=threads))


def _own(verdict: Verdict) -> Verdict:
    """The model's part in a verdict: its reasons, for a person."""
    why = tuple(hit for hit in verdict.why if _of_model(hit))
    return Verdict(scores=verdict.scores, why=why, review=bool(why))


def _of_model(hit: Hit) -> bool:
    return hit.rule == MODEL_RULE or hit.rule.endswith(f"+{MODEL_RULE}")
