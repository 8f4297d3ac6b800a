"""From a checkpoint to a real `Detoxify`, offline: what its own loader does, without its hub and its pickle.

Detoxify's loader asks the hub for the configuration whatever it is told (unitaryai/detoxify#126, open). Here the
configuration and the tokenizer are read from the model's folder alone.
"""

from __future__ import annotations

import contextlib
import os
import warnings
from typing import TYPE_CHECKING, Any, Final

from models.errors import ModelError
from models.toxicity.checkpoint import read_checkpoint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from models.toxicity.checkpoint import Checkpoint
    from models.toxicity.find import Found

QUIET: Final = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1",
}
"""The environment in which Transformers is imported: nobody is asked, nobody is told."""

LEFT_OUT: Final = (".position_ids", ".pooler.dense.weight", ".pooler.dense.bias")
"""What files of older versions of Transformers hold, and the model computes or has no use for."""


def load_detoxify(found: Found) -> Any:
    """A `detoxify.Detoxify` of the folder's checkpoint, in full precision, on the CPU.

    Raises ModelError where the files do not fit each other: every weight of the model is in the file, with its shape.
    """
    os.environ.update(QUIET)
    checkpoint = read_checkpoint(found.checkpoint)
    with _quiet():
        import torch
        import transformers
        from detoxify import Detoxify

        transformers.utils.logging.set_verbosity_error()
        transformers.utils.logging.disable_progress_bar()
        model_class = getattr(transformers, checkpoint.model_class)
        tokenizer_class = getattr(transformers, checkpoint.tokenizer_class)
        try:
            config = model_class.config_class.from_pretrained(
                found.directory, num_labels=checkpoint.outputs, local_files_only=True
            )
            with torch.device("meta"):
                shapes = {name: weight.shape for name, weight in model_class(config).state_dict().items()}
            weights = _fitting(checkpoint, shapes, found)
            model = model_class.from_pretrained(None, config=config, state_dict=weights)
            tokenizer = tokenizer_class.from_pretrained(found.directory, local_files_only=True)
        except ModelError:
            raise
        except Exception as error:  # Transformers raises what it meets: of JSON, of shapes, of tokenizers
            said = " ".join(str(error).split())
            raise ModelError(f"model {found.name} does not load: {type(error).__name__}: {said:.300}") from error
    if len(tokenizer) > config.vocab_size:
        raise ModelError(f"{found.directory}: the tokenizer has {len(tokenizer)} tokens, the model {config.vocab_size}")
    # Roberta's positions begin behind the padding's number; a longer text would run out of them.
    first = config.pad_token_id + 1 if "roberta" in config.model_type else 0
    tokenizer.model_max_length = min(tokenizer.model_max_length, config.max_position_embeddings - first)
    made = Detoxify.__new__(Detoxify)  # its __init__ is the loader that is not wanted
    made.model, made.tokenizer = model.eval(), tokenizer
    made.class_names, made.device = list(checkpoint.labels), "cpu"
    return made


def _fitting(checkpoint: Checkpoint, shapes: dict[str, Any], found: Found) -> dict[str, Any]:
    """The weights that the model takes."""
    weights = {
        name: weight for name, weight in checkpoint.weights.items() if name in shapes or not name.endswith(LEFT_OUT)
    }
    if missing := sorted(shapes.keys() - weights.keys()):
        raise ModelError(f"{found.checkpoint}: {missing[0]} is missing, and {len(missing) - 1} others")
    if unknown := sorted(weights.keys() - shapes.keys()):
        raise ModelError(f"{found.checkpoint}: {unknown[0]:.80} is no weight of a {checkpoint.model_class}")
    for name, weight in weights.items():
        if weight.shape != shapes[name] or not weight.is_floating_point():
            got = f"{weight.dtype} {list(weight.shape)}"
            raise ModelError(f"{found.checkpoint}: {name}: config.json has {list(shapes[name])}, the file has {got}")
    return weights


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what these libraries will do without some day
        yield
