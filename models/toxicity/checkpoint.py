"""Read a checkpoint in Detoxify's own format without running anything that is in it.

Detoxify's own loader reads checkpoints with `torch.load(weights_only=False)`, which runs whatever code a file names.
Here a file may hold plain containers and tensors alone (`weights_only=True`, sound from torch 2.6 on: CVE-2025-32434),
and may name four model classes and their tokenizers, nothing else of Transformers.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from models.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import torch

ARCHITECTURES: Final[Mapping[str, tuple[str, ...]]] = {
    "BertForSequenceClassification": ("BertTokenizer", "BertTokenizerFast"),
    "RobertaForSequenceClassification": ("RobertaTokenizer", "RobertaTokenizerFast"),
    "XLMRobertaForSequenceClassification": ("XLMRobertaTokenizer", "XLMRobertaTokenizerFast"),
    "AlbertForSequenceClassification": ("AlbertTokenizer", "AlbertTokenizerFast"),
}
"""The classes that a checkpoint may name, each with its tokenizers."""

LABELS: Final[Mapping[str, str]] = {
    "toxic": "toxicity", "severe_toxic": "severe_toxicity", "identity_hate": "identity_attack",
    "toxicity": "toxicity", "severe_toxicity": "severe_toxicity", "identity_attack": "identity_attack",
    "obscene": "obscene", "threat": "threat", "insult": "insult", "sexual_explicit": "sexual_explicit",
}  # fmt: skip
"""The labels that a checkpoint may have, each with the name that Detoxify gives it."""

MOST_CLASSES: Final = 64


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a file holds: `labels` are the first of its `outputs`; further ones are of training alone."""

    model_class: str
    tokenizer_class: str
    outputs: int
    labels: tuple[str, ...]
    weights: dict[str, torch.Tensor]


def read_checkpoint(path: Path) -> Checkpoint:
    """Read the file into memory, on the CPU. Raises ModelError where it is not such a checkpoint, or holds more."""
    import torch

    try:
        held: Any = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise ModelError(
            f"{path} is refused: it holds more than containers and tensors, which could run code, or is damaged"
        ) from error
    except Exception as error:  # torch and zipfile raise a dozen kinds for files that are damaged
        raise ModelError(f"{path} can't be read: {type(error).__name__}") from error
    arguments = _dict(_dict(_dict(_dict(held, path)["config"], path)["arch"], path)["args"], path)
    data = _dict(_dict(_dict(held["config"], path)["dataset"], path)["args"], path)
    model_class, tokenizer_class = arguments["model_name"], arguments["tokenizer_name"]
    if not isinstance(model_class, str) or model_class not in ARCHITECTURES:
        raise ModelError(f"{path}: expected one of {', '.join(ARCHITECTURES)}, got {model_class!r:.80}")
    if tokenizer_class not in ARCHITECTURES[model_class]:
        wanted = " or ".join(ARCHITECTURES[model_class])
        raise ModelError(f"{path}: expected the tokenizer {wanted}, got {tokenizer_class!r:.80}")
    outputs, labels = arguments["num_classes"], data["classes"]
    if type(outputs) is not int or not 1 <= outputs <= MOST_CLASSES:
        raise ModelError(f"{path}: expected 1 to {MOST_CLASSES} classes, got {outputs!r:.80}")
    return Checkpoint(
        model_class, tokenizer_class, outputs, _labels(labels, outputs, path), _weights(held["state_dict"], path)
    )


class _Fields(dict[str, Any]):
    """A part of a checkpoint; a field that is not there is the file's fault."""

    path: Path

    def __missing__(self, name: str) -> Any:
        raise ModelError(f"{self.path} is no checkpoint of Detoxify's: it has no {name!r}")


def _dict(value: object, path: Path) -> _Fields:
    if not isinstance(value, dict):
        raise ModelError(f"{path} is no checkpoint of Detoxify's: expected config and state_dict")
    fields = _Fields(value)
    fields.path = path
    return fields


def _labels(given: object, outputs: int, path: Path) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not 0 < len(given) <= outputs:
        raise ModelError(f"{path}: expected the labels of at most {outputs} outputs, got {given!r:.80}")
    unknown = [label for label in given if not isinstance(label, str) or label not in LABELS]
    if unknown:
        raise ModelError(f"{path}: expected labels of Detoxify's, got {unknown[0]!r:.80}")
    labels = tuple(LABELS[label] for label in given)
    if len(set(labels)) < len(labels):
        raise ModelError(f"{path}: expected each label once, got {given!r:.200}")
    return labels


def _weights(given: object, path: Path) -> dict[str, torch.Tensor]:
    import torch

    if not isinstance(given, dict) or not given:
        raise ModelError(f"{path}: expected weights, got none")
    for name, weight in given.items():
        if not isinstance(name, str) or not isinstance(weight, torch.Tensor):
            raise ModelError(f"{path}: expected tensors by their names, got {type(weight).__name__}")
    return dict(given)
