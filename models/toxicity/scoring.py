"""A loaded toxicity model: scores of lines, in int8 on a CPU and in half precision on a GPU."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Final

from models.errors import ModelError
from models.toxicity.find import check_installed
from models.toxicity.loading import load_detoxify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.toxicity.find import Found

BATCH: Final = {"cpu": 1, "cuda": 32}
"""Texts that go through the model together. On a CPU each alone: padding costs what company saves, and what a text's
int8 arithmetic rounds would depend on its company."""


class ToxicityModel:
    """Detoxify's scores. Not for use from several threads at once."""

    def __init__(self, found: Found, device: str = "cpu", *, full: bool = False, threads: int = 1) -> None:
        """Load it: seconds, and up to 2.5 GB while it loads. `full`: in full precision, whatever the device.

        Raises ModelError where the files or the device don't do.
        """
        check_installed()
        check_device(device)
        import torch

        torch.set_num_threads(threads)
        self._detoxify = load_detoxify(found)
        if device == "cuda":
            self._detoxify.model.to("cuda")
            self._detoxify.device = "cuda"
        self.precision = "float32"
        """What it computes in."""
        if not full and device == "cuda":
            self._detoxify.model, self.precision = halve(self._detoxify.model), "float16"
        elif not full and (smaller := to_int8(self._detoxify.model)) is not None:
            self._detoxify.model, self.precision = smaller, "int8"
        self._batch = BATCH[device]
        self.labels: tuple[str, ...] = tuple(self._detoxify.class_names)

    def scores(self, texts: Sequence[str]) -> list[dict[str, float]]:
        """Each text's scores by label, 0 to 1. What of a text is beyond the model's length (512 tokens) is not read."""
        found: list[dict[str, float]] = []
        for first in range(0, len(texts), self._batch):
            some = list(texts[first : first + self._batch])
            by_label: dict[str, Any] = self._detoxify.predict(some)
            columns = [by_label[label] if len(some) > 1 else [by_label[label]] for label in self.labels]
            found += [
                {label: min(1.0, max(0.0, float(score))) for label, score in zip(self.labels, row, strict=True)}
                for row in zip(*columns, strict=True)
            ]
        return found

    def tokens(self, text: str) -> list[int]:
        """What the model reads of a text, as numbers."""
        return [int(number) for number in self._detoxify.tokenizer(text, truncation=True)["input_ids"]]


def check_device(device: str) -> None:
    """Raises ModelError where torch does not have it."""
    if device not in BATCH:
        raise ModelError(f"expected cpu or cuda for a toxicity model, got {device!r:.40}")
    if device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise ModelError(f"torch {torch.__version__} finds no CUDA device: use cpu, or install torch's CUDA build")


def halve(model: Any) -> Any:
    """The model in half precision."""
    return model.half()


def to_int8(model: Any) -> Any:
    """The model with the linear layers of its encoder in int8, activations by each text's range; on a CPU.

    The last layers, which make the scores, stay as they are: they cost nothing. None where the processor or the version
    of torch has no such arithmetic.
    """
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `torch.ao` will go some day; what is installed has it
        try:
            from torch.ao.quantization import per_channel_dynamic_qconfig, quantize_dynamic

            layers = {
                name: per_channel_dynamic_qconfig
                for name, part in model.named_modules()
                if isinstance(part, torch.nn.Linear) and ".encoder." in f".{name}."
            }
            return quantize_dynamic(model, layers)
        except (ImportError, AttributeError, RuntimeError, NotImplementedError):
            return None
