"""Judging lines outside a table, for `moderate` and `bench moderation`: the pipeline, and a toxicity model.

The models are loaded in this process and asked at once, where a server asks the slower ones late, off a line's path.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from models.errors import ModelError
from moderation.detoxify import pieces, second_opinion, together
from moderation.pipeline import Pipeline, embedded, rules_alone, second

if TYPE_CHECKING:
    from pathlib import Path

    from models.checksums import Progress
    from models.toxicity.scoring import ToxicityModel
    from moderation import Language, Verdict

EMBEDDED: Final = ("rules", "fast", "second")
"""The rules alone, with the model on the path of a line, or with the one that knows sentences beside that."""
DEFAULT: Final = "second"
DEVICES: Final = ("cpu", "cuda")


class ModelOptionError(Exception):
    """A model or a device that can't be used; one line that names the option. `ours`: the files that we fetched."""

    def __init__(self, message: str, *, ours: bool = False) -> None:
        super().__init__(message)
        self.ours = ours


@dataclass(frozen=True, slots=True)
class Judging:
    """What judges on a line's path, what comes after it (`late`), and a toxicity `model`, where there are such."""

    path: Pipeline = field(default_factory=embedded)
    late: Pipeline | None = None
    model: ToxicityModel | None = None

    def judge(self, text: str, lang: Language) -> Verdict:
        """What all of them come to."""
        return self.with_model(text, (self.late or self.path).judge(text, lang))

    def with_model(self, text: str, verdict: Verdict) -> Verdict:
        """A verdict, and what the toxicity model says where there is one."""
        if self.model is None:
            return verdict
        read = pieces(text)
        return together(verdict, second_opinion(read, self.model.scores([piece.text for piece in read])))


def open_judging(model: str | None, data_dir: Path, device: str = "cpu", progress: Progress | None = None) -> Judging:
    """One of EMBEDDED (DEFAULT where None), or the default with a toxicity model: a published one's name, or a folder.

    A published one that is not in the data folder is fetched. Raises ModelOptionError.
    """
    from models.toxicity.catalogue import PUBLISHED
    from models.toxicity.find import locate, look_for

    if device not in DEVICES:
        raise ModelOptionError(f"--device: expected {' or '.join(DEVICES)}, got {device!r:.40}")
    name = model if model in EMBEDDED else DEFAULT
    try:
        judging = Judging(rules_alone() if name == "rules" else embedded(), second() if name == "second" else None)
    except ModelError as error:
        raise ModelOptionError(f"--model {name}: {error}", ours=True) from error
    if model is None or model == name:
        return judging
    try:
        if model not in PUBLISHED:
            _check_name(model)
        look_for(model)
    except ModelError as error:
        raise ModelOptionError(f"--model: {error}") from error
    try:
        from models.toxicity.scoring import ToxicityModel

        return replace(judging, model=ToxicityModel(locate(model, data_dir, progress), device))
    except ModelError as error:
        raise ModelOptionError(f"--model: {error}", ours=model in PUBLISHED) from error


def _check_name(model: str) -> None:
    """Before what the extra lacks is told: raises ModelError where the name is of nothing."""
    from models.toxicity.catalogue import PUBLISHED
    from models.toxicity.find import is_folder

    if not is_folder(model):
        known = ", ".join((*EMBEDDED, *PUBLISHED))
        raise ModelError(f"expected a toxicity model's folder, or one of {known}, got {model!r:.200}")
