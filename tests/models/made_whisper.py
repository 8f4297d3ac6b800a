"""Whisper models of random weights, small and quick: for how a folder is read, not for what a model says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from ctranslate2.specs.model_spec import visit_spec
from ctranslate2.specs.whisper_spec import WhisperSpec

if TYPE_CHECKING:
    from pathlib import Path

WIDTH = 64
_SHAPES = {
    "self_attention/linear_0/weight": (3 * WIDTH, WIDTH),
    "attention/linear_0/weight": (WIDTH, WIDTH),
    "attention/linear_1/weight": (2 * WIDTH, WIDTH),
    "self_attention/linear_1/weight": (WIDTH, WIDTH),
    "attention/linear_2/weight": (WIDTH, WIDTH),
    "ffn/linear_0/weight": (4 * WIDTH, WIDTH),
    "ffn/linear_1/weight": (WIDTH, 4 * WIDTH),
    "conv2/weight": (WIDTH, WIDTH, 3),
}


def make_whisper(
    folder: Path, base: Path, *, mels: int = 80, said_mels: int | None = None, weights: str = "float32"
) -> Path:
    """A multilingual model with `mels` bands; its folder. `base`: the folder of that model, for tokens and tokenizer.

    `said_mels`: what its preprocessor_config.json says (None: there is none).
    """
    folder.mkdir(exist_ok=True)
    tokens = 51_866 if mels == 128 else 51_865  # large-v3 has a language more
    shapes = {
        **_SHAPES,
        "conv1/weight": (WIDTH, mels, 3),
        "embeddings/weight": (tokens, WIDTH),
        "projection/weight": (tokens, WIDTH),
    }
    chance = np.random.default_rng(1)
    spec: Any = WhisperSpec(1, 1, 1, 1)
    spec.encoder.position_encodings.encodings = chance.normal(0.0, 0.05, (1500, WIDTH)).astype(np.float32)
    spec.decoder.position_encodings.encodings = chance.normal(0.0, 0.05, (448, WIDTH)).astype(np.float32)

    def fill(part: Any, name: str, value: Any) -> None:
        if value is None:
            shape = next((shapes[end] for end in sorted(shapes, key=len, reverse=True) if name.endswith(end)), (WIDTH,))
            setattr(part, name.rpartition("/")[2], chance.normal(0.0, 0.05, shape).astype(np.float32))

    visit_spec(spec, fill)
    known = (base / "vocabulary.txt").read_text("utf-8").split("\n")
    spec.register_vocabulary([*known[: tokens - 1], *[f"<|{30 + 0.02 * n:.2f}|>" for n in range(tokens)]][:tokens])
    config = json.loads((base / "config.json").read_text())
    spec.config.add_attribute("alignment_heads", [[0, 0]])
    for name in ("suppress_ids", "suppress_ids_begin", "lang_ids"):
        spec.config.add_attribute(name, config[name])
    spec.validate()
    spec.optimize(quantization=weights)
    spec.save(str(folder))
    (folder / "tokenizer.json").write_bytes((base / "tokenizer.json").read_bytes())
    if said_mels is not None:
        said = {"feature_size": said_mels, "hop_length": 160, "n_fft": 400, "chunk_length": 30, "sampling_rate": 16_000}
        (folder / "preprocessor_config.json").write_text(json.dumps(said))
    return folder
