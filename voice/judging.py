"""Judging lines outside a table, for `moderate` and `bench moderation`: the rules, and a toxicity model where one is.

The model is loaded in this process and asked at once, where a server asks a process of its own, late.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from moderation import Verdict, judge
from moderation.second import pieces, second_opinion, together

if TYPE_CHECKING:
    from pathlib import Path

    from models.checksums import Progress
    from models.toxicity.scoring import ToxicityModel
    from moderation import Language

RULES: Final = "rules"
DEVICES: Final = ("cpu", "cuda")


class ModelOptionError(Exception):
    """A model or a device that can't be used; one line that names the option. `ours`: the files that we fetched."""

    def __init__(self, message: str, *, ours: bool = False) -> None:
        super().__init__(message)
        self.ours = ours


@dataclass(frozen=True, slots=True)
class Judging:
    """The rules, and `model` where there is one."""

    model: ToxicityModel | None = None

    def first(self, text: str, lang: Language) -> Verdict:
        """What the rules say: what a table acts on."""
        return judge(text, lang)

    def second(self, text: str) -> Verdict | None:
        """What the model says; None where there is none."""
        if self.model is None:
            return None
        read = pieces(text)
        return second_opinion(read, self.model.scores([piece.text for piece in read]))

    def both(self, text: str, lang: Language) -> Verdict:
        """What moderators see in the end."""
        first, second = self.first(text, lang), self.second(text)
        return first if second is None else together(first, second)


def open_judging(model: str | None, data_dir: Path, device: str = "cpu", progress: Progress | None = None) -> Judging:
    """The rules alone (`rules`, or None), or with a toxicity model: a published one's name, or a folder.

    A published one that is not in the data folder is fetched. Raises ModelOptionError.
    """
    from models.errors import ModelError
    from models.toxicity.catalogue import PUBLISHED
    from models.toxicity.find import locate, look_for

    if device not in DEVICES:
        raise ModelOptionError(f"--device: expected {' or '.join(DEVICES)}, got {device!r:.40}")
    if model is None or model == RULES:
        return Judging()
    try:
        if model not in PUBLISHED:
            _check_name(model)
        look_for(model)
    except ModelError as error:
        raise ModelOptionError(f"--model: {error}") from error
    try:
        from models.toxicity.scoring import ToxicityModel

        return Judging(ToxicityModel(locate(model, data_dir, progress), device))
    except ModelError as error:
        raise ModelOptionError(f"--model: {error}", ours=model in PUBLISHED) from error


def _check_name(model: str) -> None:
    """Before what the extra lacks is told: raises ModelError where the name is of nothing."""
    from models.errors import ModelError
    from models.toxicity.catalogue import PUBLISHED
    from models.toxicity.find import is_folder

    if not is_folder(model):
        known = ", ".join((RULES, *PUBLISHED))
        raise ModelError(f"expected a toxicity model's folder, or one of {known}, got {model!r:.200}")
